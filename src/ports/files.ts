// Port: a file store, which keeps bytes under our keys (docs/interface/general.md, Outside the API).
import type { Readable } from 'node:stream'
import type { ByteRange } from '#kernel/values/text/byte-range.ts'

/**
 * `{organization}/{32 hex digits}`, or `vendor/…` for the vendor's own: random, so that no key is written twice and
 * none can be guessed.
 */
export const FILE_KEY = /^(vendor|[1-9]\d{0,15})\/[0-9a-f]{32}$/

/** `size`: how many bytes `content` has. */
export type StoredContent = { content: Readable; size: number }

/** The store cannot be reached or gave an unexpected answer; trying again may succeed. */
export class FilesUnavailable extends Error {}

export interface Files {
  /** Stores the whole content or, after any failure, nothing. An error of `content` is thrown unchanged. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * All of the content, or one range of it. Null when nothing is stored under the key; FilesUnavailable when the
   * content ends before the range does. Read the content to its end, or destroy it.
   */
  get(key: string, range?: ByteRange | null): Promise<StoredContent | null>
  /** Succeeds when nothing is stored under the key, too. */
  remove(key: string): Promise<void>
}

export function checkedKey(key: string): string {
  if (!FILE_KEY.test(key)) throw new TypeError('a file key is {organization}/{32 hex digits}')
  return key
}

const DISK_FAILURES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EMFILE', 'ENFILE']

/** `error`, or FilesUnavailable when this machine's disk or its limits are the cause. */
export const withoutDisk = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && DISK_FAILURES.includes(error.code)
    ? new FilesUnavailable('the disk cannot be used', { cause: error })
    : error

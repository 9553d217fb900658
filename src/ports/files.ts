// What we need of a file store: keep bytes under a key of ours and give them back. (docs/interface.md, Outside systems)
import type { Readable } from 'node:stream'

/** `{organization}/{32 hex digits}`: random, so a key is never written twice and nobody can guess one. */
export const FILE_KEY = /^[1-9]\d{0,15}\/[0-9a-f]{32}$/

export type StoredContent = { content: Readable; size: number }

/** As an attachment, to whoever has the link, until it ends. */
export type FileLink = { fileName: string; contentType: string; seconds: number; now: Date }

/** The store cannot be reached or does not answer as it should; it may pass. */
export class FilesUnavailable extends Error {}

export interface Files {
  /** Keeps the whole content or, when anything fails, nothing. An error of the content itself comes through as it is. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Null when there is nothing under the key. Read the content to its end, or destroy it. */
  get(key: string): Promise<StoredContent | null>
  /** Nothing there is fine too. */
  remove(key: string): Promise<void>
  /** Null where the store has no doors of its own; the service then sends the content itself. */
  link(key: string, link: FileLink): string | null
}

export function checkedKey(key: string): string {
  if (!FILE_KEY.test(key)) throw new TypeError('a file key is {organization}/{32 hex digits}')
  return key
}

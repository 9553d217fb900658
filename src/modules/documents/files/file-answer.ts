// The answer that sends a stored file, whole or in ranges.
import type { Readable } from 'node:stream'
import type { IoContext } from '#kernel/data/context.ts'
import type { ByteRange } from '#kernel/values/text/byte-range.ts'
import { AppError } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { type ReceivedFile, withStore } from './receive-upload.ts'

/** Makes the answer, once what a link leads to is known. */
export type FileOpener = (io: IoContext) => Promise<FileAnswer>

/** What the row of a file says about its bytes. */
export type StoredFile = Pick<ReceivedFile, 'storage_key' | 'content_type' | 'size' | 'sha256'>

/**
 * `beforeSending` runs before bytes are sent, for a log or a counter: not for HEAD, nor for a client that has the bytes
 * already or asks for a range that does not exist.
 */
export function fileAnswer(
  { ports }: Pick<IoContext, 'ports'>,
  { storage_key, content_type: contentType, size, sha256 }: StoredFile,
  { fileName, beforeSending }: { fileName: string; beforeSending?: (range: ByteRange | null) => Promise<unknown> },
): FileAnswer {
  const content = async (range: ByteRange | null): Promise<Readable> => {
    const stored = await withStore(() => ports.files.get(storage_key, range))
    if (!stored) throw damaged(storage_key)
    try {
      if (!range && stored.size !== size) throw damaged(storage_key)
      await beforeSending?.(range)
    } catch (error) {
      stored.content.on('error', () => undefined).destroy()
      throw error
    }
    return stored.content
  }
  return { content, size, sha256, contentType, fileName }
}

/** No Retry-After, because the answer stays the same until somebody restores the file; the log has the cause. */
const damaged = (storageKey: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', {
    message: 'The file cannot be read',
    cause: new Error(`the bytes of ${storageKey} are gone, or are not those that were stored`),
  })

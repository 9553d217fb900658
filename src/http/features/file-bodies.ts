// Bodies that are not JSON: a file received as multipart/form-data, and answers that are files.
import type { Readable } from 'node:stream'
import type { IoContext, Settings } from '#kernel/data/context.ts'
import type { ByteRange } from '#kernel/values/text/byte-range.ts'
import type { Input } from '#http/route.ts'

/** A file that is being received. Its stream must be read to the end, or an error thrown. */
export type IncomingFile = { fileName: string | null; stream: Readable }

/**
 * For a route that takes one part `file` and the fields of its `body` (sent as text, so a field is a string, an integer
 * or a boolean). After the access check `receive` streams the bytes to the store, then `run` writes the row with its
 * result in the transaction. When anything after `receive` fails, `discard` removes the bytes.
 */
export type Upload<Params = never, Query = never, Prepared = never> = {
  /** A larger file is refused with 413; the rest of its bytes is not received. */
  maxBytes: (settings: Settings) => number
  /** Runs outside of transactions. Params and query are validated, but not the fields, which may follow the file. */
  receive: (
    io: IoContext,
    input: Pick<Input<Params, Query, unknown>, 'params' | 'query'>,
    file: IncomingFile,
  ) => Promise<Prepared & FileHash>
  discard: (io: IoContext, prepared: Prepared) => Promise<void>
}

/** Hash of the bytes in hex: a repeat with the same `Idempotency-Key` must have the same file. */
export type FileHash = { sha256: string }

/** Reads the parts of a request: hands each file to `receive` and returns the fields. */
export type Multipart = (
  maxBytes: number,
  receive: (file: IncomingFile) => Promise<void>,
) => Promise<Record<string, unknown>>

/** An answer that is a file: always an attachment, never cached, with a name that the service made. */
export type FileAnswer = {
  contentType: string
  fileName: string
} & (
  | {
      content: Buffer
      /** In hex, where the bytes never change: sent as `ETag` and `Repr-Digest` (RFC 9530), and ranges are answered. */
      sha256?: string
    }
  | { content: OpenContent; size: number; sha256: string }
)

/** Opens the bytes, or one range of them. Not called when only the headers are sent. */
type OpenContent = (range: ByteRange | null) => Promise<Readable>

/** Makes the file of the answer from the data that `read` found, outside of transactions. */
export type FileMaker<Data> = {
  /** The content types of its answers; of several, the record has that of its file. */
  produces: readonly string[]
  make: (io: IoContext, data: Data) => Promise<FileAnswer>
}

/**
 * `attachment` with an ASCII name and, where that differs from the name, the name in UTF-8 (RFC 6266, RFC 8187). Never
 * a path: some clients would follow it.
 */
export function attachmentDisposition(fileName: string): string {
  const name = fileName.replaceAll(/[/\\]/g, '_')
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const ascii = plain.replaceAll(/[^\w .()+-]/g, '_')
  if (ascii === name) return `attachment; filename="${ascii}"`
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

// What is not JSON: one file that comes in as multipart/form-data, and answers that are files.
import type { Readable } from 'node:stream'
import type { IoContext, Settings } from '#kernel/data/context.ts'
import type { Input } from './route.ts'

/** A file on its way in. Read the stream to its end, or fail. */
export type IncomingFile = { fileName: string | null; stream: Readable }

/**
 * A route that takes one part `file` beside the fields of its `body` (which are text, so a field may be a string, an
 * integer or a boolean). The door comes first, then the bytes are streamed to where they stay, then `run` writes the
 * row in its transaction with what `receive` gave; when anything after `receive` fails, `discard` takes the bytes back.
 */
export type Upload<Params = never, Query = never, Seen = never> = {
  /** 413 beyond; the bytes over it are not received. */
  maxBytes: (settings: Settings) => number
  /** Outside transactions. Params and query are checked, the fields not yet: they may follow the file. */
  receive: (
    outside: IoContext,
    input: Pick<Input<Params, Query, unknown>, 'params' | 'query'>,
    file: IncomingFile,
  ) => Promise<Seen & Received>
  discard: (outside: IoContext, seen: Seen) => Promise<void>
}

/** Of the bytes, in hex: an `Idempotency-Key` stands for one file too. */
export type Received = { sha256: string }

/** The request's parts: each file goes to `receive`, the fields are returned. Text in UTF-8. */
export type Multipart = (
  maxBytes: number,
  receive: (file: IncomingFile) => Promise<void>,
) => Promise<Record<string, unknown>>

/** An answer that is a file: always an attachment, never cached, under a name that we made. */
export type FileAnswer = {
  content: Buffer | Readable
  contentType: string
  fileName: string
  /** Known for buffers. */
  size?: number
  /** In hex, where it is known: the answer then says it (RFC 9530). */
  sha256?: string
}

/** The answer of the route is a file, made outside transactions from the data that its `read` found. */
export type FileMaker<Data> = {
  /** For the documents. */
  produces: string
  make: (outside: IoContext, data: Data) => Promise<FileAnswer>
}

/** `attachment` with the name as ASCII and, where that loses something, in UTF-8 (RFC 6266, RFC 8187). */
export function attachmentDisposition(fileName: string): string {
  const plain = fileName.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const ascii = plain.replaceAll(/[^\w .()+-]/g, '_')
  if (ascii === fileName) return `attachment; filename="${ascii}"`
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

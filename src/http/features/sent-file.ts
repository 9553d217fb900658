// Answers that are files: the whole, one range of it, or only the headers (RFC 9110, sections 13 and 14).
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type ByteRange, lengthOf, readRange } from '#kernel/values/text/byte-range.ts'
import { isTagIn } from './entity-tag.ts'
import { AppError } from '#kernel/values/errors.ts'
import { attachmentDisposition, type FileAnswer } from './file-bodies.ts'
import { oneHeader } from '#http/request-context.ts'

export type SentFile = { status: 200 | 206 | 304; headers: Record<string, string>; content: Buffer | Readable }

type FileRequest = { method: string; headers: IncomingHttpHeaders }

/** What a page of any host may show; should a browser open it by itself, nothing in it runs or loads anything. */
const shown = (fileName: string, cacheSeconds: number) => ({
  'content-disposition': attachmentDisposition(fileName).replace('attachment', 'inline'),
  'cache-control': `public, max-age=${cacheSeconds}`,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
})

/** `cacheSeconds`: of an image that is the same for everybody. */
export async function sentFile(request: FileRequest, file: FileAnswer, cacheSeconds?: number): Promise<SentFile> {
  const size = 'size' in file ? file.size : file.content.length
  const headers = {
    'content-type': file.contentType,
    'content-disposition': attachmentDisposition(file.fileName),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(cacheSeconds !== undefined && shown(file.fileName, cacheSeconds)),
    ...(file.sha256 !== undefined && headersOfFinal(file.sha256)),
  }
  const range = file.sha256 === undefined ? null : rangeOf(request, tagOf(file.sha256), size)
  if (range === 'unmodified') return { status: 304, headers, content: nothing() }
  const content = request.method === 'HEAD' ? nothing() : await contentOf(file, range)
  const whole = { ...headers, 'content-length': String(range ? lengthOf(range) : size) }
  if (!range) return { status: 200, headers: whole, content }
  return { status: 206, headers: { ...whole, 'content-range': `bytes ${range.start}-${range.end}/${size}` }, content }
}

const tagOf = (sha256: string): string => `"${sha256}"`

const headersOfFinal = (sha256: string) => ({
  'accept-ranges': 'bytes',
  etag: tagOf(sha256),
  'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
})

function rangeOf({ method, headers }: FileRequest, etag: string, size: number): ByteRange | 'unmodified' | null {
  if (isTagIn(headers['if-none-match'], etag)) return 'unmodified'
  const condition = oneHeader(headers['if-range'])
  // Only entity tags are compared: files have no date of modification.
  if (method !== 'GET' || (condition !== undefined && condition !== etag)) return null
  const range = readRange(headers.range, size)
  if (range === 'unsatisfiable') throw new AppError('RANGE_NOT_SATISFIABLE', { size })
  return range
}

/** A stream, because Fastify would set the length of an empty buffer in answers to HEAD. */
const nothing = (): Readable => Readable.from([])

async function contentOf(file: FileAnswer, range: ByteRange | null): Promise<Buffer | Readable> {
  if ('size' in file) return file.content(range)
  return range ? file.content.subarray(range.start, range.end + 1) : file.content
}

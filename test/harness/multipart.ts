// Builds a body of multipart/form-data as a browser sends it.
import { randomBytes } from 'node:crypto'
import type { Headers } from './world.ts'

type Part = { name?: string; fileName?: string; type?: string; content: Buffer | string }

export type Multipart = { body: Buffer; headers: Headers }

/** First the fields, then the file, whose field is `file` by default. */
export function multipart(file: Part | null, fields: Record<string, string> = {}): Multipart {
  const boundary = `----${randomBytes(8).toString('hex')}`
  const head = (disposition: string, type?: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`
  const pieces: (Buffer | string)[] = Object.entries(fields).flatMap(([name, value]) => [
    head(`name="${name}"`),
    value,
    '\r\n',
  ])
  if (file) {
    const { name = 'file', fileName = 'file.bin', type = 'application/octet-stream', content } = file
    pieces.push(head(`name="${name}"; filename="${fileName}"`, type), content, '\r\n')
  }
  pieces.push(`--${boundary}--\r\n`)
  return {
    body: Buffer.concat(pieces.map((piece) => Buffer.from(piece))),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

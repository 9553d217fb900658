// Files in a bucket of an S3-compatible store, addressed by path (`{endpoint}/{bucket}/{key}`), which all stores
// support.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, type Dispatcher, request } from 'undici'
import { lengthOf } from '#kernel/values/text/byte-range.ts'
import { checkedKey, type Files, FilesUnavailable, withoutDisk } from '#ports/files.ts'
import { type S3Keys, signedHeaders } from './signature.ts'

export type S3FilesOptions = S3Keys & {
  endpoint: string
  bucket: string
  now?: () => Date
  /** Until an answer begins, and between two chunks of it. */
  timeoutMs?: number
}

const NOTHING = createHash('sha256').digest('hex')

export function createS3Files(options: S3FilesOptions): Files & { close(): Promise<void> } {
  const { endpoint, bucket, now = () => new Date(), timeoutMs = 30_000 } = options
  const agent = new Agent({ connect: { timeout: 5000 }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const urlOf = (key: string): URL => new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}/${checkedKey(key)}`)

  async function send(
    method: 'PUT' | 'GET' | 'DELETE',
    key: string,
    { body, ...given }: { body?: SpooledFile; range?: string } = {},
  ): Promise<Dispatcher.ResponseData> {
    const url = urlOf(key)
    const about = body && { 'content-length': String(body.size), 'content-type': 'application/octet-stream' }
    const unsigned = { method, url, headers: { ...given, ...about }, sha256: body?.sha256 ?? NOTHING }
    const headers = signedHeaders(unsigned, options, now())
    const content = body ? { body: createReadStream(body.path) } : {}
    try {
      return await request(url, { method, headers, dispatcher: agent, ...content })
    } catch (cause) {
      throw new FilesUnavailable(`the file store does not answer ${method}`, { cause })
    }
  }

  return {
    // S3 needs the length before the first byte, so that the content is written to disk first.
    put: (key, content) =>
      spooled(content, async (body) => {
        const answer = await send('PUT', key, { body })
        await answer.body.dump()
        if (answer.statusCode !== 200) throw refused('PUT', answer)
      }),
    get: async (key, range) => {
      const answer = await send('GET', key, range ? { range: `bytes=${range.start}-${range.end}` } : {})
      const size = Number(answer.headers['content-length'])
      const isWhole = !range || size === lengthOf(range)
      if (answer.statusCode === (range ? 206 : 200) && isWhole) return { content: answer.body, size }
      await answer.body.dump()
      if (answer.statusCode === 404) return null
      throw refused('GET', answer)
    },
    remove: async (key) => {
      const answer = await send('DELETE', key)
      await answer.body.dump()
      if (![200, 204, 404].includes(answer.statusCode)) throw refused('DELETE', answer)
    },
    close: () => agent.destroy(),
  }
}

const refused = (method: string, { statusCode }: Dispatcher.ResponseData): FilesUnavailable =>
  new FilesUnavailable(`the file store answers ${method} with ${statusCode}`)

type SpooledFile = { path: string; size: number; sha256: string }

async function spooled(content: AsyncIterable<Uint8Array>, send: (body: SpooledFile) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'titular-upload-')).catch((error: unknown) => {
    throw withoutDisk(error)
  })
  try {
    await send(await spool(join(directory, 'content'), content))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function spool(path: string, content: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const hash = createHash('sha256')
  let size = 0
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of content) {
        hash.update(chunk)
        size += chunk.length
        // Not write(), which may write a part of a chunk only when the disk is almost full.
        await handle.writeFile(chunk)
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw withoutDisk(error)
  }
  return { path, size, sha256: hash.digest('hex') }
}

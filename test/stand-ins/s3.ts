// An S3-compatible store for tests: verifies each signature with its own code, and stores objects in memory.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '#test/harness/listen.ts'

export type StandIn = {
  endpoint: string
  objects: Map<string, Buffer>
  /** `PUT /bucket/1/abc 200` */
  log: string[]
  /** Answers every request with this status. */
  failWith: (status: number | null) => void
  close: () => Promise<void>
}

export type StandInOptions = { accessKey: string; secretKey: string; region: string; bucket: string }

export async function startS3StandIn(options: StandInOptions): Promise<StandIn> {
  const objects = new Map<string, Buffer>()
  const log: string[] = []
  let failing: number | null = null
  const { url, close } = await listen(async (request, response) => {
    const status = await answer(request, response, options, objects, failing)
    log.push(`${request.method} ${request.url?.split('?')[0]} ${status}`)
  })
  return {
    endpoint: url,
    objects,
    log,
    failWith: (status) => void (failing = status),
    close,
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: StandInOptions,
  objects: Map<string, Buffer>,
  failing: number | null,
): Promise<number> {
  const body = await buffer(request)
  const say = (status: number, content: Buffer = Buffer.alloc(0)) => {
    response.writeHead(status, { 'content-length': content.length }).end(content)
    return status
  }
  if (failing !== null) return say(failing)
  const url = new URL(request.url ?? '/', 'http://store')
  if (!isSigned(request, body, options)) return say(403)
  const [, bucket, ...rest] = url.pathname.split('/')
  const key = rest.join('/')
  if (bucket !== options.bucket) return say(404)
  if (request.method === 'PUT') {
    if (Number(request.headers['content-length']) !== body.length) return say(411)
    objects.set(key, body)
    return say(200)
  }
  if (request.method === 'DELETE') {
    objects.delete(key)
    return say(204)
  }
  const found = objects.get(key)
  if (!found) return say(404)
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (Number(start) >= found.length) return say(416)
  if (start !== undefined) return say(206, found.subarray(Number(start), Number(end) + 1))
  return say(200, found)
}

const SKEW_MS = 900_000

/** The canonical request by the documentation of S3, from the raw request line and headers. */
function isSigned(request: IncomingMessage, body: Buffer, options: StandInOptions): boolean {
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, credential = '', names = '', given = ''] = header.exec(request.headers.authorization ?? '') ?? []
  const stamp = String(request.headers['x-amz-date'])
  const payload = String(request.headers['x-amz-content-sha256'])
  if (payload !== createHash('sha256').update(body).digest('hex')) return false
  const day = stamp.slice(0, 8)
  if (credential !== `${options.accessKey}/${day}/${options.region}/s3/aws4_request`) return false
  const at = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) <= SKEW_MS)) return false
  const signedLines = names.split(';').map((name) => `${name}:${String(request.headers[name])}\n`)
  const canonical = `${request.method}\n${request.url}\n\n${signedLines.join('')}\n${names}\n${payload}`
  const toSign = `AWS4-HMAC-SHA256\n${stamp}\n${day}/${options.region}/s3/aws4_request\n${createHash('sha256').update(canonical).digest('hex')}`
  let key: string | Buffer = `AWS4${options.secretKey}`
  for (const part of [day, options.region, 's3', 'aws4_request', toSign])
    key = createHmac('sha256', key).update(part).digest()
  const expected = Buffer.from(key.toString('hex'))
  return given.length === expected.length && timingSafeEqual(expected, Buffer.from(given))
}

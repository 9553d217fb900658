// AWS Signature Version 4, for requests whose headers are signed and for links that carry their signature.
import { createHash, createHmac } from 'node:crypto'

export type S3Keys = { accessKey: string; secretKey: string; region: string }

export const UNSIGNED = 'UNSIGNED-PAYLOAD'
const ALGORITHM = 'AWS4-HMAC-SHA256'

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/** `20130524T000000Z` */
const stampOf = (now: Date): string => now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
const scopeOf = (stamp: string, region: string): string => `${stamp.slice(0, 8)}/${region}/s3/aws4_request`

type Signed = { method: string; url: URL; headers: Record<string, string>; payload: string }

/** The headers to send, authorization included. `payload` is the SHA-256 of the body, in hex. */
export function signedHeaders(request: Signed, keys: S3Keys, now: Date): Record<string, string> {
  const stamp = stampOf(now)
  const headers = { ...request.headers, 'x-amz-content-sha256': request.payload, 'x-amz-date': stamp }
  const names = namesOf({ ...headers, host: request.url.host })
  const signature = signatureOf({ ...request, headers: { ...headers, host: request.url.host } }, keys, stamp)
  const authorization = `${ALGORITHM} Credential=${keys.accessKey}/${scopeOf(stamp, keys.region)}, SignedHeaders=${names}, Signature=${signature}`
  return { ...headers, authorization }
}

/** A GET that anybody may make for so many seconds (604,800 at most). */
export function signedLink(url: URL, keys: S3Keys, now: Date, seconds: number): string {
  const stamp = stampOf(now)
  const link = new URL(url)
  link.searchParams.set('X-Amz-Algorithm', ALGORITHM)
  link.searchParams.set('X-Amz-Credential', `${keys.accessKey}/${scopeOf(stamp, keys.region)}`)
  link.searchParams.set('X-Amz-Date', stamp)
  link.searchParams.set('X-Amz-Expires', String(seconds))
  link.searchParams.set('X-Amz-SignedHeaders', 'host')
  const request = { method: 'GET', url: link, headers: { host: link.host }, payload: UNSIGNED }
  const signature = signatureOf(request, keys, stamp)
  // As it was signed: URLSearchParams writes a space as a plus.
  link.search = `${queryOf(link)}&X-Amz-Signature=${signature}`
  return link.href
}

function signatureOf({ method, url, headers, payload }: Signed, keys: S3Keys, stamp: string): string {
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}:${value.trim().replaceAll(/ +/g, ' ')}\n`)
    .toSorted()
  const canonical = [method, url.pathname, queryOf(url), lines.join(''), namesOf(headers), payload].join('\n')
  const scope = scopeOf(stamp, keys.region)
  const day = hmac(`AWS4${keys.secretKey}`, stamp.slice(0, 8))
  const key = hmac(hmac(hmac(day, keys.region), 's3'), 'aws4_request')
  return hmac(key, [ALGORITHM, stamp, scope, sha256(canonical)].join('\n')).toString('hex')
}

const namesOf = (headers: Record<string, string>): string =>
  Object.keys(headers)
    .map((name) => name.toLowerCase())
    .toSorted()
    .join(';')

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const queryOf = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')

// AWS Signature Version 4, for requests whose headers are signed and for links that carry their signature.
import aws4 from 'aws4'

export type S3Keys = { accessKey: string; secretKey: string; region: string }

export type Unsigned = {
  method: string
  url: URL
  headers: Record<string, string>
  /** SHA-256 of the body, in hex; the store refuses another body. */
  sha256: string
}

/** The headers to send, authorization included. */
export function signedHeaders({ method, url, headers, sha256 }: Unsigned, keys: S3Keys, now: Date) {
  const given = { ...headers, 'x-amz-content-sha256': sha256, 'x-amz-date': stampOf(now) }
  return aws4.sign({ ...targetOf(url, keys), method, headers: given }, credentialsOf(keys)).headers ?? {}
}

/** The URL of a GET that works without credentials for `seconds` (604,800 at most). */
export function signedLink(url: URL, keys: S3Keys, { now, seconds }: { now: Date; seconds: number }): string {
  const link = new URL(url)
  link.searchParams.set('X-Amz-Date', stampOf(now))
  link.searchParams.set('X-Amz-Expires', String(seconds))
  const { path } = aws4.sign({ ...targetOf(link, keys), signQuery: true }, credentialsOf(keys))
  return `${url.origin}${path}`
}

/** `20130524T000000Z` */
const stampOf = (now: Date): string => now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')

const targetOf = ({ host, pathname, search }: URL, { region }: S3Keys) => ({
  service: 's3',
  region,
  host,
  path: `${pathname}${search}`,
})

const credentialsOf = ({ accessKey, secretKey }: S3Keys) => ({ accessKeyId: accessKey, secretAccessKey: secretKey })

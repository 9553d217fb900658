// AWS Signature Version 4, in the headers of a request.
import aws4 from 'aws4'

export type S3Keys = { accessKey: string; secretKey: string; region: string }

export type UnsignedRequest = {
  method: string
  url: URL
  headers: Record<string, string>
  /** SHA-256 of the body, in hex; the store refuses another body. */
  sha256: string
}

/** The headers to send, authorization included. */
export function signedHeaders({ method, url, headers, sha256 }: UnsignedRequest, keys: S3Keys, now: Date) {
  const given = { ...headers, 'x-amz-content-sha256': sha256, 'x-amz-date': stampOf(now) }
  return aws4.sign({ ...targetOf(url, keys), method, headers: given }, credentialsOf(keys)).headers ?? {}
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

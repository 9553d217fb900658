// Large texts that are the same for everybody are sent compressed, and each is compressed once.
import { gzipSync } from 'node:zlib'
import type { onSendHookHandler } from 'fastify'

/** After `tagAnswer`, whose tag tells the texts apart. */
export function zipAnswers(): onSendHookHandler {
  const zipped = new Map<string, Buffer>()
  return ({ headers }, reply, payload, done) => {
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
    const etag = reply.getHeader('etag')
    if (typeof payload !== 'string' || typeof etag !== 'string' || !takesGzip(headers['accept-encoding']))
      return done(null, payload)
    const bytes = zipped.get(etag) ?? gzipSync(payload)
    zipped.set(etag, bytes)
    reply.header('content-encoding', 'gzip')
    return done(null, bytes)
  }
}

const takesGzip = (header: string | string[] | undefined): boolean =>
  /(^|[\s,])gzip\s*(,|$|;\s*q=(1|0\.0*[1-9]))/i.test(String(header ?? ''))

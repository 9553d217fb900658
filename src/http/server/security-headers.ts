// The security headers of each kind of answer: what is said of documents goes out with documents only.
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Config } from '#config/config.ts'

type Headers = Readonly<Record<string, string>>
/** `data`: JSON and other texts for programs. */
type AnswerKind = 'data' | 'file' | 'document'

/** A browser shows no data as a document, and these tell it not to try, nor to tell others of the address. */
const OF_DATA = ['x-content-type-options', 'referrer-policy', 'strict-transport-security']
/** A file is whatever somebody uploaded: no page may load it, and should a browser show it, nothing in it runs. */
const OF_FILES = [...OF_DATA, 'content-security-policy', 'cross-origin-resource-policy']

export async function securityHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): Promise<void> {
  const ofDocuments = await documentHeaders(config)
  const only = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(ofDocuments).filter(([name]) => names.includes(name)))
  const ofData = only(OF_DATA)
  const headers: Record<AnswerKind, Headers> = { data: ofData, file: only(OF_FILES), document: ofDocuments }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(ofData).header('x-request-id', request.id)
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const kind = kindOf(reply)
    if (kind !== 'data')
      for (const [name, value] of Object.entries(headers[kind])) if (!reply.hasHeader(name)) reply.header(name, value)
    done()
  })
}

const kindOf = (reply: Pick<FastifyReply, 'getHeader'>): AnswerKind =>
  reply.getHeader('content-disposition') !== undefined
    ? 'file'
    : String(reply.getHeader('content-type') ?? '').startsWith('text/html')
      ? 'document'
      : 'data'

/** What helmet sets, computed once: for every request it would build all its middlewares anew. */
async function documentHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Headers> {
  const probe = Fastify()
  await probe.register(helmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
  })
  probe.get('/', (_request, reply) => reply.send(reply.getHeaders()))
  const answer = await probe.inject('/')
  await probe.close()
  return answer.json()
}

// Which pages of other origins may call the API from a browser (CORS_ORIGINS), and what they may send and read.
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Area } from '#http/manifest/area.ts'
import type { Config } from '#config/config.ts'

type CrossOriginOptions = { config: Pick<Config, 'corsOrigins'>; areas: readonly Pick<Area<unknown>, 'routes'>[] }

export async function crossOrigin(app: FastifyInstance, { config, areas }: CrossOriginOptions): Promise<void> {
  if (config.corsOrigins.length === 0) return
  const options: FastifyCorsOptions = {
    origin: config.corsOrigins,
    credentials: true,
    methods: methodsOf(areas),
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: ANSWER_HEADERS,
    maxAge: 600,
  }
  await app.register(cors, {
    delegator: (request, done) => done(null, { ...options, preflight: isPreflight(request) }),
  })
}

/** Any other OPTIONS is answered like a method that the path does not have (http/unknown-routes.ts). */
const isPreflight = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined

const methodsOf = (areas: CrossOriginOptions['areas']): string[] => [
  ...new Set(areas.flatMap(({ routes }) => routes.map(({ method }) => method))),
  'HEAD',
]

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Range',
  'X-Reason',
  'X-Request-Id',
  'X-Service-Organization',
  'X-Service-Company',
  'X-Service-Nonce',
]

const ANSWER_HEADERS = [
  'Accept-Encoding',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Repr-Digest',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
]

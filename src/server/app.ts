// The HTTP server: what every answer has in common (envelope, request id, limits, headers, one log line), then the routes.
import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import { failure } from '#kernel/http/envelope.ts'
import { AppError, ERRORS, toAppError } from '#kernel/http/errors.ts'
import { registerRoutes, FILE_MS } from '#kernel/http/register-routes.ts'
import type { Engine } from '#kernel/http/request-context.ts'
import type { Area } from '#kernel/area.ts'
import type { Config } from '#config/config.ts'
import { type Counters, countRequests } from './count-requests.ts'
import { documents } from './documents.ts'
import { DRAIN_MS, drainOnClose } from './drain.ts'
import { health } from './health.ts'
import { type DemoSignIns, guardDemoSignIns } from './local-only.ts'
import { measureRoutes, type Metrics, metricsRoute } from './metrics.ts'
import { logRequest } from './request-log.ts'
import { answerUnreadable, answerWhatNodeWould } from './unreadable.ts'

export const BASE_PATH = '/api/v1'

export type AppOptions = Counters & {
  config: Config
  engine: Engine
  areas: readonly Area[]
  log: Logger
  metrics: Metrics
  demo: DemoSignIns
  /** False once the process drains. */
  isReady: () => boolean
  /** Pages and doors outside the API: mailed links, sandbox pay page, mail viewer. */
  pages: (app: FastifyInstance) => void | Promise<void>
}

const MAX_BODY_BYTES = 1024 * 1024
const REQUEST_MS = 30_000

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, log } = options
  const loggerInstance: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: MAX_BODY_BYTES,
    // For files; other bodies have to be there within the time that their handlers have (`limitBodyTime`).
    requestTimeout: FILE_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // Longer than a request may take to arrive (and to be looked at): a slow sender is no failure of ours.
    handlerTimeout: 40_000,
    // Slow headers are held for 12 seconds at most. A missing Host gets an envelope of ours (unreadable.ts).
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2000, requireHostHeader: false },
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: false, caseSensitive: true },
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    // Requests on connections that are open at the end are answered as ever (drain.ts).
    return503OnClosing: false,
    // Counts for closing too, which takes as long as the requests in flight.
    pluginTimeout: 3 * DRAIN_MS,
    // Of addresses that cannot be read; the error would repeat the address in the log.
    frameworkErrors: (_error, request, reply) => {
      request.log.info({ status: 400, ip: request.ip, reason: 'address' }, 'unreadable request')
      void answerFailure(new AppError('BAD_REQUEST'), request, reply)
    },
    clientErrorHandler: answerUnreadable(log),
  })
  app.server.maxConnections = 10_000
  drainOnClose(app, options.isReady)
  // The parsing of bodies belongs to the pipeline, after the door.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply))
  const security = await securityHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(security).header('x-request-id', request.id)
    done()
  })
  app.addHook('onRequest', limitBodyTime)
  answerWhatNodeWould(app, log)
  app.addHook('onResponse', logRequest)
  if (config.corsOrigins.length > 0) await app.register(cors, corsOptions(config))
  await app.register(cookie)
  await documents(app, BASE_PATH, tagsOf(options.areas))
  await measureRoutes(app, options.metrics)
  metricsRoute(app, options)
  health(app, options)
  await app.register(
    async (api) => {
      // Too large a file is told by `truncated`, once what was received can be taken back.
      await api.register(multipart, { throwFileSizeLimit: false })
      guardDemoSignIns(api, config, options.demo)
      mountApi(api, options)
    },
    { prefix: BASE_PATH },
  )
  await options.pages(app)
  app.setNotFoundHandler(async () => {
    throw new AppError('NOT_FOUND')
  })
  return app
}

const tagsOf = (areas: readonly Area[]) => areas.map(({ name, description }) => ({ name, description }))

/** What helmet answers, asked once: it makes all its middlewares anew for every request, and they always say the same. */
async function securityHeaders(config: Config): Promise<Record<string, string>> {
  const probe = Fastify()
  await probe.register(helmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
  })
  probe.get('/', (_request, reply) => reply.send(reply.getHeaders()))
  const answer = await probe.inject('/')
  await probe.close()
  return answer.json()
}

function mountApi(api: FastifyInstance, { config, engine, areas, ...counters }: AppOptions): void {
  const isSecure = config.publicUrl.startsWith('https:')
  const prefix = isSecure ? '__Host-' : ''
  const hidden = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'lax' } as const
  // Inbound webhooks are read as bytes whatever they call themselves; registration pings are form-encoded.
  for (const type of ['application/x-www-form-urlencoded', 'text/plain'])
    api.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      if (request.url.startsWith(`${BASE_PATH}/webhooks/`)) done(null, body)
      else done(new AppError('UNSUPPORTED_MEDIA_TYPE'))
    })
  registerRoutes(api, {
    engine,
    routes: areas.flatMap(({ routes }) => routes),
    cookieName: `${prefix}service_session`,
    setCookie: (reply, { name, value, maxAgeSeconds }) => {
      void reply.setCookie(`${prefix}${name}`, value, { ...hidden, maxAge: maxAgeSeconds })
    },
    ...countRequests(counters),
  })
}

/** Taken if well-formed, else made. */
function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{8,100}$/.test(given) ? given : randomUUID()
}

function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = isFastifyValidation(error)
    ? new AppError('BAD_REQUEST', { cause: error })
    : toAppError(error, request.id)
  const { status } = ERRORS[known.code]
  if (isBrokenOff(error, request)) request.log.info({ ip: request.ip }, 'the request ended before its body was there')
  else if (status >= 500) request.log.error({ err: known.details.cause ?? error }, 'request failed')
  else if (known.details.cause !== undefined) request.log.debug({ err: known.details.cause }, 'request refused')
  if (known.details.retryAfter !== undefined) reply.header('retry-after', String(known.details.retryAfter))
  reply.header('x-request-id', request.id)
  // Not by the route's serializers: an error must be answered even where a route declared none.
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(failure(known))
}

/** By the client, or because it took too long: no failure of the service, and anybody can do it as often as they like. */
const isBrokenOff = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.readableAborted && error instanceof Error && 'code' in error && error.code === 'ECONNRESET'

const isFastifyValidation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_VALIDATION'

/** A slow body holds its connection no longer than its request may take. */
async function limitBodyTime({ raw, routeOptions }: FastifyRequest): Promise<void> {
  const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
  if (!hasBody || routeOptions.config.isUpload) return
  const timer = setTimeout(() => raw.destroy(), REQUEST_MS).unref()
  const isThere = () => clearTimeout(timer)
  raw.once('end', isThere).once('close', isThere)
}

function corsOptions(config: Config) {
  return {
    origin: config.corsOrigins,
    credentials: true,
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'X-Request-Id',
      'X-Service-Organization',
      'X-Service-Company',
      'X-Service-Nonce',
    ],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Idempotent-Replayed'],
    maxAge: 600,
  }
}

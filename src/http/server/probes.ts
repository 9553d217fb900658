// The HTTP server of `work`, when WORK_PORT is set: health and metrics only.
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Database } from '#kernel/database/database.ts'
import { failure } from '#http/envelope.ts'
import { AppError, ERRORS, toAppError } from '#kernel/values/errors.ts'
import type { Config } from '#config/config.ts'
import { health } from './health.ts'
import { type Metrics, metricsRoute } from '#http/metrics/metrics.ts'

export type Probes = FastifyInstance
type ProbesOptions = {
  config: Config
  database: Database
  metrics: Metrics
  log: Logger
  isReady: () => boolean
}

const TIME_MS = 10_000

export function createProbes({ config, database, metrics, log, isReady }: ProbesOptions): Probes {
  const app = Fastify({
    requestTimeout: TIME_MS,
    connectionTimeout: TIME_MS,
    keepAliveTimeout: TIME_MS,
    bodyLimit: 1024,
    http: { headersTimeout: TIME_MS, connectionsCheckingInterval: TIME_MS / 5 },
    forceCloseConnections: true,
    return503OnClosing: false,
  })
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error, request.id)
    const { status } = ERRORS[known.code]
    if (status >= 500) log.error({ err: error }, 'health or metrics failed')
    return reply.code(status).send(failure(known))
  })
  app.setNotFoundHandler(() => {
    throw new AppError('NOT_FOUND')
  })
  health(app, { engine: { database }, isReady })
  metricsRoute(app, { config, metrics })
  return app
}

// Prometheus metrics at /metrics: by route, never by address or query.
import { register } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import fastifyMetrics from 'fastify-metrics'
import { AppError } from '#kernel/errors.ts'
import { isEqual } from '#kernel/secrets.ts'
import type { Config } from '../config.ts'
import { assertExpected } from './local-only.ts'

export async function metrics(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(fastifyMetrics.default, {
    endpoint: null,
    clearRegisterOnInit: true,
    // Histograms can be added up over processes; summaries cannot, and keep every measurement of their window.
    routeMetrics: { enabled: { histogram: true, summary: false }, registeredRoutesOnly: true, groupStatusCodes: true },
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const { metricsToken, sandbox } = config
    const given = request.headers.authorization ?? ''
    if (metricsToken === null ? !sandbox : !isEqual(given, `Bearer ${metricsToken}`)) throw new AppError('NOT_FOUND')
    if (metricsToken === null) assertExpected(config, request)
    return reply.type(register.contentType).send(await register.metrics())
  })
}

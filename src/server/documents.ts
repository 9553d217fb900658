// OpenAPI 3.1 from the routes themselves at /openapi.json, and a reference page at /docs whose "try it" calls the
// running service.
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

export async function documents(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Titular',
        version: '1.0.0',
        summary: 'Multi-tenant B2B account management',
        description:
          'Organizations and their collaborators, entitlements, quotes, orders, invoices, licenses, environments, services, tickets and contracts of the customers of one vendor. Every answer is an envelope; every request that works inside an organization names it in `X-Service-Organization`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Access token of login or register',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'service_session',
            description: 'Browser session, with the nonce',
          },
          nonce: { type: 'apiKey', in: 'header', name: 'X-Service-Nonce', description: 'Of POST or GET /auth/session' },
          apiKey: {
            type: 'apiKey',
            in: 'query',
            name: 'consumer_key',
            description: 'With consumer_secret, or both as HTTP Basic',
          },
          apiSecret: { type: 'apiKey', in: 'query', name: 'consumer_secret' },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `def-${index}`) },
  })
  app.get('/openapi.json', { schema: { hide: true } as object }, async () => app.swagger())
  await app.register(async (docs) => {
    // The reference page brings inline scripts and styles; nowhere else are they allowed.
    docs.addHook('onSend', async (_request, reply) => {
      reply.header(
        'content-security-policy',
        "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
      )
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: { url: '/openapi.json', title: 'Titular API', withDefaultFonts: false, telemetry: false },
    })
  })
}

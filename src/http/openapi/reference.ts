// The reference page at /docs, whose "try it" calls the running service. Created at the first visit: its script takes
// 39 MB and a fraction of a second, which the start would otherwise wait for.
import Fastify, { type FastifyInstance } from 'fastify'

// Only this page may use inline scripts and styles; it comes with them.
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' " +
  "data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

export function reference(app: FastifyInstance): void {
  let made: Promise<FastifyInstance> | undefined
  for (const url of ['/docs', '/docs/*'])
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      const page = await (made ??= referencePage())
      const { statusCode, headers, rawPayload } = await page.inject({ method: 'GET', url: request.url })
      const isPage = String(headers['content-type']).startsWith('text/html')
      return reply
        .code(statusCode)
        .headers({ ...headers, ...(isPage && { 'content-security-policy': POLICY }) })
        .send(rawPayload)
    })
  app.addHook('onClose', async () => (await made)?.close())
}

async function referencePage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = Fastify()
  await page.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      title: 'Titular API',
      withDefaultFonts: false,
      telemetry: false,
      authentication: { preferredSecurityScheme: 'bearer' },
      // No tools of the page's maker, and nothing that calls another host.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      documentDownloadType: 'json',
    },
  })
  return page
}

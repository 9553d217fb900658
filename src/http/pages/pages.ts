// Pages for browsers: start page, pages of mailed links, public keys, and in the sandbox the pay page and the mail.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Ed25519PublicKey } from '#kernel/keys/ed25519-keys.ts'
import { usualCompany } from '#kernel/values/company.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { PageBrand } from '#ports/brand.ts'
import { ERRORS_PAGE } from '#kernel/values/reasons.ts'
import type { PublicKey } from '#kernel/keys/signing-keys.ts'
import type { SandboxMail } from '../../adapters/sandbox/mail.ts'
import type { SandboxSystem } from '../../adapters/sandbox/system.ts'
import type { Config } from '#config/config.ts'
import { contentSecurityPolicy, type Destination, type PageContext, type PageKind } from '../../pages/document.ts'
import { errorsPage } from '../../pages/errors.ts'
import { mailListPage, mailPage } from '../../pages/mail.ts'
import { PLAIN_PAGES } from '../../pages/plain.ts'
import { notFoundPage, startPage } from '../../pages/start.ts'
import { languageFrom } from '../../texts/language.ts'
import type { SendPage } from '#http/openapi/public-api.ts'
import { contactPage, noticePage, payablePage } from '../../pages/mailed-links.ts'
import { mailedLinkPage } from './mailed-link-page.ts'
import { assertExpected } from '#http/server/local-only.ts'
import { consolePages } from './console.ts'
import { quotePages } from './quote-page.ts'

type PagesOptions = {
  config: Config
  jwks: { readonly keys: readonly PublicKey[] }
  /** The public keys of license files. */
  licenseJwks: { readonly keys: readonly Ed25519PublicKey[] }
  /** By `errors.reason`: what it means. */
  reasons: Readonly<Record<string, string>>
  brandOf: (company: Company) => Promise<PageBrand>
  sandbox: { mail: SandboxMail | null; systems: readonly SandboxSystem[] } | null
  console: Pick<Parameters<typeof consolePages>[1], 'directory' | 'demo'>
}

const hidden = { schema: { hide: true } as object }

export async function pages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { config, jwks, licenseJwks, sandbox } = options
  const sendAs =
    (kind: PageKind): SendPage =>
    async (request, reply, render, company = usualCompany(null)) => {
      const brand = await options.brandOf(company)
      const nonce = randomBytes(16).toString('base64')
      const language = languageFrom(request.headers['accept-language'], 'en')
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': contentSecurityPolicy(nonce, kind),
          'cache-control': 'no-store',
          vary: 'Accept-Language',
        })
        .send(render({ language, nonce, brand }))
    }
  const to = { portalUrl: config.portal.url }
  const page = (path: string, render: (context: PageContext, destination: Destination) => string) =>
    app.get(path, hidden, (request, reply) => sendAs('page')(request, reply, (context) => render(context, to)))
  const publish = (path: string, keys: object) =>
    app.get(path, hidden, async (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(keys))
  publish('/.well-known/jwks.json', jwks)
  publish('/.well-known/license-keys.json', licenseJwks)
  page('/', (context) => startPage(context, { mail: sandbox?.mail !== null && sandbox !== null }))
  page(ERRORS_PAGE, (context) => errorsPage(context, options.reasons))
  for (const [path, render] of Object.entries(PLAIN_PAGES)) page(path, render)
  await consolePages(app, { ...options.console, config, sendAs })
  await app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    const form = sendAs('form')
    await quotePages(scope, { entities: config.entities, send: form })
    await scope.register((inner) => mailedLinkPage(inner, form, noticePage))
    await scope.register((inner) => mailedLinkPage(inner, form, contactPage))
    await scope.register((inner) => mailedLinkPage(inner, form, payablePage(config.entities)))
  })
  if (!sandbox) return
  const expected = { ...hidden, onRequest: async (request: FastifyRequest) => assertExpected(config, request) }
  const { mail, systems } = sandbox
  if (mail) {
    app.get('/mail', expected, async (request, reply) => {
      const mails = await mail.list()
      return sendAs('page')(request, reply, (context) => mailListPage(context, mails))
    })
    app.get<{ Params: { name: string } }>('/mail/:name', expected, async (request, reply) => {
      const found = await mail.read(request.params.name)
      if (!found) reply.code(404)
      return sendAs(found ? 'mail' : 'page')(request, reply, (context) =>
        found ? mailPage(context, found) : notFoundPage(context),
      )
    })
  }
  for (const system of systems) await app.register(async (scope) => registerSystem(scope, system, expected))
}

/** They are separate systems in this process: they exchange raw bytes. */
function registerSystem(scope: FastifyInstance, system: SandboxSystem, expected: RouteShorthandOptions): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  for (const url of system.urls)
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      ...expected,
      handler: async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : null
        const { method, url: path, headers } = request
        const answer = await system.handle({ method, path, headers, body })
        return reply.code(answer.status).headers(answer.headers).send(answer.body)
      },
    })
}

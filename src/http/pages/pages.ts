// Pages for browsers: start page, pages of mailed links, public keys, and in the sandbox the pay page and the mail.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Ed25519PublicKey } from '#kernel/keys/ed25519-keys.ts'
import { ERRORS_PAGE } from '#kernel/values/reasons.ts'
import type { PublicKey } from '#kernel/keys/signing-keys.ts'
import type { SandboxMail } from '../../adapters/sandbox/mail.ts'
import type { SandboxSystem } from '../../adapters/sandbox/system.ts'
import type { Config } from '#config/config.ts'
import { contentSecurityPolicy, type PageContext, type PageKind } from '../../pages/document.ts'
import { endSessionsPage } from '../../pages/end-sessions.ts'
import { invitesPage } from '../../pages/invites.ts'
import { mailListPage, mailPage } from '../../pages/mail.ts'
import { resetPasswordPage } from '../../pages/reset-password.ts'
import { notFoundPage, startPage } from '../../pages/start.ts'
import { ssoPage } from '../../pages/sso.ts'
import { undoEmailChangePage } from '../../pages/undo-email-change.ts'
import { verifyAccountPage } from '../../pages/verify-account.ts'
import { languageFrom } from '../../texts/language.ts'
import type { SendPage } from '#http/openapi/public-api.ts'
import { contactPage, noticePage, payablePage } from '../../pages/mailed-links.ts'
import { mailedLinkPage } from './mailed-link-page.ts'
import { errorsPage } from './errors-page.ts'
import { assertExpected } from '#http/server/local-only.ts'
import { quotePages } from './quote-page.ts'

type PagesOptions = {
  config: Config
  jwks: { readonly keys: readonly PublicKey[] }
  /** The public keys of license files. */
  licenseJwks: { readonly keys: readonly Ed25519PublicKey[] }
  /** By `errors.reason`: what it means. */
  reasons: Readonly<Record<string, string>>
  sandbox: { mail: SandboxMail | null; systems: readonly SandboxSystem[] } | null
}

const hidden = { schema: { hide: true } as object }

export async function pages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { config, jwks, licenseJwks, sandbox } = options
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    kind: PageKind,
    render: (context: PageContext) => string,
  ) => {
    const nonce = randomBytes(16).toString('base64')
    const language = languageFrom(request.headers['accept-language'], 'en')
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': contentSecurityPolicy(nonce, kind),
        'cache-control': 'no-store',
        vary: 'Accept-Language',
      })
      .send(render({ language, nonce, brand: config.brand }))
  }
  const page = (path: string, render: (context: PageContext) => string) =>
    app.get(path, hidden, (request, reply) => send(request, reply, 'page', render))
  for (const [path, keys] of [
    ['/.well-known/jwks.json', jwks],
    ['/.well-known/license-keys.json', licenseJwks],
  ] as const)
    app.get(path, hidden, async (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(keys))
  page('/', (context) => startPage(context, { mail: sandbox?.mail !== null && sandbox !== null }))
  page(ERRORS_PAGE, (context) => errorsPage(context, options.reasons))
  page('/verify-account', verifyAccountPage)
  page('/reset-password', resetPasswordPage)
  page('/undo-email-change', undoEmailChangePage)
  page('/end-sessions', endSessionsPage)
  page('/sso', (context) => ssoPage(context, { portalUrl: config.portal?.url ?? null }))
  page('/invites', (context) => invitesPage(context, { portalUrl: config.portal?.url ?? null }))
  const form: SendPage = (request, reply, render) => send(request, reply, 'form', render)
  await app.register(async (scope) =>
    quotePages(scope, {
      entities: config.entities,
      send: form,
    }),
  )
  await app.register((scope) => mailedLinkPage(scope, form, noticePage))
  await app.register((scope) => mailedLinkPage(scope, form, contactPage))
  await app.register((scope) => mailedLinkPage(scope, form, payablePage(config.entities)))
  if (!sandbox) return
  const expected = { ...hidden, onRequest: async (request: FastifyRequest) => assertExpected(config, request) }
  const { mail, systems } = sandbox
  if (mail) {
    app.get('/mail', expected, async (request, reply) => {
      const mails = await mail.list()
      return send(request, reply, 'page', (context) => mailListPage(context, mails))
    })
    app.get<{ Params: { name: string } }>('/mail/:name', expected, async (request, reply) => {
      const found = await mail.read(request.params.name)
      if (!found) reply.code(404)
      return send(request, reply, found ? 'mail' : 'page', (context) =>
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

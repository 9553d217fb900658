// A page behind a link in a mail. It is a client of the public API in the same process, which decides everything.
// Programs that look at the links of mails open them, so that GET changes nothing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MailedLinkPage } from '../../pages/mailed-links.ts'
import { askPublicApi, type SendPage } from '#http/openapi/public-api.ts'
import { pathSegment } from '#http/server/path-segment.ts'

type ByToken = { Params: { token: string } }
type Form = Record<string, string>
type Question = Parameters<typeof askPublicApi>[2]

const MAX_FORM_BYTES = 4096
const hidden = { schema: { hide: true } as object, exposeHeadRoute: false }

export async function mailedLinkPage<Data>(app: FastifyInstance, send: SendPage, page: MailedLinkPage<Data>) {
  // Mail programs send their one click as either form (RFC 8058); only the page's own form has a field that matters.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES }, (_request, _body, done) =>
    done(null, {}),
  )
  const show = async (request: FastifyRequest<ByToken>, reply: FastifyReply, question: Question) => {
    const { status, retryAfter, data, code } = await askPublicApi<Data>(app, request, question)
    reply.code(status).headers(retryAfter)
    return send(request, reply, (context) =>
      data === null ? page.renderRefused(context, code) : page.render(context, request.params.token, data),
    )
  }
  app.get<ByToken>(`${page.path}/:token`, hidden, (request, reply) =>
    show(request, reply, { method: 'GET', path: `${page.resource}/${pathSegment(request.params.token)}` }),
  )
  const { act } = page
  if (act)
    app.post<ByToken & { Body: Form | null }>(`${page.path}/:token`, hidden, (request, reply) =>
      show(request, reply, act(pathSegment(request.params.token), request.body ?? {})),
    )
}

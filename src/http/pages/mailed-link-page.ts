// A page behind a link in a mail. It is a client of the public API in the same process, which decides everything.
// Programs that look at the links of mails open them, so that GET changes nothing.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MailedLinkPage } from '../../pages/mailed-links.ts'
import { askPublicApi, type SendPage } from '#http/openapi/public-api.ts'

type ByToken = { Params: { token: string } }
type Form = Record<string, string>
type Question = Parameters<typeof askPublicApi>[2]

const hidden = { schema: { hide: true } as object, exposeHeadRoute: false, bodyLimit: 4096 }

export async function mailedLinkPage<Data>(app: FastifyInstance, send: SendPage, page: MailedLinkPage<Data>) {
  // Mail programs send their one click as either form (RFC 8058); only the page's own form has a field that matters.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, {}))
  const show = async (request: FastifyRequest<ByToken>, reply: FastifyReply, question: Question) => {
    const { status, retryAfter, data, code } = await askPublicApi<Data>(app, request, question)
    // A token that cannot be one is a link that opens nothing, like all others.
    const isUnknown = code === 'VALIDATION_ERROR'
    reply.code(isUnknown ? 404 : status).headers(retryAfter)
    const { token } = request.params
    if (data !== null) return send(request, reply, (context) => page.render(context, token, data), page.about?.(data))
    return send(request, reply, (context) => page.renderRefused(context, isUnknown ? 'NOT_FOUND' : code))
  }
  app.get<ByToken>(`${page.path}/:token`, hidden, (request, reply) =>
    show(request, reply, { method: 'GET', path: [page.resource, request.params.token] }),
  )
  const { act } = page
  if (act)
    app.post<ByToken & { Body: Form | null }>(`${page.path}/:token`, hidden, (request, reply) =>
      show(request, reply, act(request.params.token, request.body ?? {})),
    )
}

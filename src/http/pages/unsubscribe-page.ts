// The page behind the link in a mail that switches off mails of its kind, and the one click of a mail program (RFC
// 8058).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noSubscriptionPage, type ShownNotice, unsubscribePage } from '../../pages/unsubscribe.ts'
import { pathSegment } from '#http/server/path-segment.ts'
import { askPublicApi, type SendPage } from '#http/openapi/public-api.ts'

type ByToken = { Params: { token: string } }

const MAX_FORM_BYTES = 4096

export async function unsubscribePages(app: FastifyInstance, send: SendPage): Promise<void> {
  // Mail programs send the one click as either form (RFC 8058); only the page's own form has a field that matters.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES }, (_request, _body, done) =>
    done(null, {}),
  )
  const hidden = { schema: { hide: true } as object, exposeHeadRoute: false }
  const show = async (request: FastifyRequest<ByToken>, reply: FastifyReply, mail?: boolean) => {
    const { token } = request.params
    const path = `notices/${pathSegment(token)}`
    const question =
      mail === undefined ? { method: 'GET' as const, path } : { method: 'PUT' as const, path, payload: { mail } }
    const answer = await askPublicApi<ShownNotice>(app, request, question)
    reply.code(answer.status).headers(answer.retryAfter)
    const { data: notice } = answer
    return send(request, reply, (context) =>
      notice === null ? noSubscriptionPage(context, answer.code) : unsubscribePage(context, { token, notice }),
    )
  }
  // Programs that look at the links of mails open them, so that GET changes nothing.
  app.get<ByToken>('/unsubscribe/:token', hidden, (request, reply) => show(request, reply))
  app.post<ByToken & { Body: Record<string, string> | null }>('/unsubscribe/:token', hidden, (request, reply) =>
    show(request, reply, request.body?.['mail'] === 'on'),
  )
}

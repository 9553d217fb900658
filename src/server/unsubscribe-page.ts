// The page behind the link in a mail that switches off mails of its kind, and the one click of a mail program (RFC 8058). It is a
// client of the public API in the same process, which decides everything.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_CODES, type ErrorCode } from '#kernel/http/errors.ts'
import type { PageContext } from '../pages/document.ts'
import { noSubscriptionPage, type ShownNotice, unsubscribePage } from '../pages/unsubscribe.ts'
import { languageFrom } from '../texts/language.ts'
import { pathSegment } from './path-segment.ts'

type Send = (request: FastifyRequest, reply: FastifyReply, render: (context: PageContext) => string) => FastifyReply
type ByToken = { Params: { token: string } }

const MAX_FORM_BYTES = 4096

export async function unsubscribePages(app: FastifyInstance, send: Send): Promise<void> {
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
    const answer = await asked(app, request, { token, ...(mail !== undefined && { mail }) })
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

type Asking = { token: string; mail?: boolean }
type Answer = { status: number; data: ShownNotice | null; code: ErrorCode; retryAfter: Record<string, string> }

/** With the visitor's address, by which requests are limited. */
async function asked(app: FastifyInstance, request: FastifyRequest, { token, mail }: Asking): Promise<Answer> {
  const response = await app.inject({
    method: mail === undefined ? 'GET' : 'PUT',
    url: `/api/v1/public/notices/${pathSegment(token)}`,
    remoteAddress: request.ip,
    headers: {
      'accept-language': languageFrom(request.headers['accept-language'], 'en'),
      host: request.headers.host ?? '',
      'x-request-id': request.id,
    },
    ...(mail !== undefined && { payload: { mail } }),
  })
  const { data, errors } = response.json()
  const retryAfter = response.headers['retry-after']
  const code = ERROR_CODES.find((one) => one === errors?.code) ?? 'INTERNAL_ERROR'
  // A token that cannot be one is a link that opens nothing, like all others.
  const isUnknown = code === 'VALIDATION_ERROR'
  return {
    status: isUnknown ? 404 : response.statusCode,
    data,
    code: isUnknown ? 'NOT_FOUND' : code,
    retryAfter: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  }
}

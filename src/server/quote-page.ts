// The page of a quote's public link. It is a client of the public API in the same process, which decides everything.
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import { ERROR_CODES, type ErrorCode } from '#kernel/http/errors.ts'
import type { PageContext } from '../pages/document.ts'
import { noQuotePage, type QuotePage, quotePage, type Refused, type ShownQuote } from '../pages/quote.ts'
import { textsIn } from '../texts/catalogue.ts'
import { type Language, languageFrom } from '../texts/language.ts'

type Send = (request: FastifyRequest, reply: FastifyReply, render: (context: PageContext) => string) => FastifyReply
type Options = { timeZone: string; send: Send }
type ByToken = { Params: { token: string } }
type Form = Record<string, string>

const MAX_FORM_BYTES = 64 * 1024

export async function quotePages(app: FastifyInstance, { timeZone, send }: Options): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const hidden = { schema: { hide: true } as object, exposeHeadRoute: false }
  const show = async (request: FastifyRequest<ByToken>, reply: FastifyReply, refused: Refused | null) => {
    const { token } = request.params
    const answer = await asked(app, request, { token })
    if (answer.data === null) {
      reply.code(answer.status).headers(answer.retryAfter)
      return send(request, reply, (context) => noQuotePage(context, answer.code))
    }
    const shown: QuotePage = { token, quote: answer.data, timeZone, refused }
    return send(request, reply, (context) => quotePage(context, shown))
  }
  app.get<ByToken>('/quotes/:token', hidden, (request, reply) => show(request, reply, null))
  app.post<ByToken & { Body: Form | null }>('/quotes/:token', hidden, async (request, reply) => {
    const { token } = request.params
    const given = request.body ?? {}
    const act = given['reject'] === undefined ? 'accept' : 'reject'
    const payload = act === 'accept' ? acceptanceOf(given) : rejectionOf(given)
    const answer = await asked(app, request, { token, act, payload })
    // Seen with GET, so that loading the page again sends nothing.
    if (answer.status === 200) return reply.redirect(`/quotes/${encodeURIComponent(token)}`, 303)
    reply.code(answer.status).headers(answer.retryAfter)
    return show(request, reply, { problem: problemOf(answer, languageOf(request)), given })
  })
}

/** Empty fields are left out, as if the form did not have them. */
const filled = (fields: Form): Form => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

const acceptanceOf = ({ name = '', email = '', purchase_order = '', consent, accept = '' }: Form): object => ({
  ...filled({ name, email, purchase_order, document_sha256: accept }),
  consent: consent === 'true',
})

const rejectionOf = ({ name = '', email = '', reason = '' }: Form): object => filled({ name, email, reason })

const languageOf = (request: FastifyRequest): Language => languageFrom(request.headers['accept-language'], 'en')

type Asking = { token: string; act?: 'accept' | 'reject'; payload?: object }
type Answer = {
  status: number
  data: ShownQuote | null
  code: ErrorCode
  fields: string[]
  retryAfter: Record<string, string>
}

/** With the visitor's address, by which requests are limited and acceptances are kept. */
async function asked(app: FastifyInstance, request: FastifyRequest, { token, act, payload }: Asking): Promise<Answer> {
  const path = `/api/v1/public/quotes/${encodeURIComponent(token)}`
  const response = await app.inject({
    method: act ? 'POST' : 'GET',
    url: act ? `${path}/${act}` : path,
    remoteAddress: request.ip,
    headers: { 'accept-language': languageOf(request), host: request.headers.host ?? '', 'x-request-id': request.id },
    ...(payload && { payload }),
  })
  const { data, errors } = response.json()
  const retryAfter = response.headers['retry-after']
  return {
    status: response.statusCode,
    data,
    code: ERROR_CODES.find((code) => code === errors?.code) ?? 'INTERNAL_ERROR',
    fields: Object.keys(errors?.fields ?? {}),
    retryAfter: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  }
}

function problemOf({ code, fields }: Answer, language: Language): string {
  const { errors, quote } = textsIn(language).pages
  const known: Record<string, string> = { ...errors.fields, consent: quote.noConsent }
  const [problem] = fields.flatMap((field) => known[field] ?? [])
  return code === 'VALIDATION_ERROR' && problem !== undefined ? problem : errors.codes[code]
}

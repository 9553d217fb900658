// The page of a quote's public link. It is a client of the public API in the same process, which decides everything.
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import { ERROR_CODES, type ErrorCode } from '#kernel/values/errors.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { PageContext } from '../../pages/document.ts'
import { noQuotePage, type QuotePage, quotePage, type RefusedForm, type ShownQuote } from '../../pages/quote.ts'
import { textsIn } from '../../texts/catalogue.ts'
import { type Language, languageFrom } from '../../texts/language.ts'
import { pathSegment } from '#http/server/path-segment.ts'

type Send = (request: FastifyRequest, reply: FastifyReply, render: (context: PageContext) => string) => FastifyReply
type Options = { entities: Record<Company, { timeZone: string }>; send: Send }
type ByToken = { Params: { token: string } }
type Form = Record<string, string>
/** `line_items`: what the form said of the lines. */
type Showing = { refused: RefusedForm | null; line_items?: object[] }

const MAX_FORM_BYTES = 64 * 1024

export async function quotePages(app: FastifyInstance, { entities, send }: Options): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const hidden = { schema: { hide: true } as object, exposeHeadRoute: false }
  /** A box that is not ticked is not sent, so the quote itself says which lines there are. */
  const choicesIn = async (request: FastifyRequest<ByToken>, given: Form): Promise<object[]> => {
    const { data } = await asked(app, request, { token: request.params.token, act: 'preview', payload: {} })
    return data?.can_accept ? choicesOf(data, given) : []
  }
  const show = async (request: FastifyRequest<ByToken>, reply: FastifyReply, { refused, line_items }: Showing) => {
    const { token } = request.params
    const chosen = line_items && (await asked(app, request, { token, act: 'preview', payload: { line_items } }))
    const answer = chosen?.data ? chosen : await asked(app, request, { token, ...(isAhead(request) && UNSEEN) })
    if (answer.data === null) {
      reply.code(answer.status).headers(answer.retryAfter)
      return send(request, reply, (context) => noQuotePage(context, answer.code))
    }
    const { timeZone } = entities[answer.data.company]
    const shown: QuotePage = { token, quote: answer.data, timeZone, refused }
    return send(request, reply, (context) => quotePage(context, shown))
  }
  app.get<ByToken>('/quotes/:token', hidden, (request, reply) => show(request, reply, { refused: null }))
  app.post<ByToken & { Body: Form | null }>('/quotes/:token', hidden, async (request, reply) => {
    const { token } = request.params
    const given = request.body ?? {}
    const line_items = await choicesIn(request, given)
    if (given['preview'] !== undefined) return show(request, reply, { refused: { problem: '', given }, line_items })
    const act = given['reject'] === undefined ? 'accept' : 'reject'
    const payload = act === 'accept' ? { ...acceptanceOf(given), line_items } : rejectionOf(given)
    const answer = await asked(app, request, { token, act, payload })
    // Seen with GET, so that loading the page again sends nothing.
    if (answer.status === 200) return reply.redirect(`/quotes/${pathSegment(token)}`, 303)
    reply.code(answer.status).headers(answer.retryAfter)
    return show(request, reply, { refused: { problem: problemOf(answer, languageOf(request)), given }, line_items })
  })
}

/** A preview counts as no view. */
const UNSEEN = { act: 'preview', payload: {} } as const

/**
 * Fetched before anybody wants to see it, by a browser or by what reads mails first: the standard header, and older
 * ones.
 */
const isAhead = ({ headers }: FastifyRequest): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => /\b(prefetch|preview)\b/i.test(String(headers[name])))

/** Empty fields are left out, as if the form did not have them. */
const filled = (fields: Form): Form => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

const acceptanceOf = ({ name = '', email = '', purchase_order = '', consent, accept = '' }: Form): object => ({
  ...filled({ name, email, purchase_order, document_sha256: accept }),
  consent: consent === 'true',
})

/** A number that is none is sent as it is, so that the API names it. */
const choicesOf = ({ line_items }: ShownQuote, given: Form): object[] =>
  line_items.flatMap(({ is_optional, quantity_min }, index) => [
    {
      index,
      ...(is_optional && { is_chosen: given[`chosen.${index}`] !== undefined }),
      ...(quantity_min !== null && { quantity: Number(given[`quantity.${index}`]) }),
    },
  ])

const rejectionOf = ({ name = '', email = '', reason = '' }: Form): object => filled({ name, email, reason })

const languageOf = (request: FastifyRequest): Language => languageFrom(request.headers['accept-language'], 'en')

type Asking = { token: string; act?: 'accept' | 'reject' | 'preview'; payload?: object }
type Answer = {
  status: number
  data: ShownQuote | null
  code: ErrorCode
  fields: string[]
  retryAfter: Record<string, string>
}

/** With the visitor's address, by which requests are limited and acceptances are kept. */
async function asked(app: FastifyInstance, request: FastifyRequest, { token, act, payload }: Asking): Promise<Answer> {
  const path = `/api/v1/public/quotes/${pathSegment(token)}`
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

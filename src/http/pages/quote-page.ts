// The page of a quote's public link. It is a client of the public API in the same process, which decides everything.
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import type { Company } from '#kernel/values/schema.ts'
import { noQuotePage, type QuotePage, quotePage, type RefusedForm, type ShownQuote } from '../../pages/quote.ts'
import { acceptanceOf, choicesOf, type Form, problemOf, rejectionOf } from '../../pages/quote-form.ts'
import { type Language, languageFrom } from '../../texts/language.ts'
import { askPublicApi, type SendPage } from '#http/openapi/public-api.ts'

type Options = { entities: Record<Company, { timeZone: string }>; send: SendPage }
type ByToken = { Params: { token: string } }
type Act = 'accept' | 'reject' | 'preview'
/** `line_items`: what the form said of the lines. */
type Showing = { refused: RefusedForm | null; line_items?: object[] }

export async function quotePages(app: FastifyInstance, { entities, send }: Options): Promise<void> {
  const hidden = { schema: { hide: true } as object, exposeHeadRoute: false, bodyLimit: 64 * 1024 }
  const ask = (request: FastifyRequest<ByToken>, act?: Act, payload?: object) => {
    const path = ['quotes', request.params.token, ...(act ? [act] : [])]
    return askPublicApi<ShownQuote>(app, request, { method: act ? 'POST' : 'GET', path, ...(payload && { payload }) })
  }
  /** A box that is not ticked is not sent, so the quote itself says which lines there are. */
  const choicesIn = async (request: FastifyRequest<ByToken>, given: Form): Promise<object[]> => {
    const { data } = await ask(request, 'preview', {})
    return data?.can_accept ? choicesOf(data, given) : []
  }
  const show = async (request: FastifyRequest<ByToken>, reply: FastifyReply, { refused, line_items }: Showing) => {
    const { token } = request.params
    const chosen = line_items && (await ask(request, 'preview', { line_items }))
    // A preview counts as no view.
    const answer = chosen?.data ? chosen : await (isAhead(request) ? ask(request, 'preview', {}) : ask(request))
    if (answer.data === null) {
      reply.code(answer.status).headers(answer.retryAfter)
      return send(request, reply, (context) => noQuotePage(context, answer.code))
    }
    const { company } = answer.data
    const shown: QuotePage = { token, quote: answer.data, timeZone: entities[company].timeZone, refused }
    return send(request, reply, (context) => quotePage(context, shown), company)
  }
  app.get<ByToken>('/quotes/:token', hidden, (request, reply) => show(request, reply, { refused: null }))
  app.post<ByToken & { Body: Form | null }>('/quotes/:token', hidden, async (request, reply) => {
    const given = request.body ?? {}
    const line_items = await choicesIn(request, given)
    if (given['preview'] !== undefined) return show(request, reply, { refused: { problem: '', given }, line_items })
    const act = given['reject'] === undefined ? 'accept' : 'reject'
    const payload = act === 'accept' ? { ...acceptanceOf(given), line_items } : rejectionOf(given)
    const answer = await ask(request, act, payload)
    // Seen with GET, so that loading the page again sends nothing.
    if (answer.status === 200) return reply.redirect(request.url, 303)
    reply.code(answer.status).headers(answer.retryAfter)
    return show(request, reply, { refused: { problem: problemOf(answer, languageOf(request)), given }, line_items })
  })
}

/**
 * Fetched before anybody wants to see it, by a browser or by what reads mails first: the standard header, and older
 * ones.
 */
const isAhead = ({ headers }: FastifyRequest): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => /\b(prefetch|preview)\b/i.test(String(headers[name])))

const languageOf = (request: FastifyRequest): Language => languageFrom(request.headers['accept-language'], 'en')

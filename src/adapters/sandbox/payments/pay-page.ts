// The sandbox's pay page: a form whose POST decides how the payment ends, once.
import type { Company } from './company.ts'
import { fields, header, isJson, type Answer, type Exchange } from './exchange.ts'
import { declined, invoiceOf, paid } from './invoice.ts'
import { PAY_PAGE_STYLE_HASH, invoicePage, missingPage, type Notice, pageState } from './pay-page-html.ts'
import type { InvoiceRecord, PaymentIntentRecord } from './records.ts'
import { beginSubscriptionOf } from './subscription.ts'
import { payPageLanguage } from './texts.ts'

type Outcome = 'paid' | 'failed'
type Decision = { record: InvoiceRecord; settled: boolean } | null

/** `GET` and `POST /sandbox/pay/<company>/<id>`. */
export async function answerPayPage(company: Company, exchange: Exchange, id: string): Promise<Answer> {
  if (exchange.method === 'GET' || exchange.method === 'HEAD')
    return page(company, exchange, { status: 200, record: await payable(company, id) })
  if (exchange.method !== 'POST') return page(company, exchange, { status: 405, record: null })
  const outcome = fields(exchange)?.get('outcome')
  if (outcome !== 'paid' && outcome !== 'failed')
    return page(company, exchange, { status: 422, record: await payable(company, id), notice: 'invalid' })
  const decision = await decide(company, id, outcome)
  if (!decision) return page(company, exchange, { status: 404, record: null })
  const { record } = decision
  if (!decision.settled) return page(company, exchange, { status: 409, record, notice: 'conflict' })
  if (isJson(exchange)) return page(company, exchange, { status: 200, record })
  // Relative, so that it works under any public address; a redirect, so that a reload does not pay again.
  return { status: 303, headers: { location: id, 'cache-control': 'no-store' }, body: '' }
}

/** The invoice; null for a draft, which has no page. */
async function payable(company: Company, id: string): Promise<InvoiceRecord | null> {
  const record = await (id.startsWith('pi_') ? invoiceOf(company, id) : company.store.read(id))
  return record?.kind === 'invoice' && record.object.status !== 'draft' ? record : null
}

/** The code that the page is of; null: it is the page of the invoice. */
async function codeOf(company: Company, id: string): Promise<PaymentIntentRecord | null> {
  const record = await company.store.read(id)
  return record?.kind === 'payment_intent' ? record : null
}

/** Stores the outcome with its event. A repeated outcome changes nothing, nor does any on a settled invoice. */
function decide(company: Company, id: string, outcome: Outcome): Promise<Decision> {
  return company.store.exclusively(async () => {
    const record = await payable(company, id)
    if (!record) return null
    const code = await codeOf(company, id)
    const { status } = record.object
    const isPaid = status === 'paid' && (code === null || code.object.status === 'succeeded')
    if (status !== 'open') return { record, settled: isPaid && outcome === 'paid' }
    if (outcome === 'failed' && record.is_declined) return { record, settled: true }
    if (code && (outcome === 'failed' || code.object.status !== 'requires_action')) return { record, settled: false }
    const decided =
      outcome === 'paid' ? paid(record, code?.object.payment_method_types[0], code?.object.id) : declined(record)
    await company.store.write(decided)
    if (code) await company.store.write({ ...code, object: { ...code.object, status: 'succeeded', next_action: null } })
    if (outcome === 'paid') await beginSubscriptionOf(company, decided.object)
    company.wake(decided)
    return { record: decided, settled: true }
  })
}

type Page = { status: number; record: InvoiceRecord | null; notice?: Notice }

async function page(company: Company, exchange: Exchange, { status, record, notice }: Page): Promise<Answer> {
  if (isJson(exchange) && exchange.method === 'POST') return jsonState(status, record, notice)
  const language = payPageLanguage(header(exchange, 'accept-language'))
  const customer = record && (await company.store.read(record.object.customer))
  const buyer = customer?.kind === 'customer' ? customer.object.name : null
  const body = record
    ? invoicePage(company, { language, buyer, record, notice: notice ?? null })
    : missingPage(language)
  return { status: record || status === 405 ? status : 404, headers: pageHeaders(language), body }
}

function jsonState(status: number, record: InvoiceRecord | null, notice: Notice | undefined): Answer {
  const state = record && { id: record.object.id, status: record.object.status, outcome: pageState(record) }
  const body = JSON.stringify(state ? { ...state, ...(notice ? { notice } : {}) } : { notice: 'missing' })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return { status: record || status === 405 ? status : 404, headers, body }
}

export function pageHeaders(language: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    vary: 'Accept-Language',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Not no-referrer: the form's own POST would then carry `Origin: null`.
    'referrer-policy': 'same-origin',
    'content-security-policy':
      `default-src 'none'; style-src '${PAY_PAGE_STYLE_HASH}'; form-action 'self'; base-uri 'none'; ` +
      `frame-ancestors 'none'`,
  }
}

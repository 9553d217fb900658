// The sandbox's pay page: a form whose POST decides how the payment ends, once.
import { startSubscriptionOf } from './subscription.ts'
import { withEvent, type Company } from './company.ts'
import { fields, header, isJson, type Answer, type Exchange } from './exchange.ts'
import { PAY_PAGE_STYLE_HASH, invoicePage, missingPage, type Notice } from './pay-page-html.ts'
import { paidRecord } from './payment.ts'
import type { Invoice, InvoiceRecord } from './records.ts'
import { payPageLanguage } from './texts.ts'

type Outcome = 'paid' | 'failed'
type Decision = { invoice: Invoice; settled: boolean } | null

/** `GET` and `POST /sandbox/pay/<company>/<id>`. */
export async function answerPayPage(company: Company, exchange: Exchange, id: string): Promise<Answer> {
  if (exchange.method === 'GET' || exchange.method === 'HEAD') {
    const record = await company.store.read(id)
    return page(company, exchange, { status: 200, invoice: record?.kind === 'invoice' ? record.object : null })
  }
  if (exchange.method !== 'POST') return page(company, exchange, { status: 405, invoice: null })
  const outcome = fields(exchange)?.get('outcome')
  if (outcome !== 'paid' && outcome !== 'failed') {
    const record = await company.store.read(id)
    const invoice = record?.kind === 'invoice' ? record.object : null
    return page(company, exchange, { status: 422, invoice, notice: 'invalid' })
  }
  const decision = await decide(company, id, outcome)
  if (!decision) return page(company, exchange, { status: 404, invoice: null })
  if (!decision.settled) return page(company, exchange, { status: 409, invoice: decision.invoice, notice: 'conflict' })
  if (isJson(exchange)) return page(company, exchange, { status: 200, invoice: decision.invoice })
  // Relative, so that it holds under any public address; a reload then asks, and pays nothing again.
  return { status: 303, headers: { location: id, 'cache-control': 'no-store' }, body: '' }
}

/** Stores the outcome with its event. The same outcome again changes nothing; neither does any on a settled invoice. */
function decide(company: Company, id: string, outcome: Outcome): Promise<Decision> {
  return company.store.exclusively(async () => {
    const record = await company.store.read(id)
    if (record?.kind !== 'invoice') return null
    const invoice = record.object
    if (invoice.status === 'void') return { invoice, settled: false }
    if (invoice.status === 'paid') return { invoice, settled: outcome === 'paid' }
    if (outcome === 'failed' && invoice.last_payment_error) return { invoice, settled: true }
    const decided = outcome === 'paid' ? paidRecord(record) : failed(record)
    await company.store.write(decided)
    if (outcome === 'paid') await startSubscriptionOf(company, decided.object)
    company.wake(decided)
    return { invoice: decided.object, settled: true }
  })
}

function failed(record: InvoiceRecord): InvoiceRecord {
  const object: Invoice = {
    ...record.object,
    attempt_count: record.object.attempt_count + 1,
    last_payment_error: { code: 'card_declined', message: 'Your card was declined.' },
  }
  return withEvent({ ...record, object }, 'invoice.payment_failed', object)
}

type Shown = { status: number; invoice: Invoice | null; notice?: Notice }

async function page(company: Company, exchange: Exchange, { status, invoice, notice }: Shown): Promise<Answer> {
  if (isJson(exchange) && exchange.method === 'POST') return jsonState(status, invoice, notice)
  const language = payPageLanguage(header(exchange, 'accept-language'))
  const customer = invoice && (await company.store.read(invoice.customer))
  const buyer = customer?.kind === 'customer' ? customer.object.name : null
  const body = invoice
    ? invoicePage({ language, seller: company.seller, buyer, invoice, notice: notice ?? null })
    : missingPage(language)
  return { status: invoice || status === 405 ? status : 404, headers: pageHeaders(language), body }
}

function jsonState(status: number, invoice: Invoice | null, notice: Notice | undefined): Answer {
  const state = invoice && {
    id: invoice.id,
    status: invoice.status,
    outcome: invoice.status === 'open' && invoice.last_payment_error ? 'failed' : invoice.status,
  }
  const body = JSON.stringify(state ? { ...state, ...(notice ? { notice } : {}) } : { notice: 'missing' })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return { status: invoice || status === 405 ? status : 404, headers, body }
}

function pageHeaders(language: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    vary: 'Accept-Language',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Not no-referrer: the form's own POST would then carry `Origin: null`.
    'referrer-policy': 'same-origin',
    'content-security-policy': `default-src 'none'; style-src '${PAY_PAGE_STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  }
}

// The page of the sandbox payment provider where a customer sees and replaces the card on file.
import { type ApiCall, invalid, required } from './api-call.ts'
import { knownCustomer } from './api-customers.ts'
import type { Company } from './company.ts'
import { type Answer, type Exchange, header } from './exchange.ts'
import { methodsPage, missingPage } from './pay-page-html.ts'
import { pageHeaders } from './pay-page.ts'
import { payPageLanguage } from './texts.ts'

const CARDS = ['4242', '4444', '0005'] as const

export function createPortalSession(company: Company, call: ApiCall): Promise<string> {
  return company.store.exclusively(async () => {
    const [customer, return_url] = [required(call, 'customer'), required(call, 'return_url')]
    if (!/^https?:/.test(return_url)) throw invalid('Invalid return_url.')
    if (required(call, 'flow_data[type]') !== 'payment_method_update') throw invalid('Not supported.')
    const record = await knownCustomer(company, customer)
    await company.store.write({ ...record, methods: { last4: record.methods?.last4 ?? CARDS[0], return_url } })
    return JSON.stringify({ object: 'billing_portal.session', customer, return_url, url: company.payUrl(customer) })
  })
}

/** `GET` and `POST /sandbox/pay/<company>/<customer>`: each POST replaces the card by the next one. */
export async function answerMethodsPage(company: Company, exchange: Exchange, id: string): Promise<Answer> {
  const language = payPageLanguage(header(exchange, 'accept-language'))
  if (exchange.method === 'POST') {
    await replaceCard(company, id)
    return { status: 303, headers: { location: id, 'cache-control': 'no-store' }, body: '' }
  }
  const record = await company.store.read(id)
  const headers = pageHeaders(language)
  if (record?.kind !== 'customer' || !record.methods) return { status: 404, headers, body: missingPage(language) }
  return { status: 200, headers, body: methodsPage(language, { name: record.object.name, ...record.methods }) }
}

const replaceCard = (company: Company, id: string): Promise<void> =>
  company.store.exclusively(async () => {
    const record = await company.store.read(id)
    if (record?.kind !== 'customer' || !record.methods) return
    const { last4, return_url } = record.methods
    const next = CARDS[(CARDS.findIndex((one) => one === last4) + 1) % CARDS.length] ?? CARDS[0]
    await company.store.write({ ...record, methods: { last4: next, return_url } })
  })

// The sandbox payment provider's API: the calls of Stripe's API that the Stripe adapter makes, and its own for what
// time and cards cause at Stripe.
import { isEqual } from '#kernel/keys/secrets.ts'
import { type ApiCall, ApiRefusal, readCall } from './api-call.ts'
import { attachPayment, cancelPaymentIntent, createPaymentIntent } from './api-codes.ts'
import { createCustomer, createTaxId, updateCustomer } from './api-customers.ts'
import {
  addLines,
  createInvoice,
  finalizeInvoice,
  listInvoices,
  readInvoice,
  updateInvoice,
  voidInvoice,
} from './api-invoices.ts'
import { closeDispute, disputePayment, readDispute } from './api-disputes.ts'
import { listInvoicePayments, readPaymentIntent } from './api-payments.ts'
import { createRefund, listRefunds, readRefund } from './api-refunds.ts'
import {
  cancelSubscription,
  createProduct,
  createSubscription,
  readSubscription,
  renewSubscription,
  updateSubscription,
} from './api-subscriptions.ts'
import { createPortalSession } from './methods-page.ts'
import type { Company } from './company.ts'
import { header, type Answer, type Exchange } from './exchange.ts'

type Endpoint = { method: string; path: RegExp; run: (company: Company, call: ApiCall, id: string) => Promise<string> }

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: /^\/v1\/customers()$/, run: createCustomer },
  { method: 'POST', path: /^\/v1\/customers\/(\w+)$/, run: updateCustomer },
  { method: 'POST', path: /^\/v1\/customers\/(\w+)\/tax_ids$/, run: createTaxId },
  { method: 'GET', path: /^\/v1\/invoices()$/, run: listInvoices },
  { method: 'POST', path: /^\/v1\/invoices()$/, run: createInvoice },
  { method: 'GET', path: /^\/v1\/invoices\/(\w+)$/, run: readInvoice },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)$/, run: updateInvoice },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)\/add_lines$/, run: addLines },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)\/finalize$/, run: finalizeInvoice },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)\/void$/, run: voidInvoice },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)\/attach_payment$/, run: attachPayment },
  { method: 'POST', path: /^\/v1\/payment_intents()$/, run: createPaymentIntent },
  { method: 'POST', path: /^\/v1\/billing_portal\/sessions()$/, run: createPortalSession },
  { method: 'POST', path: /^\/v1\/payment_intents\/(\w+)\/cancel$/, run: cancelPaymentIntent },
  { method: 'GET', path: /^\/v1\/payment_intents\/(\w+)$/, run: readPaymentIntent },
  { method: 'GET', path: /^\/v1\/invoice_payments()$/, run: listInvoicePayments },
  { method: 'GET', path: /^\/v1\/disputes\/(\w+)$/, run: readDispute },
  { method: 'GET', path: /^\/v1\/refunds()$/, run: listRefunds },
  { method: 'POST', path: /^\/v1\/refunds()$/, run: createRefund },
  { method: 'GET', path: /^\/v1\/refunds\/(\w+)$/, run: readRefund },
  { method: 'POST', path: /^\/v1\/products()$/, run: createProduct },
  { method: 'POST', path: /^\/v1\/subscriptions()$/, run: createSubscription },
  { method: 'GET', path: /^\/v1\/subscriptions\/(\w+)$/, run: readSubscription },
  { method: 'DELETE', path: /^\/v1\/subscriptions\/(\w+)$/, run: cancelSubscription },
  { method: 'POST', path: /^\/v1\/subscriptions\/(\w+)$/, run: updateSubscription },
  // The sandbox's own, for what time and payers cause at Stripe.
  { method: 'POST', path: /^\/v1\/subscriptions\/(\w+)\/renew$/, run: renewSubscription },
  { method: 'POST', path: /^\/v1\/payment_intents\/(\w+)\/dispute$/, run: disputePayment },
  { method: 'POST', path: /^\/v1\/disputes\/(\w+)\/close$/, run: closeDispute },
]

/** `path` is the part after `/sandbox/payments/<company>`, without its query. */
export async function answerApi(company: Company, exchange: Exchange, path: string): Promise<Answer> {
  try {
    if (!isAuthorized(company, header(exchange, 'authorization')))
      throw new ApiRefusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' })
    for (const { method, path: pattern, run } of ENDPOINTS) {
      const match = method === exchange.method ? pattern.exec(path) : null
      if (match) return json(200, await run(company, readCall(exchange, path), match[1] ?? ''))
    }
    const message = `Unrecognized request URL (${exchange.method}: ${path}).`
    throw new ApiRefusal(404, { type: 'invalid_request_error', message })
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    return json(error.status, JSON.stringify({ error: error.fault }))
  }
}

export function json(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }, body }
}

function isAuthorized(company: Company, authorization: string | null): boolean {
  return isEqual(authorization ?? '', `Bearer ${company.secretKey}`)
}

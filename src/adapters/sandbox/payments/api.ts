// The sandbox payment provider's API, after Stripe's: customers, invoices, refunds, subscriptions in form fields, answers in JSON.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Company } from './company.ts'
import { createInvoice, readInvoice, voidInvoice } from './api-invoices.ts'
import { createRefund, readRefund } from './api-refunds.ts'
import { createCustomer, readCustomer, updateCustomer } from './api-customers.ts'
import {
  cancelSubscription,
  createSubscription,
  driveSubscription,
  readSubscription,
  renewSubscription,
} from './api-subscriptions.ts'
import { ApiRefusal, type ApiCall } from './api-call.ts'
import { fields, header, type Answer, type Exchange } from './exchange.ts'

type Endpoint = { method: string; path: RegExp; run: (company: Company, call: ApiCall, id: string) => Promise<string> }

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: /^\/v1\/customers()$/, run: createCustomer },
  { method: 'GET', path: /^\/v1\/customers\/(\w+)$/, run: readCustomer },
  { method: 'POST', path: /^\/v1\/customers\/(\w+)$/, run: updateCustomer },
  { method: 'POST', path: /^\/v1\/invoices()$/, run: createInvoice },
  { method: 'GET', path: /^\/v1\/invoices\/(\w+)$/, run: readInvoice },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)\/void$/, run: voidInvoice },
  { method: 'POST', path: /^\/v1\/refunds()$/, run: createRefund },
  { method: 'GET', path: /^\/v1\/refunds\/(\w+)$/, run: readRefund },
  { method: 'POST', path: /^\/v1\/subscriptions()$/, run: createSubscription },
  { method: 'GET', path: /^\/v1\/subscriptions\/(\w+)$/, run: readSubscription },
  { method: 'DELETE', path: /^\/v1\/subscriptions\/(\w+)$/, run: cancelSubscription },
  // The sandbox's own, to drive it: what time and cards do at Stripe.
  { method: 'POST', path: /^\/v1\/subscriptions\/(\w+)$/, run: driveSubscription },
  { method: 'POST', path: /^\/v1\/subscriptions\/(\w+)\/renew$/, run: renewSubscription },
]

/** `path` is the part after `/sandbox/payments/<company>`. */
export async function answerApi(company: Company, exchange: Exchange, path: string): Promise<Answer> {
  try {
    if (!isAuthorized(company, header(exchange, 'authorization'))) {
      throw new ApiRefusal(401, 'invalid_request_error', 'Invalid API key provided.')
    }
    for (const { method, path: pattern, run } of ENDPOINTS) {
      const match = method === exchange.method ? pattern.exec(path) : null
      if (match) return json(200, await run(company, apiCall(exchange, path), match[1] ?? ''))
    }
    throw new ApiRefusal(404, 'invalid_request_error', `Unrecognized request URL (${exchange.method}: ${path}).`)
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    return json(error.status, JSON.stringify({ error: { type: error.type, message: error.message } }))
  }
}

export function json(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }, body }
}

function apiCall(exchange: Exchange, path: string): ApiCall {
  const given = fields(exchange)
  if (!given) throw new ApiRefusal(400, 'invalid_request_error', 'The request body is not readable.')
  const idempotencyKey = header(exchange, 'idempotency-key') ?? randomUUID()
  if (idempotencyKey.length > 255) {
    throw new ApiRefusal(400, 'idempotency_error', 'An idempotency key has at most 255 characters.')
  }
  const asked = [exchange.method, path, ...[...given].toSorted(([a], [b]) => (a < b ? -1 : 1)).flat()]
  return { fields: given, idempotencyKey, fingerprint: hash(JSON.stringify(asked)).toString('hex') }
}

function isAuthorized(company: Company, authorization: string | null): boolean {
  return timingSafeEqual(hash(authorization ?? ''), hash(`Bearer ${company.secretKey}`))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

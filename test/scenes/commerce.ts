// Quotes and payments for tests: the actions of staff, the customer and the payment provider.
import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { formatMoney } from '#kernel/values/money.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { TestApp } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

export const LICENSE_LINE = {
  product_name: 'Backup “Pro” 🚀',
  quantity: 5,
  unit_price: '30.00',
  entitlement_class: 'PLG',
  term_months: 12,
}

/** What only the lines of quotes have, of one that the customer has to take as it is. */
export const FIXED = {
  is_optional: false,
  is_chosen: true,
  quantity_min: null,
  quantity_max: null,
  discount_percent: null,
}

export const DRAFT = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items: [LICENSE_LINE] }

export async function draftQuote(at: Organization, more: object = {}): Promise<Answer['data']> {
  const answer = await at.staff.post('/quotes', { ...DRAFT, ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}

export async function sentQuote(at: Organization, more: object = {}): Promise<number> {
  const { id } = await draftQuote(at, more)
  expect((await at.staff.post(`/quotes/${id}/send`)).status).toBe(200)
  return id
}

/** A member with all scopes that a purchase needs. */
export const buyerOf = (at: Organization): Promise<Speaker> =>
  at.member({ scopes: ['quotes', 'finances', 'orders', 'licenses', 'entitlements', 'contracts'] })

/** An accepted quote with an open checkout at the sandbox. */
export async function acceptedQuote(
  app: TestApp,
  at: Organization,
  buyer: Speaker,
  more: object = {},
): Promise<Answer['data']> {
  const id = await sentQuote(at, more)
  expect((await buyer.post(`/quotes/${id}/accept`)).status).toBe(200)
  await app.service.worker.drain()
  return (await buyer.get(`/quotes/${id}/payment`)).data
}

/** Presses the button on the sandbox's pay page. */
export async function pressPay(checkoutUrl: string, outcome: 'paid' | 'failed' = 'paid'): Promise<number> {
  const body = new URLSearchParams({ outcome })
  const response = await fetch(checkoutUrl, { method: 'POST', body, redirect: 'manual' })
  await response.arrayBuffer()
  return response.status
}

/** Runs the jobs, and moves the clock, until the check holds. */
export async function eventually<Value>(
  app: TestApp,
  look: () => Promise<Value>,
  isThere: (value: Value) => boolean,
): Promise<Value> {
  const lookAfterWork = async () => {
    await app.service.worker.drain()
    app.clock.advance(1)
    return look()
  }
  return until(lookAfterWork, isThere, () => app.log.filter((line) => line.includes('"level":50')).join(''))
}

/** A signed event. The sandbox's provider gets the state that the event says, since the job will request it. */
export function signedEvent(app: TestApp, company: Company, event: object, at: Date = app.clock.now) {
  applyToProvider(app, company, event)
  const body = JSON.stringify(event)
  const time = Math.floor(at.getTime() / 1000)
  const { webhookSecret } = app.secrets.sandboxPayments[company]
  const signature = createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex')
  return { body, headers: { 'stripe-signature': `t=${time},v1=${signature}`, 'content-type': 'application/json' } }
}

type EventBody = {
  type?: string
  data?: { object?: { id?: string; status?: string; amount?: number; currency?: string } }
}

function applyToProvider(app: TestApp, company: Company, { type, data }: EventBody): void {
  const path = join(app.dataDir, 'sandbox', 'stripe', company, `${data?.object?.id}.json`)
  if (type?.startsWith('refund.')) return applyRefund(app, company, data?.object)
  if (type !== 'invoice.paid' || !existsSync(path)) return
  const record = JSON.parse(readFileSync(path, 'utf8'))
  const given = Object.entries(data?.object ?? {}).filter(([, value]) => value !== null)
  const { status_transitions } = record.object
  Object.assign(record.object, Object.fromEntries(given))
  record.object.status_transitions = { ...status_transitions, ...record.object.status_transitions }
  writeFileSync(path, JSON.stringify(record))
}

/** Gives the provider a refund with the state of the last event about it. */
function applyRefund(app: TestApp, company: Company, refund: NonNullable<EventBody['data']>['object']): void {
  const payments = app.service.ports.payments[company]
  if (!payments || refund?.id === undefined) return
  const { id: reference, amount = 0 } = refund
  const currency = (refund.currency ?? 'brl').toUpperCase()
  const ended = refund.status === 'succeeded' || refund.status === 'failed' ? refund.status : 'processing'
  const state = { reference, status: ended, amount: formatMoney(BigInt(amount), currency), currency } as const
  const look = payments.look.bind(payments)
  payments.look = async (resource, asked) =>
    resource === 'refund' && asked === reference ? { resource, ...state } : look(resource, asked)
}

let nextEvent = 1
/** All events about a payment have the same time of the payment. */
const PAID_AT = Math.floor(Date.now() / 1000)

/** `invoice.paid` for the checkout of a quote. */
export function paidEvent(reference: string, more: object = {}): object {
  return {
    id: `evt_test_${nextEvent++}`,
    object: 'event',
    type: 'invoice.paid',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: {
      object: {
        id: reference,
        object: 'invoice',
        status: 'paid',
        amount_paid: 15_000,
        currency: 'brl',
        customer: null,
        status_transitions: { paid_at: PAID_AT },
        ...more,
      },
    },
  }
}

/** `refund.updated` as the provider sends it. */
export function refundEvent(reference: string, { status, amount }: { status: string; amount: number }): object {
  const object = { id: reference, object: 'refund', status, amount, currency: 'brl' }
  const event = { object: 'event', type: 'refund.updated', created: Math.floor(Date.now() / 1000), livemode: false }
  return { id: `evt_test_${nextEvent++}`, ...event, data: { object } }
}

export async function deadLetters(app: TestApp): Promise<{ kind: string; last_error: string }[]> {
  return app.database.query('select kind, last_error from jobs where dead_at is not null order by id')
}

/** A sale as the customer and the tables have it. */
export const sightOf = (app: TestApp, buyer: Speaker) => ({
  /** Waits until the quote has the status. */
  quoteStatus: (id: number, status: string) =>
    eventually(
      app,
      async () => (await buyer.get(`/quotes/${id}`)).data,
      (quote) => quote.status === status,
    ),
  /** The provider's id of the invoice. */
  referenceOf: async (invoiceId: number): Promise<string> =>
    (await buyer.get(`/invoices/${invoiceId}`)).data.payment_invoice_id,
  entitlementsOf: (quoteId: number) =>
    app.database.query('select code from entitlements where quote_id = $1', [quoteId]),
})
export type Sight = ReturnType<typeof sightOf>

/** The credit balance of an organization at entity_br in BRL, which it then has no more, so that no later invoice uses it. */
export async function withdrawnCredit({ staff }: Pick<Organization, 'staff'>): Promise<string> {
  const { data } = await staff.get('/credit-balances')
  const amount = data.find((one: { company: string }) => one.company === 'entity_br')?.amount ?? '0.00'
  if (amount === '0.00') return amount
  const change = { company: 'entity_br', currency: 'BRL', kind: 'withdrawn', amount, reason: 'Sent back' }
  const answer = await staff.post('/credit-balances', change)
  if (answer.status !== 200) throw new Error(answer.raw.body)
  return amount
}

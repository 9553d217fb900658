// For tests: an account at a stand-in for Stripe. Objects, and what may be done to them, as Stripe's API answers (2026).
import { randomBytes } from 'node:crypto'
import type { Form } from './stripe.ts'

export type Customer = { id: string; object: 'customer'; name: string | null; email: string | null; metadata: Form }
export type Line = { id: string; object: 'line_item'; amount: number; description: string }
export type Payment = {
  status: string
  amount_paid: number
  payment: { type: 'payment_intent'; payment_intent: string }
}
export type Invoice = {
  id: string
  object: 'invoice'
  livemode: boolean
  created: number
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  currency: string
  total: number
  amount_paid: number
  customer: string
  collection_method: string
  hosted_invoice_url: string | null
  lines: { object: 'list'; data: Line[] }
  payment_settings: { payment_method_types: string[] | null }
  payments: { object: 'list'; data: Payment[] }
  status_transitions: { paid_at: number | null; finalized_at: number | null; voided_at: number | null }
  parent: { type: string; subscription_details: { subscription: string } } | null
  metadata: Form
}
export type Refund = {
  id: string
  object: 'refund'
  status: string
  amount: number
  currency: string
  payment_intent: string
  metadata: Form
}
export type Subscription = {
  id: string
  object: 'subscription'
  status: string
  customer: string
  latest_invoice: string
  currency: string
  items: { data: { price: { unit_amount: number; recurring: { interval: string } } }[] }
  metadata: Form
}
type Intent = { id: string; object: 'payment_intent'; amount: number; currency: string; charge: string; method: string }

export type Account = ReturnType<typeof openAccount>

// oxlint-disable-next-line max-classes-per-file
export class Refusal extends Error {
  readonly status: number
  readonly fault: object
  constructor(status: number, fault: { type: string; code?: string; message: string }) {
    super(fault.message)
    this.status = status
    this.fault = fault
  }
}

export const refusal = (message: string, code?: string): Refusal =>
  new Refusal(400, { type: 'invalid_request_error', message, ...(code === undefined ? {} : { code }) })
export const missing = (what: string, id: string): Refusal =>
  new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}: '${id}'` })

export const newId = (prefix: string): string => `${prefix}_${randomBytes(9).toString('hex')}`
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)

export function openAccount({ url, livemode }: { url: () => string; livemode: boolean }) {
  const customers = new Map<string, Customer>()
  const taxIds: { customer: string; type: string; value: string }[] = []
  const invoices = new Map<string, Invoice>()
  const refunds = new Map<string, Refund>()
  const intents = new Map<string, Intent>()
  const subscriptions = new Map<string, Subscription>()
  /** What the account adds to each invoice of its own, such as a tax rate. */
  const quirks = { addedTax: 0 }

  function newInvoice(customer: string, currency: string, more: Partial<Invoice> = {}): Invoice {
    const invoice: Invoice = {
      id: newId('in'),
      object: 'invoice',
      livemode,
      created: nowInSeconds(),
      status: 'draft',
      currency,
      total: 0,
      amount_paid: 0,
      customer,
      collection_method: 'send_invoice',
      hosted_invoice_url: null,
      lines: { object: 'list', data: [] },
      payment_settings: { payment_method_types: null },
      payments: { object: 'list', data: [] },
      status_transitions: { paid_at: null, finalized_at: null, voided_at: null },
      parent: null,
      metadata: {},
      ...more,
    }
    invoices.set(invoice.id, invoice)
    return invoice
  }
  function addLine(invoice: Invoice, amount: number, description: string): void {
    invoice.lines.data.push({ id: newId('il'), object: 'line_item', amount, description })
    invoice.total = invoice.lines.data.reduce((sum, line) => sum + line.amount, 0) + quirks.addedTax
  }
  function finalize(invoice: Invoice): void {
    if (invoice.status !== 'draft') throw refusal('This invoice is already finalized', 'invoice_not_editable')
    invoice.status = 'open'
    invoice.hosted_invoice_url = `${url()}/i/${invoice.id}`
    invoice.status_transitions.finalized_at = nowInSeconds()
  }
  function pay(reference: string, method = 'card'): Invoice {
    const invoice = known(invoices, 'invoice', reference)
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw refusal('This invoice is not open')
    const { total: amount, currency } = invoice
    const intent: Intent = {
      id: newId('pi'),
      object: 'payment_intent',
      amount,
      currency,
      charge: newId('ch'),
      method,
    }
    intents.set(intent.id, intent)
    invoice.status = 'paid'
    invoice.amount_paid = amount
    invoice.status_transitions.paid_at = nowInSeconds()
    const payment = { type: 'payment_intent' as const, payment_intent: intent.id }
    invoice.payments.data.push({ status: 'paid', amount_paid: amount, payment })
    const maker = subscriptions.get(invoice.parent?.subscription_details.subscription ?? '')
    if (maker?.status === 'incomplete') maker.status = 'active'
    return invoice
  }
  return {
    customers,
    taxIds,
    invoices,
    refunds,
    intents,
    subscriptions,
    quirks,
    newInvoice,
    addLine,
    finalize,
    pay,
    /** The next interval's invoice, paid by the saved card. */
    renew(reference: string): Invoice {
      const { customer, currency, items } = known(subscriptions, 'subscription', reference)
      const invoice = newInvoice(customer, currency, {
        parent: { type: 'subscription_details', subscription_details: { subscription: reference } },
      })
      addLine(invoice, items.data[0]?.price.unit_amount ?? 0, 'Renewal')
      finalize(invoice)
      return pay(invoice.id)
    },
  }
}

export function known<One>(all: ReadonlyMap<string, One>, what: string, id: string): One {
  const found = all.get(id)
  if (!found) throw missing(what, id)
  return found
}

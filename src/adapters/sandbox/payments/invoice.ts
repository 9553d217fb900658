// The states of an invoice at the sandbox payment provider: drafted, finalized, paid or declined.
import { type Company, nowInSeconds, withEvent } from './company.ts'
import type { Invoice, InvoiceLine, InvoiceRecord } from './records.ts'

export type NewInvoice = Pick<Invoice, 'id' | 'customer' | 'currency'> & Partial<Invoice>

export const draftInvoice = (given: NewInvoice): Invoice => ({
  object: 'invoice',
  livemode: false,
  created: nowInSeconds(),
  status: 'draft',
  number: null,
  collection_method: 'send_invoice',
  custom_fields: null,
  total: 0,
  amount_due: 0,
  amount_paid: 0,
  amount_remaining: 0,
  attempt_count: 0,
  hosted_invoice_url: null,
  lines: { object: 'list', data: [] },
  metadata: {},
  parent: null,
  payment_settings: { payment_method_types: null },
  payments: { object: 'list', data: [] },
  status_transitions: { finalized_at: null, paid_at: null, voided_at: null, marked_uncollectible_at: null },
  ...given,
})

export const recordOf = (object: Invoice): InvoiceRecord => ({
  kind: 'invoice',
  object,
  method: null,
  is_declined: false,
  refunds: {},
  answers: {},
  deliveries: [],
})

export function withLines(invoice: Invoice, data: InvoiceLine[]): Invoice {
  const total = data.reduce((sum, { amount }) => sum + amount, 0)
  return { ...invoice, lines: { object: 'list', data }, total, amount_due: total, amount_remaining: total }
}

export const finalized = (invoice: Invoice, url: string): Invoice => ({
  ...invoice,
  status: 'open',
  number: invoice.id.slice(-8).toUpperCase(),
  hosted_invoice_url: url,
  status_transitions: { ...invoice.status_transitions, finalized_at: nowInSeconds() },
})

/** `intent`: of the code that was paid; by default that of the page. */
export function paid(record: InvoiceRecord, method = 'card', intent?: string): InvoiceRecord {
  const { id, total, attempt_count, status_transitions, payments } = record.object
  const payment = { type: 'payment_intent' as const, payment_intent: intent ?? paymentIntentOf(id) }
  const object: Invoice = {
    ...record.object,
    status: 'paid',
    amount_paid: total,
    amount_remaining: 0,
    attempt_count: attempt_count + 1,
    payments: {
      object: 'list',
      data:
        total === 0
          ? []
          : [
              { object: 'invoice_payment', status: 'paid', amount_paid: total, payment },
              // Codes that nobody has paid stay open until they are cancelled.
              ...payments.data.filter((one) => one.payment.payment_intent !== intent),
            ],
    },
    status_transitions: { ...status_transitions, paid_at: nowInSeconds() },
  }
  return withEvent({ ...record, object, method, is_declined: false }, 'invoice.paid', object)
}

export function declined(record: InvoiceRecord): InvoiceRecord {
  const object: Invoice = { ...record.object, attempt_count: record.object.attempt_count + 1 }
  return withEvent({ ...record, object, is_declined: true }, 'invoice.payment_failed', object)
}

/** As Stripe does in a pause of the subscription. */
export function voided(record: InvoiceRecord): InvoiceRecord {
  const status_transitions = { ...record.object.status_transitions, voided_at: nowInSeconds() }
  const object: Invoice = { ...record.object, status: 'void', status_transitions }
  return withEvent({ ...record, object }, 'invoice.voided', object)
}

/** The payment of an invoice's page has the invoice's id with another prefix. */
const paymentIntentOf = (invoiceId: string): string => invoiceId.replace(/^in_/, 'pi_')
const pageInvoiceOf = (paymentIntentId: string): string => paymentIntentId.replace(/^pi_/, 'in_')

/** The invoice that a payment intent pays. */
export async function invoiceOf(company: Company, paymentIntentId: string): Promise<InvoiceRecord | null> {
  const intent = await company.store.read(paymentIntentId)
  const id = intent?.kind === 'payment_intent' ? intent.invoice : pageInvoiceOf(paymentIntentId)
  const record = id === null ? null : await company.store.read(id)
  return record?.kind === 'invoice' ? record : null
}

/** The payment intent that has paid it. */
export const paidBy = ({ object: { id, payments } }: InvoiceRecord): string =>
  payments.data.find(({ status }) => status === 'paid')?.payment.payment_intent ?? paymentIntentOf(id)

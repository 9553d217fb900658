// A payment at the sandbox payment provider: the invoice as it is afterwards, with the event that tells of it.
import { paymentIntentOf } from './api-refunds.ts'
import { nowInSeconds, withEvent } from './company.ts'
import type { Invoice, InvoiceRecord } from './records.ts'

export function paidRecord(record: InvoiceRecord): InvoiceRecord {
  const { id, total, attempt_count, status_transitions } = record.object
  const payment = { type: 'payment_intent' as const, payment_intent: paymentIntentOf(id) }
  const object: Invoice = {
    ...record.object,
    status: 'paid',
    amount_paid: total,
    amount_remaining: 0,
    attempt_count: attempt_count + 1,
    last_payment_error: null,
    payments: { object: 'list', data: [{ object: 'invoice_payment', status: 'paid', amount_paid: total, payment }] },
    status_transitions: { ...status_transitions, paid_at: nowInSeconds() },
  }
  return withEvent({ ...record, object }, 'invoice.paid', object)
}

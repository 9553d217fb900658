// Payments at the sandbox payment provider: those of pages and codes that were paid, and the codes that are open.
import { type ApiCall, isExpanded, listOf, missing } from './api-call.ts'
import type { Company } from './company.ts'
import { invoiceOf } from './invoice.ts'
import type { InvoiceRecord } from './records.ts'

export async function readPaymentIntent(company: Company, call: ApiCall, id: string): Promise<string> {
  const { object, method } = await paidInvoice(company, id)
  const charge = { id: id.replace(/^pi_/, 'ch_'), object: 'charge', payment_method_details: { type: method } }
  const latest_charge = isExpanded(call, 'latest_charge') ? charge : charge.id
  const { amount_paid: amount, currency } = object
  return JSON.stringify({ id, object: 'payment_intent', status: 'succeeded', amount, currency, latest_charge })
}

/** Of one payment, or of an invoice; by status. */
export async function listInvoicePayments(company: Company, call: ApiCall): Promise<string> {
  const [invoice, intent, status] = ['invoice', 'payment[payment_intent]', 'status'].map((name) => call.query.get(name))
  const record = intent ? await invoiceOf(company, intent) : await company.store.read(invoice ?? '')
  if (record?.kind !== 'invoice') return listOf(call, [])
  const found = record.object.payments.data.filter(
    (one) => (!status || one.status === status) && (!intent || one.payment.payment_intent === intent),
  )
  return listOf(
    call,
    found.map((one) => ({ is_default: true, ...one, invoice: record.object.id })),
  )
}

export async function paidInvoice(company: Company, paymentIntent: string): Promise<InvoiceRecord> {
  const record = await invoiceOf(company, paymentIntent)
  const isPaid = record?.object.payments.data.some(
    ({ status, payment }) => status === 'paid' && payment.payment_intent === paymentIntent,
  )
  if (!record || !isPaid) throw missing('payment_intent', paymentIntent)
  return record
}

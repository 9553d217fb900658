// Payments at the sandbox payment provider, one for each paid invoice.
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

/** Of one payment: the invoice that it has paid. */
export async function listInvoicePayments(company: Company, call: ApiCall): Promise<string> {
  const intent = call.query.get('payment[payment_intent]') ?? ''
  const record = await company.store.read(invoiceOf(intent))
  const paid = record?.kind === 'invoice' ? record.object.payments.data : []
  return listOf(
    call,
    paid.map((payment) => ({ ...payment, invoice: invoiceOf(intent) })),
  )
}

export async function paidInvoice(company: Company, paymentIntent: string): Promise<InvoiceRecord> {
  const record = await company.store.read(invoiceOf(paymentIntent))
  if (record?.kind !== 'invoice' || record.object.status !== 'paid') throw missing('payment_intent', paymentIntent)
  return record
}

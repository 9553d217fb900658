// Refunds at the sandbox payment provider: pending at first, confirmed by themselves after a moment.
import { type ApiCall, createdOnce, invalid, metadata, missing, required, wholeNumber, withAnswer } from './api-call.ts'
import { nowInSeconds, type Company } from './company.ts'
import type { InvoiceRecord, Refund, RefundRecord } from './records.ts'

export function createRefund(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, 're', call, async (id) => {
    const invoice = await paidInvoice(company, required(call, 'payment_intent'))
    const amount = wholeNumber(call, 'amount', 1)
    const others = Object.entries(invoice.refunds).filter(([other]) => other !== id)
    const left = invoice.object.amount_paid - others.reduce((total, [, refunded]) => total + refunded, 0)
    if (amount > left) throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`)
    // The reservation first: a kill between the two files leaves too little to refund until the same key comes again,
    // never too much.
    const record = newRefund(company, call, { id, amount, invoice })
    await company.store.write({ ...invoice, refunds: { ...invoice.refunds, [id]: amount } })
    const { answers, body } = withAnswer({}, call, record.object)
    const answered = { ...record, answers }
    await company.store.write(answered)
    company.wake(answered)
    return body
  })
}

export async function readRefund(company: Company, _call: ApiCall, id: string): Promise<string> {
  const record = await company.store.read(id)
  if (record?.kind !== 'refund') throw missing('refund', id)
  return JSON.stringify(record.object)
}

/** Each invoice has one payment, whose id differs from the invoice's by the prefix. */
export function paymentIntentOf(invoiceId: string): string {
  return invoiceId.replace(/^in_/, 'pi_')
}

async function paidInvoice(company: Company, paymentIntent: string): Promise<InvoiceRecord> {
  const record = await company.store.read(paymentIntent.replace(/^pi_/, 'in_'))
  if (record?.kind !== 'invoice' || record.object.status !== 'paid') throw missing('payment_intent', paymentIntent)
  return record
}

type NewRefund = { id: string; amount: number; invoice: InvoiceRecord }

function newRefund(company: Company, call: ApiCall, { id, amount, invoice }: NewRefund): RefundRecord {
  const object: Refund = {
    id,
    object: 'refund',
    created: nowInSeconds(),
    status: 'pending',
    amount,
    currency: invoice.object.currency,
    payment_intent: paymentIntentOf(invoice.object.id),
    metadata: metadata(call),
  }
  return { kind: 'refund', object, confirms_at: Date.now() + company.timing.refundDelayMs, answers: {}, deliveries: [] }
}

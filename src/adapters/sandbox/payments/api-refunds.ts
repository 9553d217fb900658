// Refunds at the sandbox payment provider: pending at first, confirmed after a moment.
import {
  type ApiCall,
  createdOnce,
  invalid,
  listOf,
  metadata,
  missing,
  required,
  wholeNumber,
  withAnswer,
} from './api-call.ts'
import { paidInvoice } from './api-payments.ts'
import { type Company, nowInSeconds } from './company.ts'
import { paidBy } from './invoice.ts'
import type { InvoiceRecord, PaymentRecord, Refund, RefundRecord } from './records.ts'

export function createRefund(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, { prefix: 're', call }, async (id) => {
    const invoice = await paidInvoice(company, required(call, 'payment_intent'))
    const amount = wholeNumber(call, 'amount', 1)
    const left = invoice.object.amount_paid - (await refundedOf(company, invoice, id))
    if (amount > left) throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`)
    // The reservation is written first: a kill between the two files leaves too little to refund until the same key is
    // sent again, never too much.
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

/** The refunds of a payment. */
export async function listRefunds(company: Company, call: ApiCall): Promise<string> {
  const invoice = await paidInvoice(company, call.query.get('payment_intent') ?? '')
  const records = await Promise.all(Object.keys(invoice.refunds).map((id) => company.store.read(id)))
  return listOf(
    call,
    records.flatMap((record) => (record?.kind === 'refund' ? [record.object] : [])),
  )
}

/** The sum of the invoice's other refunds and its disputes, including reservations whose file was never written. */
async function refundedOf(company: Company, { refunds }: InvoiceRecord, except: string): Promise<number> {
  const others = Object.entries(refunds).filter(([id]) => id !== except)
  const amounts = await Promise.all(
    others.map(async ([id, amount]) => {
      const record = await company.store.read(id)
      return isGivenUp(record) ? 0 : amount
    }),
  )
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

const isGivenUp = (record: PaymentRecord | null): boolean =>
  record?.kind === 'refund'
    ? ['failed', 'canceled'].includes(record.object.status)
    : record?.kind === 'dispute' && record.object.status === 'won'

type NewRefund = { id: string; amount: number; invoice: InvoiceRecord }

function newRefund(company: Company, call: ApiCall, { id, amount, invoice }: NewRefund): RefundRecord {
  const object: Refund = {
    id,
    object: 'refund',
    created: nowInSeconds(),
    status: 'pending',
    amount,
    currency: invoice.object.currency,
    payment_intent: paidBy(invoice),
    metadata: metadata(call),
  }
  return { kind: 'refund', object, confirms_at: Date.now() + company.timing.refundDelayMs, answers: {}, deliveries: [] }
}

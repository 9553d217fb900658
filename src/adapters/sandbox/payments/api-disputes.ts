// Disputes at the sandbox payment provider: read as at Stripe, opened and closed by calls of the sandbox's own.
import { type ApiCall, createdOnce, invalid, missing, text, wholeNumber } from './api-call.ts'
import { paidInvoice } from './api-payments.ts'
import type { Company } from './company.ts'
import { closed, opened } from './dispute.ts'
import type { DisputeRecord } from './records.ts'

export async function readDispute(company: Company, _call: ApiCall, id: string): Promise<string> {
  return JSON.stringify((await known(company, id)).object)
}

/** As the payer's bank: of `amount`, or of all that was paid. */
export function disputePayment(company: Company, call: ApiCall, intent: string): Promise<string> {
  return createdOnce(company, { prefix: 'du', call }, async (id) => {
    const paid = await paidInvoice(company, intent)
    const amount = text(call, 'amount') === null ? paid.object.amount_paid : wholeNumber(call, 'amount', 1)
    if (amount > paid.object.amount_paid) throw invalid('More than was paid.')
    const { invoice, dispute } = opened(paid, { id, amount })
    await company.store.write(invoice)
    await company.store.write(dispute)
    company.wake(dispute)
    return JSON.stringify(dispute.object)
  })
}

/** As the payer's bank, which decides: `status` is `won` or `lost`. */
export function closeDispute(company: Company, call: ApiCall, id: string): Promise<string> {
  const status = text(call, 'status') ?? 'lost'
  if (status !== 'won' && status !== 'lost') throw invalid('Invalid status.')
  return company.store.exclusively(async () => {
    const record = await known(company, id)
    if (record.object.status === 'won' || record.object.status === 'lost') throw invalid('This dispute is closed.')
    const decided = closed(record, status)
    await company.store.write(decided)
    company.wake(decided)
    return JSON.stringify(decided.object)
  })
}

async function known(company: Company, id: string): Promise<DisputeRecord> {
  const record = await company.store.read(id)
  if (record?.kind !== 'dispute') throw missing('dispute', id)
  return record
}

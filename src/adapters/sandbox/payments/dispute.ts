// A dispute at the sandbox payment provider: opened by the payer's bank, which takes the amount at once, and decided
// later.
import { nowInSeconds, withEvent } from './company.ts'
import { paidBy } from './invoice.ts'
import type { Dispute, DisputeRecord, InvoiceRecord } from './records.ts'

const ANSWER_SECONDS = 7 * 24 * 3600

const moved = (amount: number) => ({ object: 'balance_transaction' as const, amount })

/** The invoice with the amount reserved, and the dispute. */
export function opened(invoice: InvoiceRecord, { id, amount }: { id: string; amount: number }) {
  const object: Dispute = {
    id,
    object: 'dispute',
    livemode: false,
    created: nowInSeconds(),
    status: 'needs_response',
    amount,
    currency: invoice.object.currency,
    reason: 'fraudulent',
    payment_intent: paidBy(invoice),
    evidence_details: { due_by: nowInSeconds() + ANSWER_SECONDS },
    balance_transactions: [moved(-amount)],
  }
  const record: DisputeRecord = { kind: 'dispute', object, answers: {}, deliveries: [] }
  const announced = withEvent(record, 'charge.dispute.created', object)
  return {
    invoice: { ...invoice, refunds: { ...invoice.refunds, [id]: amount } },
    dispute: withEvent(announced, 'charge.dispute.funds_withdrawn', object),
  }
}

export function closed(record: DisputeRecord, status: 'won' | 'lost'): DisputeRecord {
  const { amount, balance_transactions: before } = record.object
  const balance_transactions = status === 'won' ? [...before, moved(amount)] : before
  const object: Dispute = { ...record.object, status, balance_transactions }
  const decided = withEvent({ ...record, object }, 'charge.dispute.closed', object)
  return status === 'won' ? withEvent(decided, 'charge.dispute.funds_reinstated', object) : decided
}

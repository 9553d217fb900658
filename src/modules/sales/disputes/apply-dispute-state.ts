// Applies the state of a dispute at the payment provider. A lost one is refunded here as well, since the money is gone.
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { payments } from '#modules/sales/payments/payment-records.ts'
import { rememberReference } from '#modules/sales/payments/payment-references.ts'
import { insert, move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { enqueue, PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { PaymentState } from '#ports/payments.ts'
import { type Dispute, disputeMoves, disputesTable } from './dispute.ts'
import { reportDispute } from './dispute-jobs.ts'
import { disputes } from './queries.ts'
import { reverseLost } from './reverse-lost.ts'

export type DisputeState = Omit<Extract<PaymentState, { resource: 'dispute' }>, 'resource'> & {
  company: Company
  provider: string
}

/** The same state again changes nothing. */
export async function applyDisputeState(
  ctx: OrganizationContext,
  invoiceId: number,
  state: DisputeState,
): Promise<void> {
  // Locks it: disputes and refunds of one invoice follow each other.
  const invoice = await invoices.forChange(ctx, invoiceId)
  if (invoice.currency !== state.currency)
    throw new PermanentFailure(
      `invoice ${invoice.number} is in ${invoice.currency}, but the dispute ${state.reference} is of ` +
        `${state.amount} ${state.currency}`,
    )
  const dispute = (await known(ctx, state)) ?? (await record(ctx, invoiceId, state))
  if (state.status === 'won' && dispute.status === 'lost') throw wonAfterwards(dispute)
  const act = state.status === 'won' ? disputeMoves.win : disputeMoves.lose
  const isDecided = state.status !== 'open' && allows(act, dispute.status)
  if (isDecided) await move(ctx, disputesTable, dispute.id, act, { settled_at: ctx.now.toISOString() })
  await noteOnInvoice(ctx, invoiceId)
  if (isDecided && state.status === 'lost') await reverseLost(ctx, invoiceId)
}

/** The stored dispute with what has changed of it. What was lost stays of the same amount. */
async function known(ctx: OrganizationContext, state: DisputeState): Promise<Dispute | null> {
  const found = await disputes.at(ctx, state)
  if (!found) return null
  const { reason, isWithdrawn: is_withdrawn, answerBy: answer_by } = state
  const amount = found.status === 'lost' ? found.amount : state.amount
  const isSame =
    found.amount === amount &&
    found.reason === reason &&
    found.is_withdrawn === is_withdrawn &&
    timeOf(found.answer_by) === timeOf(answer_by)
  return isSame ? found : update(ctx, disputesTable, found.id, { amount, reason, is_withdrawn, answer_by })
}

const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))

async function record(ctx: OrganizationContext, invoice_id: number, state: DisputeState): Promise<Dispute> {
  const { company, provider, reference, amount, currency, reason } = state
  const at = { company, provider, reference }
  const paid = state.invoice === null ? [] : await payments.reported(ctx, { ...at, reference: state.invoice })
  const payment_id = paid.at(-1)?.id ?? null
  const values = { invoice_id, payment_id, ...at, amount, currency, reason, status: 'open' as const }
  const deadline = { answer_by: state.answerBy, is_withdrawn: state.isWithdrawn }
  const dispute = await insert(ctx, disputesTable, { ...values, ...deadline })
  const isOurs = await rememberReference(ctx, at, { resource: 'dispute', resource_id: dispute.id })
  if (!isOurs) throw new PermanentFailure(`the dispute ${reference} belongs to another organization`)
  if (state.status === 'open') await enqueue(ctx, reportDispute, { dispute_id: dispute.id })
  return dispute
}

async function noteOnInvoice(ctx: OrganizationContext, id: number): Promise<void> {
  const dispute_status = await disputes.statusOf(ctx, id)
  const invoice = await invoices.forChange(ctx, id)
  if (invoice.dispute_status !== dispute_status)
    await update(ctx, invoicesTable, id, { dispute_status }, invoicesTable.events.disputed)
}

const wonAfterwards = ({ reference, amount, currency }: Dispute): PermanentFailure =>
  new PermanentFailure(
    `the dispute ${reference} was lost and refunded, but the provider says now that it was won: ` +
      `${amount} ${currency} came back that the customer does not owe any more`,
  )

// Cancels the tax invoices of an invoice that was voided, or refunded with that wish: at once those that the authority
// cannot have, the issued ones there. Runs again until none is in force; when nothing more can be done without staff,
// it becomes a dead letter that says why.
import { dayIn } from '#kernel/values/time/calendar.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { type CancelReason, startCancelling } from './cancel-tax-invoice.ts'
import { taxInvoices } from './queries.ts'
import { isUnknownThere, type TaxInvoiceRow } from './tax-invoice.ts'

type Cause = { of: string; why: CancelReason }
/** The reasons are in Portuguese like all that the authority gets. */
const VOIDED: Cause = {
  of: 'voided',
  why: { cancel_reason_code: '9', cancel_reason: 'A fatura foi anulada antes do pagamento.' },
}
const REFUNDED: Cause = {
  of: 'refunded',
  why: { cancel_reason_code: '9', cancel_reason: 'O pagamento da fatura foi devolvido.' },
}
const AGAIN_SECONDS = 300

export const cancelVoided = eventJobKind('tax-invoices/cancel-voided')

export const cancelRefunded = jobKind('tax-invoices/cancel-refunded', { invoice_id: Id })

// Without a key when they run again: a job that waits would hold up all others with the same one.
export const cancelVoidedJob = organizationJob(cancelVoided, {
  run: async (ctx, { payload }) => {
    const isUnderWay = await cancelAll(ctx, payload.resource_id, VOIDED)
    if (isUnderWay) await enqueue(ctx, cancelVoided, payload, { afterSeconds: AGAIN_SECONDS })
  },
})
export const cancelRefundedJob = organizationJob(cancelRefunded, {
  run: async (ctx, { payload }) => {
    const isUnderWay = await cancelAll(ctx, payload.invoice_id, REFUNDED)
    if (isUnderWay) await enqueue(ctx, cancelRefunded, payload, { afterSeconds: AGAIN_SECONDS })
  },
})

export const cancelRefundedLater = (ctx: OrganizationContext, invoice_id: number): Promise<void> =>
  enqueue(ctx, cancelRefunded, { invoice_id })

/** Whether to look again: false when none is in force any more. */
async function cancelAll(ctx: OrganizationContext, invoiceId: number, cause: Cause): Promise<boolean> {
  const inForce = await taxInvoices.inForceOf(ctx, invoiceId)
  if (inForce.length === 0) return false
  const today = dayIn(ctx.now, zoneOf(ctx, 'entity_br'))
  let isMoving = false
  for (const row of inForce) if (await advance(ctx, row, { today, cause })) isMoving = true
  if (!isMoving) throw new PermanentFailure(inForce.map((row) => obstacleOf(row, { today, cause })).join('; '))
  return true
}

type Case = { today: string; cause: Cause }

/** Whether its cancellation was begun or is under way, or an answer about it is awaited. */
async function advance(ctx: OrganizationContext, row: TaxInvoiceRow, { today, cause }: Case): Promise<boolean> {
  if (row.substatus === 'cancelling') return true
  if (!isUnknownThere(row)) {
    if (row.status !== 'issued') return row.status === 'pending'
    if (isTooLate(row, today) || isRefused(row, cause) || (await taxInvoices.successorOf(ctx, row.id))) return false
  }
  await startCancelling(ctx, row, cause.why)
  return true
}

const isTooLate = ({ cancel_until }: TaxInvoiceRow, today: string): boolean =>
  cancel_until !== null && cancel_until < today

/** For this reason: it may have been refused for another one before. */
const isRefused = ({ substatus, cancel_reason }: TaxInvoiceRow, { why }: Cause): boolean =>
  substatus === 'cancel_refused' && cancel_reason === why.cancel_reason

function obstacleOf(row: TaxInvoiceRow, { today, cause }: Case): string {
  const what = `tax invoice ${row.id} of a ${cause.of} invoice`
  if (row.status === 'error') return `what became of ${what} is unknown: retry it`
  if (isTooLate(row, today)) return `${what} could be cancelled until ${row.cancel_until}`
  if (isRefused(row, cause)) return `the authority refuses to cancel ${what} (${row.error_code})`
  return `${what} is about to be replaced`
}

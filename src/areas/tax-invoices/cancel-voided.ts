// Cancels the tax invoices of a voided invoice: at once those that the authority cannot have, the issued ones there. Runs
// again until none is in force; when nothing more can be done without staff, it becomes a dead letter that says why.
import { dayIn } from '#kernel/values/calendar.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { eventJobKind } from '#kernel/jobs/job-kinds.ts'
import { enqueue, organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { zoneOf } from '#ports/ports.ts'
import { type CancelReason, startCancelling } from './cancel-tax-invoice.ts'
import { taxInvoices } from './queries.ts'
import { isUnknownThere, type TaxInvoiceRow } from './tax-invoice.ts'

/** In Portuguese like all that the authority gets. */
const VOIDED: CancelReason = {
  cancel_reason_code: '9',
  cancel_reason: 'A fatura foi anulada antes do pagamento.',
}
const AGAIN_SECONDS = 300

export const cancelVoided = eventJobKind('tax-invoices/cancel-voided')

export const cancelVoidedJob = organizationJob(cancelVoided, {
  run: async (ctx, { payload }) => {
    const inForce = await taxInvoices.inForceOf(ctx, payload.resource_id)
    if (inForce.length === 0) return
    const today = dayIn(ctx.now, zoneOf(ctx, 'entity_br'))
    let isMoving = false
    for (const row of inForce) if (await advance(ctx, row, today)) isMoving = true
    if (!isMoving) throw new PermanentFailure(inForce.map((row) => obstacleOf(row, today)).join('; '))
    // Without a key: a job that waits would hold up all others with the same one.
    await enqueue(ctx, cancelVoided, payload, { afterSeconds: AGAIN_SECONDS })
  },
})

/** Whether its cancellation was begun or is under way, or an answer about it is awaited. */
async function advance(ctx: OrganizationContext, row: TaxInvoiceRow, today: string): Promise<boolean> {
  if (row.substatus === 'cancelling') return true
  if (!isUnknownThere(row)) {
    if (row.status !== 'issued') return row.status === 'pending'
    if (isTooLate(row, today) || isRefused(row) || (await taxInvoices.successorOf(ctx, row.id))) return false
  }
  await startCancelling(ctx, row, VOIDED)
  return true
}

const isTooLate = ({ cancel_until }: TaxInvoiceRow, today: string): boolean =>
  cancel_until !== null && cancel_until < today

/** For this reason: it may have been refused for another one before. */
const isRefused = ({ substatus, cancel_reason }: TaxInvoiceRow): boolean =>
  substatus === 'cancel_refused' && cancel_reason === VOIDED.cancel_reason

function obstacleOf(row: TaxInvoiceRow, today: string): string {
  const what = `tax invoice ${row.id} of a voided invoice`
  if (row.status === 'error') return `what became of ${what} is unknown: retry it`
  if (isTooLate(row, today)) return `${what} could be cancelled until ${row.cancel_until}`
  if (isRefused(row)) return `the authority refuses to cancel ${what} (${row.error_code})`
  return `${what} is about to be replaced`
}

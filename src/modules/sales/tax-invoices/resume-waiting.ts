// Tax invoices that wait for the authority without a live job: their job is a dead letter or is missing. One that is
// missing is enqueued again; after a dead letter the tax invoice is an error that staff see.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { giveUpCancelling } from './cancel-tax-invoice.ts'
import { taxInvoices } from './queries.ts'
import { UNANSWERED } from './note-no-answer.ts'
import { taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'
import { cancelLater, prepareLater, sendLater } from './declaration-jobs.ts'

const BATCH = 500

async function resumeAbandoned(ctx: OrganizationContext, id: number): Promise<void> {
  const row = await taxInvoices.forChange(ctx, id)
  const { live, dead } = await taxInvoices.jobsOf(ctx, id)
  if (live > 0) return
  if (row.status === 'issued' && row.substatus === 'cancelling')
    return dead > 0 ? giveUpCancelling(ctx, id) : cancelLater(ctx, id)
  if (row.status !== 'pending') return
  const isPrepared = row.declaration_xml !== null
  if (dead === 0) return isPrepared ? sendLater(ctx, id) : prepareLater(ctx, id)
  // The job may have sent it before it broke off.
  const substatus = isPrepared ? 'unclear' : 'unavailable'
  await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.fail, { substatus, ...UNANSWERED[substatus] })
}

export const resumeWaitingJob = systemJob(jobKind('tax-invoices/sweep', {}), {
  everySeconds: 60,
  before: async ({ read }, _job, { inEach }) =>
    inEach(await read(taxInvoices.abandoned(BATCH)), (ctx, { id }) => resumeAbandoned(ctx, id)),
})

// What waits for the authority while nobody works on it: a job that the worker has parked, or that is gone.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { giveUpCancelling } from './cancel-tax-invoice.ts'
import { taxInvoices } from './queries.ts'
import { UNANSWERED } from './note-no-answer.ts'
import { taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'
import { cancelLater, prepareLater, sendLater } from './declaration-jobs.ts'

const BATCH = 500

async function settleAbandoned(ctx: OrganizationContext, id: number): Promise<void> {
  const row = await taxInvoices.forChange(ctx, id)
  const { live, parked } = await taxInvoices.jobsOf(ctx, id)
  if (live > 0) return
  if (row.status === 'issued' && row.substatus === 'cancelling')
    return parked > 0 ? giveUpCancelling(ctx, id) : cancelLater(ctx, id)
  if (row.status !== 'pending') return
  const isPrepared = row.declaration_xml !== null
  if (parked === 0) return isPrepared ? sendLater(ctx, id) : prepareLater(ctx, id)
  // A job that broke off may have sent it.
  const substatus = isPrepared ? 'unclear' : 'unavailable'
  await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.fail, { substatus, ...UNANSWERED[substatus] })
}

export const resumeWaitingJob = systemJob(jobKind('tax-invoices/sweep', {}), {
  everySeconds: 60,
  before: async ({ read }, _job, { inEach }) =>
    inEach(await read(taxInvoices.abandoned(BATCH)), (ctx, { id }) => settleAbandoned(ctx, id)),
})

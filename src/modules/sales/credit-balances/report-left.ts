// What is left of credit balances when their organization is deleted: a dead letter, and a problem of the dry run
// before it.
import { organizationsTable } from '#modules/identity/organizations/organization.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { eventJobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { creditBalances } from './queries.ts'

const reportLeft = eventJobKind('credit-balances/report-left')

export const creditBalanceJobs = [
  organizationJob(reportLeft, {
    run: async (ctx) => {
      const left = await creditBalances.ofDeleted(ctx)
      if (left.length === 0) return
      const sums = left.map(({ amount, currency, company }) => `${amount} ${currency} at ${company}`)
      throw new PermanentFailure(
        `the organization is deleted with a credit balance of ${sums.join(', ')}: restored, it can be ` +
          'paid out or withdrawn',
      )
    },
  }),
]

export const creditBalanceConsumers: readonly Consumer[] = [
  { event: organizationsTable.events.deleted, job: reportLeft },
]

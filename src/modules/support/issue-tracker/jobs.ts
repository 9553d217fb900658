// What the worker does for linked tickets: synchronize them, after a change on either side, and from time to time.
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { ticketCommentsTable } from '#modules/support/tickets/conversation.ts'
import { ticketHistoryTable } from '#modules/support/tickets/ticket.ts'
import { enqueueSync } from './enqueue-sync.ts'
import { exchange } from './exchange.ts'
import { handleTrackerEventJob } from './handle-tracker-event.ts'
import { ticketIssues } from './queries.ts'
import { applyExchange } from './apply-exchange.ts'
import { syncIssue } from './ticket-issue.ts'

const syncIssueJob = organizationJob(syncIssue, {
  before: async (io, { attempts, payload: { ticket_issue_id: id } }) => {
    const [link] = await io.read(ticketIssues.toSync(io.organizationId ?? 0, id))
    return link ? { link, done: await exchange(io, link, attempts > 1) } : null
  },
  run: async (ctx, _job, exchanged) => {
    if (exchanged) await applyExchange(ctx, exchanged.link, exchanged.done)
  },
})

const propagateComment = eventJobKind('issue-tracker/propagate-comment')
const propagateStatus = eventJobKind('issue-tracker/propagate-status')

const follow = async (ctx: OrganizationContext, link: Statement<{ id: number }>): Promise<void> => {
  const found = await first(ctx, link)
  if (found) await enqueueSync(ctx, { organization_id: ctx.organizationId, id: found.id })
}

export const issueTrackerConsumers: Consumer[] = [
  { event: ticketCommentsTable.events.created, job: propagateComment },
  { event: ticketHistoryTable.events.created, job: propagateStatus },
]

const syncDue = jobKind('issue-tracker/sync-due', {})
const BATCH = 200

export const issueTrackerJobs = [
  syncIssueJob,
  handleTrackerEventJob,
  organizationJob(propagateComment, {
    run: (ctx, { payload }) => follow(ctx, ticketIssues.ofComment(ctx.organizationId, payload.resource_id)),
  }),
  organizationJob(propagateStatus, {
    run: (ctx, { payload }) => follow(ctx, ticketIssues.ofStep(ctx.organizationId, payload.resource_id)),
  }),
  systemJob(syncDue, {
    everySeconds: 30,
    before: async ({ ports: { issueTracker: tracker } }) => tracker?.name ?? null,
    run: async (ctx, _job, tracker) => {
      if (tracker === null) return
      for (const due of await ctx.ask(ticketIssues.due(tracker, ctx.now, BATCH))) await enqueueSync(ctx, due)
    },
  }),
]

// Enqueues the job that brings a ticket and its issue in line, unless one is waiting: it will see this change too.
import type { OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { type OwnedIssue, ticketIssues } from './queries.ts'
import { syncIssue } from './ticket-issue.ts'

export async function enqueueSync(ctx: OrganizationContext | SystemContext, issue: OwnedIssue): Promise<void> {
  const { organization_id: organizationId, id } = issue
  // The jobs of one link run in order.
  const key = `${syncIssue.name}:${organizationId}:${id}`
  const [waiting] = await ctx.ask(ticketIssues.waiting(issue, key, ctx))
  if (!waiting) await enqueue(ctx, syncIssue, { ticket_issue_id: id }, { key, organizationId })
}

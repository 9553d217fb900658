// POST, DELETE /tickets/{id}/issue, POST /tickets/{id}/issue/sync: the link between a ticket and an issue. The tracker
// is called by the job, so that staff can link while it is away.
import { randomBytes } from 'node:crypto'
import { lockActiveTicket, recordTracker } from '#modules/support/tickets/change-ticket.ts'
import { insert, remove, update } from '#kernel/data/changes.ts'
import { first, type IoContext, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { IssueTracker } from '#ports/issue-tracker.ts'
import { enqueueSync } from './enqueue-sync.ts'
import { ticketIssues } from './queries.ts'
import { type NewTicketIssue, type TicketIssue, ticketIssuesTable } from './ticket-issue.ts'

/** The tracker in use, as far as the transaction needs it. */
export type Linking = { tracker: IssueTracker['name'] | 'none'; isKey: boolean }

export const linkingBy = ({ ports: { issueTracker: tracker } }: IoContext, { key }: NewTicketIssue): Linking => ({
  tracker: tracker?.name ?? 'none',
  isKey: key === undefined || tracker === null || tracker.referenceOf(key) !== null,
})

export function linkRules({ key, title, description }: Partial<NewTicketIssue>): Fields {
  if (key === undefined) return {}
  const problem = 'is for a new issue, without key'
  return { ...(title !== undefined && { title: problem }), ...(description !== undefined && { description: problem }) }
}

export async function linkIssue(
  ctx: OrganizationContext,
  ticketId: number,
  body: NewTicketIssue,
  { tracker, isKey }: Linking,
): Promise<TicketIssue> {
  const { key = null, url = null, title = null, description = null } = ownBody(ctx, body)
  const ticket = await lockActiveTicket(ctx, ticketId)
  const org = ctx.organizationId
  const linked = await first(ctx, ticketIssues.ofTicket(org, ticketId))
  if (linked)
    throw conflict('issue_linked', `The ticket is linked to ${linked.key ?? 'an issue that is being created'}`)
  if (tracker === 'none' && key === null)
    throw conflict('not_configured', 'Without an issue tracker only the key of an issue is recorded')
  if (!isKey) throw invalid({ key: 'is not a key of this tracker' })
  if (tracker !== 'none' && url !== null) throw invalid({ url: 'is taken from the tracker' })
  if (tracker === 'none') {
    const recorded = { ticket_id: ticketId, tracker, key, url, sync_state: 'recorded' } as const
    const issue = await insert(ctx, ticketIssuesTable, recorded)
    await recordTracker(ctx, ticketId, { tracker_key: key, tracker_url: url })
    return { ...issue, last_synced_at: null }
  }
  const created_at = ctx.now.toISOString()
  const pending = { ticket_id: ticketId, tracker, key, sync_state: 'pending', created_at } as const
  const issue = await insert(ctx, ticketIssuesTable, pending)
  // A new issue takes the ticket's status; one that is there already keeps its own.
  const ticketStatus = key === null ? 'open' : ticket.status
  const mark = `titular-${randomBytes(10).toString('hex')}`
  await ctx.ask(ticketIssues.begin(org, issue.id, { ticketId, mark, title, description, ticketStatus, at: ctx.now }))
  await enqueueSync(ctx, { organization_id: org, id: issue.id })
  return { ...issue, last_synced_at: null }
}

async function linkOf(ctx: OrganizationContext, ticketId: number): Promise<TicketIssue> {
  const issue = await first(ctx, ticketIssues.ofTicket(ctx.organizationId, ticketId))
  if (!issue) throw notFound()
  return issue
}

/** The issue stays in the tracker, with what was written there. */
export async function unlinkIssue(ctx: OrganizationContext, ticketId: number): Promise<void> {
  const { id } = await linkOf(ctx, ticketId)
  await ctx.ask(ticketIssues.release(ctx.organizationId, id))
  await remove(ctx, ticketIssuesTable, id)
  await recordTracker(ctx, ticketId, { tracker_key: null, tracker_url: null })
}

/** Now, and with the ticket's status once more, for staff who have mended what was refused. */
export async function syncAgain(ctx: OrganizationContext, ticketId: number): Promise<TicketIssue> {
  const { id, tracker, last_synced_at } = await linkOf(ctx, ticketId)
  if (tracker === 'none') throw conflict('not_configured', 'The issue is recorded only; there is no tracker to ask')
  await ctx.ask(ticketIssues.forget(ctx.organizationId, id))
  const issue = await update(ctx, ticketIssuesTable, id, { sync_state: 'pending', sync_error: null })
  await enqueueSync(ctx, { organization_id: ctx.organizationId, id })
  return { ...issue, last_synced_at }
}

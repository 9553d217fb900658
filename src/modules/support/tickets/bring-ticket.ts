// Tickets of another system, with their status and their times (docs/interface/integrations.md, Imports). Nobody here
// has opened them, so that nobody is mailed; service levels were promised from their opening on, which was elsewhere.
import { insert, add } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { changedBy } from '#kernel/data/audit/history.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { Rules } from '#http/route.ts'
import { type BroughtTicket, RUNNING, type Ticket, ticketHistoryTable, ticketsTable } from './ticket.ts'
import { subjectOf } from './ticket-subject.ts'

export const broughtTicketRules: Rules<BroughtTicket> = (
  { status = 'open', created_at, closed_at },
  { now },
): Fields => ({
  ...(created_at !== undefined && new Date(created_at) > now && { created_at: 'must not lie in the future' }),
  ...(closed_at !== undefined && closedAtProblem({ status, created_at, closed_at }, now)),
})

function closedAtProblem(
  { status, created_at, closed_at }: { status: Ticket['status']; created_at: string | undefined; closed_at: string },
  now: Date,
): Fields {
  if (status !== 'closed') return { closed_at: 'is for a ticket that is closed' }
  if (new Date(closed_at) > now) return { closed_at: 'must not lie in the future' }
  const isEarlier = created_at !== undefined && new Date(closed_at) < new Date(created_at)
  return isEarlier ? { closed_at: 'must not lie before created_at' } : {}
}

export async function bringTicket(
  ctx: OrganizationContext,
  body: BroughtTicket,
  { number, entitlementId }: { number: string; entitlementId: number | null },
): Promise<Ticket> {
  const { status = 'open', priority = 'normal', created_at, closed_at, ...given } = body
  const now = ctx.now.toISOString()
  const { values } = await subjectOf(ctx, entitlementId === null ? {} : { entitlement_id: entitlementId })
  const endedAt = closed_at ?? now
  const ticket = await insert(ctx, ticketsTable, {
    ...given,
    ...values,
    // Its state when it was opened is not known here.
    entitlement_problem: null,
    number,
    status,
    priority,
    watcher_ids: [],
    created_by: null,
    created_at: created_at ?? now,
    paused_seconds: 0,
    clock_stopped_at: RUNNING.includes(status) ? null : endedAt,
    resolved_at: status === 'resolved' ? endedAt : null,
    closed_at: status === 'closed' ? endedAt : null,
  })
  const step = { from_status: null, to_status: status, ...changedBy(ctx) }
  add(ctx, ticketHistoryTable, { ticket_id: ticket.id, ...step })
  return ticket
}

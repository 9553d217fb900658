// POST /tickets, POST /environments/{id}/tickets: customers open tickets about what TICKET_CLASSES says, staff about
// everything.
import { SYSTEM_CALLER } from '#kernel/access/transactions.ts'
import { together } from '#kernel/values/validation/problems.ts'
import { add, insert, update } from '#kernel/data/changes.ts'
import { allocateCode } from '#kernel/data/codes.ts'
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { forbidden } from '#kernel/values/errors.ts'
import { changedBy } from '#kernel/data/audit/history.ts'
import { ownBody } from '#http/organization-body.ts'
import { hoursFrom } from '#modules/delivery/business-hours/business-time.ts'
import { assertInTeam, usualTeam } from '#modules/support/teams/team-of-ticket.ts'
import { teams } from '#modules/support/teams/queries.ts'
import { deadlinesBy } from './ticket-clock.ts'
import { assertStaff, assertMembers } from './ticket-audience.ts'
import { type About, subjectOf } from './ticket-subject.ts'
import { type NewTicket, type Ticket, ticketHistoryTable, ticketsTable } from './ticket.ts'

export const allocateTicketNumber = (io: IoContext): Promise<string> => allocateCode(io, 'SR')

export async function openTicket(
  ctx: OrganizationContext,
  body: NewTicket,
  { number, about }: { number: string; about?: About },
): Promise<Ticket> {
  const { priority = 'normal', watcher_ids = [], team_id, ...rest } = ownBody(ctx, body)
  const { caller } = ctx
  if (!caller.staff && (rest.assignee_id || team_id)) throw forbidden('staff_only', 'Only staff may assign tickets')
  const [{ values, terms, about: subject }, usual] = await together(
    () => subjectOf(ctx, body, about),
    () => ctx.ask(teams.defaults()),
    () => assertStaff(ctx, rest.assignee_id),
    () => assertInTeam(ctx, { teamId: team_id ?? null, assigneeId: rest.assignee_id ?? null }),
    () => assertMembers(ctx, watcher_ids),
  )
  const created_at = ctx.now.toISOString()
  const business_hours = terms.businessHours && hoursFrom(terms.businessHours, ctx.now)
  const started = { priority, created_at, business_hours, paused_seconds: 0 }
  const ticket = await insert(ctx, ticketsTable, {
    ...rest,
    ...values,
    number,
    watcher_ids,
    created_by: caller.userId,
    ...started,
    ...deadlinesBy(terms, started, ctx.settings),
  })
  const step = { from_status: null, to_status: 'open' as const, ...changedBy(ctx) }
  add(ctx, ticketHistoryTable, { ticket_id: ticket.id, ...step })
  const isGiven = team_id !== undefined || Boolean(rest.assignee_id)
  const team = isGiven ? team_id : usualTeam(usual, subject)
  if (!team) return ticket
  // A change of its own, and not of a customer: neither the entry of the creation nor their exports say anything of it.
  const by = isGiven ? ctx : { ...ctx, caller: SYSTEM_CALLER }
  return update(by, ticketsTable, ticket.id, { team_id: team }, ticketsTable.events.team_changed)
}

// POST /tickets, POST /environments/{id}/tickets: customers open tickets about what the vendor's setting says, staff
// about everything.
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
import { type TeamDefault, teams } from '#modules/support/teams/queries.ts'
import { deadlinesBy } from './ticket-clock.ts'
import { assertStaff, assertMembers } from './ticket-audience.ts'
import { type About, subjectOf } from './ticket-subject.ts'
import { type NewTicket, type Ticket, ticketHistoryTable, ticketsTable } from './ticket.ts'

export const allocateTicketNumber = (io: IoContext): Promise<string> => allocateCode(io, 'SR')

export async function openTicket(
  ctx: OrganizationContext,
  body: NewTicket,
  { number, about, usual }: { number: string; about?: About; usual?: TeamDefault[] },
): Promise<Ticket> {
  const { priority = 'normal', watcher_ids = [], team_id, ...rest } = ownBody(ctx, body)
  const { caller } = ctx
  if (!caller.staff && (rest.assignee_id || team_id)) throw forbidden('staff_only', 'Only staff may assign tickets')
  const [{ values, terms, about: subject }, defaults] = await together(
    () => subjectOf(ctx, body, about),
    async () => usual ?? ctx.ask(teams.defaults()),
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
    ...deadlinesBy(terms, started),
  })
  const step = { from_status: null, to_status: 'open' as const, ...changedBy(ctx) }
  add(ctx, ticketHistoryTable, { ticket_id: ticket.id, ...step })
  // A customer who gives no team decides nothing.
  if ((caller.staff && team_id !== undefined) || rest.assignee_id) return giveTeam(ctx, ticket, team_id ?? null)
  return giveTeam({ ...ctx, caller: SYSTEM_CALLER }, ticket, usualTeam(defaults, subject))
}

/** A change of its own, which is no customer's: what is said of the creation, and their exports, have nothing of it. */
async function giveTeam(ctx: OrganizationContext, ticket: Ticket, team_id: number | null): Promise<Ticket> {
  if (team_id === null) return ticket
  return update(ctx, ticketsTable, ticket.id, { team_id }, ticketsTable.events.team_changed)
}

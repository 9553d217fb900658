// PATCH /tickets/{id}, POST /tickets/{id}/status, watchers: changes of a ticket.
import { slaTermsOf } from '#modules/delivery/contracts/service-levels.ts'
import { add, move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { showEveryTicket } from '#kernel/access/access-check.ts'
import { conflict, forbidden, invalid, notFound } from '#kernel/values/errors.ts'
import { changedBy } from '#kernel/data/audit/history.ts'
import { ownBody } from '#http/organization-body.ts'
import { isIntegrationOnly } from '#kernel/values/integration.ts'
import { assignment } from '#modules/support/teams/team-of-ticket.ts'
import { clockChange, deadlinesBy, reportBreaches } from './ticket-clock.ts'
import { possibleWatchers, assertStaff, whoMayWatch } from './ticket-audience.ts'
import { tickets } from './queries.ts'
import {
  CUSTOMER_MAY,
  ENDED,
  moveInto,
  type Ticket,
  type TicketChange,
  ticketHistoryTable,
  ticketsTable,
  type TicketStatus,
  type TicketStatusChange,
  type TicketWithClock,
} from './ticket.ts'

export async function changeTicket(
  ctx: OrganizationContext,
  { id, locked }: { id: number; locked: TicketWithClock | undefined },
  body: TicketChange,
): Promise<Ticket> {
  const { team_id, ...values } = ownBody(ctx, body)
  if (!ctx.caller.staff && (values.assignee_id !== undefined || team_id !== undefined))
    throw forbidden('staff_only', 'Only staff may assign tickets')
  if (team_id === undefined && isIntegrationOnly(values)) return update(ctx, ticketsTable, id, values)
  const ticket = await reportBreaches(ctx, assertActive(locked))
  await assertStaff(ctx, values.assignee_id)
  const assigned = { ...values, ...(await assignment(ctx, ticket, { team_id, assignee_id: values.assignee_id })) }
  if (team_id === undefined || team_id === ticket.team_id) return changeFields(ctx, ticket, assigned)
  const moved = await update(ctx, ticketsTable, id, { team_id }, ticketsTable.events.team_changed)
  return Object.keys(assigned).length === 0 ? moved : changeFields(ctx, ticket, assigned)
}

async function changeFields(
  ctx: OrganizationContext,
  ticket: TicketWithClock,
  values: Omit<TicketChange, 'team_id'>,
): Promise<Ticket> {
  const { id } = ticket
  const { priority } = values
  if (priority === undefined || priority === ticket.priority) return update(ctx, ticketsTable, id, values)
  const deadlines = deadlinesBy(await slaTermsOf(ctx, ticket.entitlement_id), { ...ticket, priority })
  return update(ctx, ticketsTable, id, { ...values, ...deadlines })
}

export async function changeTicketStatus(
  ctx: OrganizationContext,
  ticket: TicketWithClock | undefined,
  body: TicketStatusChange,
): Promise<Ticket> {
  const { status, note = null, from_status } = ownBody(ctx, body)
  if (!ctx.caller.staff && !CUSTOMER_MAY.includes(status))
    throw forbidden('staff_only', 'Customers may close, cancel and reopen tickets')
  if (!ticket) throw notFound()
  if (from_status !== undefined && ticket.status !== from_status)
    throw conflict('changed_meanwhile', `The ticket is ${ticket.status} by now`)
  return moveTicket(ctx, ticket, status, note)
}

/** With history and clock; 409 if the table of moves has none from the ticket's status to this one. */
export async function moveTicket(
  ctx: OrganizationContext,
  ticket: TicketWithClock,
  status: TicketStatus,
  note: string | null = null,
): Promise<Ticket> {
  const now = ctx.now.toISOString()
  const current = await reportBreaches(ctx, ticket)
  const moved = await move(ctx, ticketsTable, ticket.id, moveInto(status), {
    ...clockChange(current, status, ctx.now),
    ...(status === 'resolved' && { resolved_at: now, first_responded_at: current.first_responded_at ?? now }),
    ...(status === 'open' && { resolved_at: null }),
    ...(status === 'closed' && { closed_at: now }),
  })
  const step = { from_status: ticket.status, to_status: status, note, ...changedBy(ctx) }
  add(ctx, ticketHistoryTable, { ticket_id: ticket.id, ...step })
  return moved
}

/** Which issue of the tracker the ticket is linked to; both null for none. */
export async function recordTracker(
  ctx: OrganizationContext,
  id: number,
  tracker: Pick<Ticket, 'tracker_key' | 'tracker_url'>,
): Promise<void> {
  const { tracker_key, tracker_url } = await tickets.forChange(ctx, id)
  if (tracker_key === tracker.tracker_key && tracker_url === tracker.tracker_url) return
  await update(ctx, ticketsTable, id, tracker)
}

export const lockTicket = (ctx: OrganizationContext, id: number): Promise<TicketWithClock> => tickets.forChange(ctx, id)

export const lockActiveTicket = async (ctx: OrganizationContext, id: number): Promise<TicketWithClock> =>
  assertActive(await lockTicket(ctx, id))

/** 404 if there is no ticket, 409 if it is closed or cancelled. */
export function assertActive(ticket: TicketWithClock | undefined): TicketWithClock {
  if (!ticket) throw notFound()
  if (ENDED.includes(ticket.status)) throw conflict('status_not_allowed', `The ticket is ${ticket.status}`)
  return ticket
}

const MOST_WATCHERS = 50

export async function addWatcher(ctx: OrganizationContext, id: number, userId: number): Promise<Ticket> {
  const ticket = await lockActiveTicket(ctx, id)
  const [known] = await possibleWatchers(ctx, { userIds: [userId], opener: ticket.created_by })
  if (!known) throw invalid({ user_id: `must be among the ${whoMayWatch(ctx)}` })
  if (ticket.watcher_ids.includes(userId)) return ticket
  if (ticket.watcher_ids.length >= MOST_WATCHERS)
    throw conflict('limit_reached', `A ticket has ${MOST_WATCHERS} watchers at most`)
  return update(ctx, ticketsTable, id, { watcher_ids: [...ticket.watcher_ids, userId] })
}

export async function removeWatcher(ctx: OrganizationContext, id: number, userId: number): Promise<Ticket> {
  const ticket = await tickets.forChange(ctx, id)
  if (!ticket.watcher_ids.includes(userId)) throw notFound()
  // Who sees a ticket because they watch it does not see it any more, but this answer still shows it.
  if (userId === ctx.caller.userId) await ctx.ask(showEveryTicket)
  return update(ctx, ticketsTable, id, { watcher_ids: ticket.watcher_ids.filter((one) => one !== userId) })
}

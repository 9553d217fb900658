// POST /tickets, POST /environments/{id}/tickets: customers open tickets about what TICKET_CLASSES says, staff about
// everything.
import { together } from '#kernel/values/validation/problems.ts'
import { add, insert } from '#kernel/data/changes.ts'
import { allocateCode } from '#kernel/data/codes.ts'
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { forbidden } from '#kernel/values/errors.ts'
import { changedBy } from '#kernel/data/audit/history.ts'
import { ownBody } from '#http/organization-body.ts'
import { hoursFrom } from '#modules/delivery/business-hours/business-time.ts'
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
  const { priority = 'normal', watcher_ids = [], ...rest } = ownBody(ctx, body)
  const { caller } = ctx
  if (!caller.staff && rest.assignee_id) throw forbidden('staff_only', 'Only staff may assign tickets')
  const [{ values, terms }] = await together(
    () => subjectOf(ctx, body, about),
    () => assertStaff(ctx, rest.assignee_id),
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
  return ticket
}

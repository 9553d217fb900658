// The clock of a ticket: the due times of its contract in business time, the pauses, one event for each breach and one
// for each warning before it.
import type { SlaTerms } from '#modules/delivery/contracts/service-levels.ts'
import { afterBusinessTime, businessTimeBetween } from '#modules/delivery/business-hours/business-time.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { tickets } from './queries.ts'
import {
  RUNNING,
  type Ticket,
  type TicketClock,
  ticketsTable,
  type TicketStatus,
  type TicketWithClock,
} from './ticket.ts'

type Deadlines = Pick<Ticket, 'first_response_due_at' | 'resolution_due_at'> &
  Pick<TicketClock, 'first_response_warn_at' | 'resolution_warn_at'>
type Running = Deadlines &
  Pick<TicketWithClock, 'clock_stopped_at' | 'paused_seconds' | 'business_hours' | 'first_responded_at'>
type ClockChange = Partial<Deadlines & Pick<Ticket, 'clock_stopped_at' | 'paused_seconds'>>
type ClockStart = Pick<TicketWithClock, 'priority' | 'created_at' | 'paused_seconds' | 'business_hours'>

/** Earlier pauses do not count. */
export function deadlinesBy(
  terms: Pick<SlaTerms, 'firstResponseMinutes' | 'resolutionMinutes' | 'warningPercent'>,
  { priority, created_at, paused_seconds, business_hours }: ClockStart,
): Deadlines {
  const after = (minutes: number | null | undefined, percent: number): string | null => {
    if (minutes === null || minutes === undefined) return null
    const runs = (minutes * 60_000 * percent) / 100 + paused_seconds * 1000
    return afterBusinessTime(business_hours, new Date(created_at), runs).toISOString()
  }
  const { [priority]: first } = terms.firstResponseMinutes
  const { [priority]: resolution } = terms.resolutionMinutes
  return {
    first_response_due_at: after(first, 100),
    first_response_warn_at: after(first, terms.warningPercent),
    resolution_due_at: after(resolution, 100),
    resolution_warn_at: after(resolution, terms.warningPercent),
  }
}

/** The changes of the clock by a move to `status`. */
export function clockChange(ticket: Running, status: TicketStatus, now: Date): ClockChange {
  const runs = RUNNING.includes(status)
  const { clock_stopped_at: stopped, business_hours: hours } = ticket
  if (!runs) return stopped === null ? { clock_stopped_at: now.toISOString() } : {}
  if (stopped === null) return {}
  const paused = businessTimeBetween(hours, new Date(stopped), now)
  const later = (moment: string | null): string | null =>
    moment === null ? null : afterBusinessTime(hours, new Date(moment), paused).toISOString()
  return {
    clock_stopped_at: null,
    paused_seconds: ticket.paused_seconds + Math.round(paused / 1000),
    resolution_due_at: later(ticket.resolution_due_at),
    resolution_warn_at: later(ticket.resolution_warn_at),
    ...(ticket.first_responded_at === null && {
      first_response_due_at: later(ticket.first_response_due_at),
      first_response_warn_at: later(ticket.first_response_warn_at),
    }),
  }
}

/** Emits the breaches up to now. Called before every other change of the ticket, and by the job. */
export async function reportBreaches(ctx: OrganizationContext, ticket: TicketWithClock): Promise<TicketWithClock> {
  if (ticket.clock_stopped_at !== null) return ticket
  const first_response_breached =
    ticket.first_response_breached || (ticket.first_responded_at === null && isPast(ctx, ticket.first_response_due_at))
  const resolution_breached = ticket.resolution_breached || isPast(ctx, ticket.resolution_due_at)
  if (first_response_breached === ticket.first_response_breached && resolution_breached === ticket.resolution_breached)
    return ticket
  const values = { first_response_breached, resolution_breached }
  return { ...ticket, ...(await update(ctx, ticketsTable, ticket.id, values, ticketsTable.events.sla_breached)) }
}

/** A deadline that is missed already needs no warning any more. */
async function reportWarnings(ctx: OrganizationContext, ticket: TicketWithClock): Promise<void> {
  if (ticket.clock_stopped_at !== null) return
  const first_response_warned =
    ticket.first_response_warned ||
    (ticket.first_responded_at === null &&
      !ticket.first_response_breached &&
      isPast(ctx, ticket.first_response_warn_at))
  const resolution_warned =
    ticket.resolution_warned || (!ticket.resolution_breached && isPast(ctx, ticket.resolution_warn_at))
  if (first_response_warned === ticket.first_response_warned && resolution_warned === ticket.resolution_warned) return
  const values = { first_response_warned, resolution_warned }
  await update(ctx, ticketsTable, ticket.id, values, ticketsTable.events.sla_warning)
}

const isPast = ({ now }: OrganizationContext, moment: string | null): boolean =>
  moment !== null && new Date(moment) < now

/** For the job. The ticket is locked, so that of two runs at once the second finds the first one's marks. */
export async function reportDeadlines(ctx: OrganizationContext, id: number): Promise<void> {
  await reportWarnings(ctx, await reportBreaches(ctx, await tickets.forChange(ctx, id)))
}

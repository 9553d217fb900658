// The clock of a ticket: the due times of its contract, the pauses, and one event for each breach.
import type { SlaTerms } from '#areas/contracts/service-levels.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { tickets } from './queries.ts'
import { RUNNING, type Ticket, ticketsTable, type TicketStatus } from './ticket.ts'

type DueTimes = Pick<Ticket, 'first_response_due_at' | 'resolution_due_at'>
type ClockChange = Partial<DueTimes & Pick<Ticket, 'clock_stopped_at' | 'paused_seconds'>>

/** Earlier pauses do not count. */
export function dueTimesBy(
  terms: SlaTerms,
  ticket: Pick<Ticket, 'priority' | 'created_at' | 'paused_seconds'>,
): DueTimes {
  const start = new Date(ticket.created_at).getTime() + ticket.paused_seconds * 1000
  const due = (minutes: number | undefined): string | null =>
    minutes === undefined ? null : new Date(start + minutes * 60_000).toISOString()
  return {
    first_response_due_at: due(terms.firstResponseMinutes[ticket.priority]),
    resolution_due_at: due(terms.resolutionMinutes[ticket.priority]),
  }
}

/** The changes of the clock by a move to `status`. */
export function clockChange(ticket: Ticket, status: TicketStatus, now: Date): ClockChange {
  const runs = RUNNING.includes(status)
  if (!runs) return ticket.clock_stopped_at === null ? { clock_stopped_at: now.toISOString() } : {}
  if (ticket.clock_stopped_at === null) return {}
  const paused = now.getTime() - new Date(ticket.clock_stopped_at).getTime()
  const later = (due: string | null): string | null =>
    due === null ? null : new Date(new Date(due).getTime() + paused).toISOString()
  return {
    clock_stopped_at: null,
    paused_seconds: ticket.paused_seconds + Math.round(paused / 1000),
    resolution_due_at: later(ticket.resolution_due_at),
    ...(ticket.first_responded_at === null && { first_response_due_at: later(ticket.first_response_due_at) }),
  }
}

/** Emits the breaches up to now. Called before every other change of the ticket, and by the job. */
export async function reportBreaches(ctx: OrganizationContext, ticket: Ticket): Promise<Ticket> {
  if (ticket.clock_stopped_at !== null) return ticket
  const isPast = (due: string | null): boolean => due !== null && new Date(due) < ctx.now
  const first = ticket.first_responded_at === null && isPast(ticket.first_response_due_at)
  const first_response_breached = ticket.first_response_breached || first
  const resolution_breached = ticket.resolution_breached || isPast(ticket.resolution_due_at)
  if (first_response_breached === ticket.first_response_breached && resolution_breached === ticket.resolution_breached)
    return ticket
  const values = { first_response_breached, resolution_breached }
  return update(ctx, ticketsTable, ticket.id, values, ticketsTable.events.sla_breached)
}

export async function reportBreachesOf(ctx: OrganizationContext, id: number): Promise<void> {
  await reportBreaches(ctx, await tickets.forChange(ctx, id))
}

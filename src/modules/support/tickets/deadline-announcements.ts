// The mails about deadlines of a ticket, to staff: a warning to the assignee or the team, or to those who look
// after tickets without one; a missed deadline to both.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import {
  amongStaff,
  type AudienceContext,
  type Recipient,
  supportDesk,
} from '#modules/messages/notifications/recipients.ts'
import { sql } from '#kernel/values/sql.ts'
import { unassignedTeam } from '#modules/support/teams/team-of-ticket.ts'
import { ticketAudience } from './ticket-audience.ts'
import { type Ticket, ticketsTable } from './ticket.ts'

type Facts = Pick<
  Ticket,
  | 'id'
  | 'number'
  | 'title'
  | 'priority'
  | 'assignee_id'
  | 'team_id'
  | 'first_response_due_at'
  | 'resolution_due_at'
  | 'first_responded_at'
  | 'first_response_warned'
  | 'resolution_warned'
  | 'first_response_breached'
  | 'resolution_breached'
  | 'clock_stopped_at'
> & { assignee_name: string | null }

const facts = (org: number, id: number) => sql<Facts>`
  select t.id, t.number, t.title, t.priority, t.assignee_id, t.team_id, u.name as assignee_name,
         t.first_response_due_at,
         t.resolution_due_at, t.first_responded_at, t.first_response_warned, t.resolution_warned,
         t.first_response_breached, t.resolution_breached, t.clock_stopped_at
    from tickets t left join users u on u.id = t.assignee_id
   where t.organization_id = ${org} and t.id = ${id}`

/** Without an assignee the team; none when nobody of them is staff any more. */
async function assignee(context: AudienceContext, ticket: Facts) {
  const userIds = [ticket.assignee_id, ...(await unassignedTeam(context, ticket))]
  return (await context.ask(ticketAudience(context, { userIds }))).filter(({ staff }) => staff)
}

async function assigneeOrQueue(context: AudienceContext, ticket: Facts): Promise<Recipient[]> {
  const assigned = await assignee(context, ticket)
  return assigned.length > 0 ? assigned : supportDesk(context, ticket)
}

async function assigneeAndQueue(context: AudienceContext, ticket: Facts): Promise<Recipient[]> {
  const all: Recipient[] = [...(await assignee(context, ticket)), ...(await supportDesk(context, ticket))]
  return all.filter(({ user_id }, index) => all.findIndex((other) => other.user_id === user_id) === index)
}

const about = ({ id }: Facts) => ({ record: 'ticket', id }) as const

type DeadlineKinds = { first: boolean; resolution: boolean }

/** Null when none of the deadlines is to be named. */
function deadlinesOf<Common>(ticket: Facts, common: Common, { first, resolution }: DeadlineKinds) {
  if (!first && !resolution) return null
  const { number, title, priority, assignee_name: assigneeName } = ticket
  const firstResponseDueAt = first ? ticket.first_response_due_at : null
  const resolutionDueAt = resolution ? ticket.resolution_due_at : null
  return { ...common, number, title, priority, assigneeName, firstResponseDueAt, resolutionDueAt }
}

const deadlineNear = announcement({
  mail: 'ticket-sla-warning',
  event: ticketsTable.events.sla_warning,
  facts,
  audience: amongStaff('tickets', assigneeOrQueue),
  about,
  // Not of what was done, paused or missed since.
  content: (ticket, common) => {
    const runs = ticket.clock_stopped_at === null
    const { first_response_warned, first_response_breached, resolution_warned, resolution_breached } = ticket
    return deadlinesOf(ticket, common, {
      first: runs && first_response_warned && !first_response_breached && ticket.first_responded_at === null,
      resolution: runs && resolution_warned && !resolution_breached,
    })
  },
})

const deadlineMissed = announcement({
  mail: 'ticket-sla-breached',
  event: ticketsTable.events.sla_breached,
  facts,
  audience: amongStaff('tickets', assigneeAndQueue),
  about,
  content: (ticket, common) =>
    deadlinesOf(ticket, common, { first: ticket.first_response_breached, resolution: ticket.resolution_breached }),
})

export const deadlineAnnouncements = [deadlineNear, deadlineMissed]

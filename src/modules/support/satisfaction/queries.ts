// All SQL of ratings of tickets.
import { raw, sql } from '#kernel/values/sql.ts'
import type { Ticket } from '#modules/support/tickets/ticket.ts'
import { type TicketRating, ticketRatingsTable } from './ticket-rating.ts'

const columns = raw(ticketRatingsTable.visible.join(', '))

export const ticketRatings = {
  ofTicket: (org: number, ticketId: number) => sql<TicketRating>`
    select ${columns} from ticket_ratings where organization_id = ${org} and ticket_id = ${ticketId}`,

  /** The ticket, if it is done, was answered, and nobody was asked yet. */
  toAsk: (org: number, ticketId: number) => sql<{ id: number; created_by: number; assignee_id: number | null }>`
    select t.id, t.created_by, t.assignee_id from tickets t
     where t.organization_id = ${org} and t.id = ${ticketId} and t.status in ('resolved', 'closed')
       and t.created_by is not null and t.first_responded_at is not null
       and not exists (select 1 from ticket_ratings r where r.organization_id = ${org} and r.ticket_id = ${ticketId})`,

  /** What the mail says, while there is no rating yet. */
  asked: (org: number, id: number) => sql<RatingQuestion>`
    select r.ticket_id, r.requester_id, r.company, r.asked_at, t.number, t.title, t.status, t.created_by, t.assignee_id,
           t.team_id, t.watcher_ids
      from ticket_ratings r join tickets t on t.organization_id = ${org} and t.id = r.ticket_id
     where r.organization_id = ${org} and r.id = ${id} and r.rating is null`,
}

type RatingQuestion = Pick<TicketRating, 'ticket_id' | 'requester_id' | 'company' | 'asked_at'> &
  Pick<Ticket, 'number' | 'title' | 'status' | 'created_by' | 'assignee_id' | 'team_id' | 'watcher_ids'>

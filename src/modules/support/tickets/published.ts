// What customers see of the events of tickets: nothing of what staff write to each other.
import type { OfOrganizations } from '#kernel/data/lists/of-organizations.ts'
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { TicketAttachment, ticketAttachmentsTable, TicketComment, ticketCommentsTable } from './conversation.ts'
import { Ticket, ticketsTable } from './ticket.ts'

export const publishedTickets = publishedResource(ticketsTable, {
  scopes: ['tickets'],
  record: Ticket,
  events: {
    created: 'A ticket was opened.',
    updated: 'A field of a ticket changed, such as its priority or who works on it.',
    first_responded: 'Staff answered a ticket for the first time.',
    sla_warning: 'The time that was promised for a ticket is nearly over.',
    sla_breached: 'A ticket was not answered or resolved in time.',
    started: 'Work on a ticket has begun, or goes on.',
    waiting: 'A ticket waits for the customer.',
    resolved: 'A ticket was resolved.',
    reopened: 'A resolved ticket was opened again.',
    closed: 'A ticket was closed.',
    cancelled: 'A ticket was cancelled.',
  },
})

const linkedCodes = (of: OfOrganizations) => sql`
  select t.entitlement_code as code from tickets t
   where ${of('t.organization_id')} and t.id = (e.data ->> 'ticket_id')::bigint and t.entitlement_code is not null`

export const publishedTicketComments = publishedResource(ticketCommentsTable, {
  scopes: ['tickets'],
  record: TicketComment,
  isVisible: ({ internal }) => !internal,
  linkedCodes,
  events: { created: 'Somebody commented on a ticket.' },
})

export const publishedTicketAttachments = publishedResource(ticketAttachmentsTable, {
  scopes: ['tickets'],
  record: TicketAttachment,
  isVisible: ({ internal }) => !internal,
  linkedCodes,
  events: { created: 'A file was attached to a ticket.', deleted: 'A file of a ticket was removed.' },
})

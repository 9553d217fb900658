// What customers see of the events of the issues of their tickets.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { TicketIssue, ticketIssuesTable } from './ticket-issue.ts'

export const publishedTicketIssues = publishedResource(ticketIssuesTable, {
  scopes: ['tickets'],
  record: TicketIssue,
  linkedCodes: (of) => sql`
    select t.entitlement_code as code from tickets t
     where ${of('t.organization_id')} and t.id = (e.data ->> 'ticket_id')::bigint and t.entitlement_code is not null`,
  events: {
    created: 'A ticket was linked to an issue of the vendor’s tracker.',
    updated: 'The issue of a ticket has another key, address or status.',
    deleted: 'A ticket is no longer linked to an issue.',
  },
})

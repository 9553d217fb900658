// Tickets (spec 4.9).
import { area } from '#http/manifest/area.ts'
import { ticketActions } from './actions.ts'
import { ticketAnnouncements } from './announcements.ts'
import { sql } from '#kernel/values/sql.ts'
import { ticketAttachmentsTable, ticketCommentsTable } from './conversation.ts'
import { ticketJobs } from './jobs.ts'
import { publishedTicketAttachments, publishedTicketComments, publishedTickets } from './published.ts'
import { ticketRoutes } from './routes.ts'
import { ticketHistoryTable, ticketsTable } from './ticket.ts'

export const ticketsArea = area({
  name: 'tickets',
  description: 'Support tickets (service requests).',
  routes: ticketRoutes,
  jobs: ticketJobs,
  announcements: ticketAnnouncements,
  actions: ticketActions,
  tables: [ticketsTable.name, ticketHistoryTable.name, ticketCommentsTable.name, ticketAttachmentsTable.name],
  published: [publishedTickets, publishedTicketComments, publishedTicketAttachments],
  waiting: [
    {
      kind: 'tickets',
      scope: 'tickets',
      waits: 'a service level is in danger or missed',
      // The condition is that of its index.
      rows: sql`select id, organization_id, team_id, number || ' ' || title as label,
               coalesce(least(resolution_warn_at, case when first_responded_at is null then first_response_warn_at
                 end), created_at) as since
          from tickets
         where clock_stopped_at is null and (resolution_warned or resolution_breached
            or first_responded_at is null and (first_response_warned or first_response_breached))`,
      act: { method: 'POST', path: '/tickets/{id}/comments', inOrganization: true },
    },
  ],
  searchable: [
    { scope: 'entitlements', ofStaff: 'tickets', table: ticketsTable, label: sql`t.number || ' ' || t.title` },
  ],
})

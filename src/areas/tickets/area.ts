// Tickets (spec 4.9).
import { area } from '#kernel/area.ts'
import { ticketAnnouncements } from './announcements.ts'
import { sql } from '#kernel/data/sql.ts'
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
  tables: [ticketsTable.name, ticketHistoryTable.name, ticketCommentsTable.name, ticketAttachmentsTable.name],
  published: [publishedTickets, publishedTicketComments, publishedTicketAttachments],
  searchable: [{ scope: 'entitlements', table: ticketsTable, label: sql`t.number || ' ' || t.title` }],
})

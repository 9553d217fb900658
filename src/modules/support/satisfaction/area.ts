// How satisfied whoever opened a ticket was (docs/interface/support.md, Satisfaction).
import { area } from '#http/manifest/area.ts'
import { satisfactionAnnouncements } from './announcements.ts'
import { satisfactionConsumers, satisfactionJobs } from './ask-requester.ts'
import { satisfactionRoutes } from './routes.ts'
import { ticketRatingsTable } from './ticket-rating.ts'

export const satisfactionArea = area({
  name: 'satisfaction',
  description: 'How satisfied those who opened tickets were, asked once for each.',
  routes: satisfactionRoutes,
  jobs: satisfactionJobs,
  consumers: satisfactionConsumers,
  announcements: satisfactionAnnouncements,
  tables: [ticketRatingsTable.name],
})

// Quotes (spec 4.4).
import { area } from '#http/manifest/area.ts'
import { quoteActions } from './actions.ts'
import { quoteAnnouncements } from './announcements.ts'
import { sql } from '#kernel/values/sql.ts'
import { quoteConsumers, quoteJobs } from './jobs.ts'
import { linkRoutes } from './links/link-routes.ts'
import { publishedQuoteRequests, publishedQuotes } from './published.ts'
import { quoteLinksTable } from './links/quote-link.ts'
import { quoteRequestsTable } from './requests/quote-request.ts'
import { quotesTable } from './quote.ts'
import { renewalDrafted } from './renewals/renewal-announcements.ts'
import { requestAnnouncements } from './requests/request-announcements.ts'
import { requestRoutes } from './requests/request-routes.ts'
import { sendRoutes } from './send-routes.ts'
import { quoteRoutes } from './routes.ts'

export const quotesArea = area({
  name: 'quotes',
  description: 'Offers: drafted and sent by staff, accepted or rejected by the customer, then paid.',
  routes: [...quoteRoutes, ...sendRoutes, ...linkRoutes, ...requestRoutes],
  jobs: quoteJobs,
  consumers: quoteConsumers,
  announcements: [...quoteAnnouncements, ...requestAnnouncements, renewalDrafted],
  actions: quoteActions,
  tables: [quotesTable.name, quoteLinksTable.name, quoteRequestsTable.name],
  published: [publishedQuotes, publishedQuoteRequests],
  searchable: [{ scope: 'quotes', table: quotesTable, label: sql`t.number` }],
})

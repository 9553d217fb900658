// Quotes (spec 4.4).
import { area } from '#kernel/area.ts'
import { quoteAnnouncements } from './announcements.ts'
import { sql } from '#kernel/data/sql.ts'
import { quoteConsumers, quoteJobs } from './jobs.ts'
import { linkRoutes } from './link-routes.ts'
import { publishedQuotes } from './published.ts'
import { quoteLinksTable } from './quote-link.ts'
import { quotesTable } from './quote.ts'
import { quoteRoutes } from './routes.ts'

export const quotesArea = area({
  name: 'quotes',
  description: 'Offers: drafted and sent by staff, accepted or rejected by the customer, then paid.',
  routes: [...quoteRoutes, ...linkRoutes],
  jobs: quoteJobs,
  consumers: quoteConsumers,
  announcements: quoteAnnouncements,
  tables: [quotesTable.name, quoteLinksTable.name],
  published: [publishedQuotes],
  searchable: [{ scope: 'quotes', table: quotesTable, label: sql`t.number` }],
})

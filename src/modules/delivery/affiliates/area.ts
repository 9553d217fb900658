// Affiliates: their accounts, commissions, payouts and statements (spec 4.11).
import { area } from '#http/manifest/area.ts'
import { sql } from '#kernel/values/sql.ts'
import { affiliatesTable } from './affiliate.ts'
import { affiliateAssumptions } from './assumptions.ts'
import { affiliateAnnouncements } from './announcements.ts'
import { commissionsTable } from './commission.ts'
import { affiliateJobs } from './jobs.ts'
import { payoutsTable } from './payout.ts'
import { payoutRoutes } from './payout-routes.ts'
import { publishedAffiliates, publishedCommissions, publishedPayouts } from './published.ts'
import { affiliateRoutes } from './routes.ts'
import { entriesTable } from './statement.ts'

export const affiliatesArea = area({
  name: 'affiliates',
  description: 'Affiliate programs, commissions and payouts.',
  routes: [...affiliateRoutes, ...payoutRoutes],
  jobs: affiliateJobs,
  announcements: affiliateAnnouncements,
  assumptions: affiliateAssumptions,
  tables: [affiliatesTable.name, commissionsTable.name, payoutsTable.name, entriesTable.name],
  published: [publishedAffiliates, publishedCommissions, publishedPayouts],
  searchable: [{ scope: 'finances', table: affiliatesTable, label: sql`t.code` }],
})

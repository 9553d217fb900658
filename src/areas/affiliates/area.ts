// Affiliates and their commissions (spec 4.11).
import { area } from '#kernel/area.ts'
import { affiliatesTable, commissionsTable } from './affiliate.ts'
import { affiliateJobs } from './jobs.ts'
import { publishedAffiliates, publishedCommissions } from './published.ts'
import { affiliateRoutes } from './routes.ts'

export const affiliatesArea = area({
  name: 'affiliates',
  description: 'Affiliate programs, commissions and payouts.',
  routes: affiliateRoutes,
  jobs: affiliateJobs,
  tables: [affiliatesTable.name, commissionsTable.name],
  published: [publishedAffiliates, publishedCommissions],
})

// Credit balances (docs/interface/sales.md, Credit balances).
import { area } from '#http/manifest/area.ts'
import { creditBalanceEntriesTable, creditBalancesTable } from './credit-balance.ts'
import { publishedCreditBalanceEntries, publishedCreditBalances } from './published.ts'
import { creditBalanceConsumers, creditBalanceJobs } from './report-left.ts'
import { creditBalanceRoutes } from './routes.ts'

export const creditBalancesArea = area({
  name: 'credit-balances',
  description: 'What organizations have paid beyond what was due.',
  routes: creditBalanceRoutes,
  jobs: creditBalanceJobs,
  consumers: creditBalanceConsumers,
  tables: [creditBalancesTable.name, creditBalanceEntriesTable.name],
  published: [publishedCreditBalances, publishedCreditBalanceEntries],
})

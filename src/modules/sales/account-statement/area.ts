// Statements of account (docs/interface/sales.md, Statement of account).
import { area } from '#http/manifest/area.ts'
import { accountStatementRoutes } from './routes.ts'

export const accountStatementArea = area({
  name: 'account-statement',
  description: 'Invoices, payments, credit notes, refunds and the credit balance of an organization in their order.',
  routes: accountStatementRoutes,
  tables: [],
})

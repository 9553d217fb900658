// Taxes that customers in Brazil keep back of their invoices (docs/tax-invoices.md, Withheld taxes).
import { area } from '#http/manifest/area.ts'
import { taxWithholdingRoutes } from './routes.ts'

export const taxWithholdingArea = area({
  name: 'tax-withholding',
  description: 'Taxes that customers in Brazil keep back of their invoices.',
  routes: taxWithholdingRoutes,
})

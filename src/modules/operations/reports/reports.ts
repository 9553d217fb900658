// All reports, in the order in which they are listed.
import { billed } from './billed.ts'
import { expiring } from './expiring.ts'
import { receivables, receivablesByOrganization } from './receivables.ts'
import { recognized } from './recognized.ts'
import { recurringRevenue } from './recurring-revenue.ts'
import type { Report } from './report.ts'
import { taxInvoiceStates } from './tax-invoice-states.ts'
import { ticketSatisfaction } from './ticket-satisfaction.ts'
import { ticketServiceLevels } from './ticket-service-levels.ts'
import { withheldTaxes } from './withheld-taxes.ts'

export const REPORTS: readonly Report[] = [
  billed,
  recognized,
  recurringRevenue,
  receivables,
  receivablesByOrganization,
  expiring,
  taxInvoiceStates,
  withheldTaxes,
  ticketServiceLevels,
  ticketSatisfaction,
]

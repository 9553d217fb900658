// Each legal entity has a schedule from the start; the invoice is looked at from time to time.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization, records: { invoices } }) => {
  await app.database.query(
    `insert into dunning_cases (organization_id, invoice_id, company, next_at) values ($1, $2, 'entity_br', null)`,
    [organization.id, invoices],
  )
  return { dunning: 'entity_br' }
}

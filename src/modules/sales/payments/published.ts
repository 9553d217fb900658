// What customers see of the events of payments.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { Payment, paymentsTable } from './payment.ts'

export const publishedPayments = publishedResource(paymentsTable, {
  scopes: ['finances'],
  record: Payment,
  linkedCodes: (of) => sql`
    select l ->> 'entitlement_code' as code from invoices i, jsonb_array_elements(i.line_items) l
     where ${of('i.organization_id')} and i.id = (e.data ->> 'invoice_id')::bigint`,
  events: {
    created: 'A payment was recorded: of an invoice, whole or in part, or in advance.',
    moved: 'A payment was recorded on the wrong invoice, and does not count any more.',
    updated: 'The external id or the metadata of a payment changed.',
  },
})

// What customers see of the events of refunds.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { Refund, refundsTable } from './refund.ts'

export const publishedRefunds = publishedResource(refundsTable, {
  scopes: ['orders', 'finances'],
  record: Refund,
  linkedCodes: (of) => sql`
    select l ->> 'entitlement_code' as code from invoices i, jsonb_array_elements(i.line_items) l
     where ${of('i.organization_id')} and i.id = (e.data ->> 'invoice_id')::bigint`,
  events: {
    created: 'A refund was requested.',
    approved: 'A refund was approved and goes to the payment provider.',
    updated:
      'A field of a refund changed, such as the reference at the payment provider, or what becomes of the ' +
      'tax invoices.',
    succeeded: 'The payment provider has confirmed a refund.',
    failed: 'The payment provider has refused a refund.',
    rejected: 'Staff rejected a refund.',
  },
})

// What customers see of the events of disputes.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { Dispute, disputesTable } from './dispute.ts'

export const publishedDisputes = publishedResource(disputesTable, {
  scopes: ['finances'],
  record: Dispute,
  linkedCodes: (of) => sql`
    select l ->> 'entitlement_code' as code from invoices i, jsonb_array_elements(i.line_items) l
     where ${of('i.organization_id')} and i.id = (e.data ->> 'invoice_id')::bigint`,
  events: {
    created: 'The bank of a payer disputes a payment.',
    updated: 'A field of a dispute changed, such as the time until when it can be answered.',
    won: 'A dispute ended and nothing was lost.',
    lost: 'The bank has given the payment back to the payer.',
  },
})

// What customers see of the events of credit notes.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { CreditNote, creditNotesTable } from './credit-note.ts'

export const publishedCreditNotes = publishedResource(creditNotesTable, {
  scopes: ['finances'],
  record: CreditNote,
  linkedCodes: (of) => sql`
    select l ->> 'entitlement_code' as code from invoices i, jsonb_array_elements(i.line_items) l
     where ${of('i.organization_id')} and i.id = (e.data ->> 'invoice_id')::bigint`,
  events: {
    created: 'A credit note was issued.',
    updated: 'The external id or the metadata of a credit note changed.',
  },
})

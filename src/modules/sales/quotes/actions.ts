// Quotes to accept or reject.
import type { Action, ActionRow } from '#http/manifest/actions.ts'
import { sql } from '#kernel/values/sql.ts'

export const quoteActions: Action[] = [
  {
    kind: 'quote_to_accept',
    scope: 'quotes',
    resource: 'quote',
    does: 'Accept or reject a quote',
    rows: ({ org }) => sql<ActionRow>`
      select id, number as label, valid_until as due_on from quotes
       where organization_id = ${org} and status in ('sent', 'viewed')`,
  },
]

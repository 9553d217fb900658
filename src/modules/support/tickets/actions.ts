// Tickets that wait for an answer of the customer.
import type { Action, ActionRow } from '#http/manifest/actions.ts'
import { sql } from '#kernel/values/sql.ts'

export const ticketActions: Action[] = [
  {
    kind: 'ticket_to_answer',
    scope: 'entitlements',
    ofStaff: 'tickets',
    resource: 'ticket',
    does: 'Answer a ticket that waits for the customer',
    rows: ({ org }) => sql<ActionRow>`
      select id, number || ' ' || title as label, null::date as due_on from tickets
       where organization_id = ${org} and status = 'waiting'`,
  },
]

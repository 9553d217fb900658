// Deliveries to accept or reject.
import type { Action, ActionRow } from '#http/manifest/actions.ts'
import { sql } from '#kernel/values/sql.ts'

export const serviceActions: Action[] = [
  {
    kind: 'delivery_to_accept',
    scope: 'entitlements',
    resource: 'service',
    does: 'Accept or reject a delivery',
    rows: ({ org }) => sql<ActionRow>`
      select id, name as label, null::date as due_on from services where organization_id = ${org}
        and status = 'delivered'`,
  },
]

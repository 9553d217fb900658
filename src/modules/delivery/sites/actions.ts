// Domains to prove.
import type { Action, ActionRow } from '#http/manifest/actions.ts'
import { sql } from '#kernel/values/sql.ts'

export const siteActions: Action[] = [
  {
    kind: 'domain_to_verify',
    scope: 'entitlements',
    resource: 'site',
    does: 'Prove that a domain is the organization’s',
    rows: ({ org }) => sql<ActionRow>`
      select id, domain as label, null::date as due_on from sites
       where organization_id = ${org} and status = 'active' and (verification_status = 'verified') = false`,
  },
]

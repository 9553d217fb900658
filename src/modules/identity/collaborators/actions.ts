// Invites that nobody has accepted in time.
import type { Action, ActionRow } from '#http/manifest/actions.ts'
import { sql } from '#kernel/values/sql.ts'

export const collaboratorActions: Action[] = [
  {
    kind: 'invite_expired',
    scope: 'organization',
    resource: 'collaborator',
    does: 'Send an expired invite again, or revoke it',
    rows: ({ org, realNow }) => sql<ActionRow>`
      select id, email as label, null::date as due_on from collaborators
       where organization_id = ${org} and role = 'pending' and invite_status in ('pending', 'expired')
         and invite_expires_at <= ${realNow}`,
  },
]

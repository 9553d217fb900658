// Invites that nobody has accepted in time.
import type { Action } from '#http/manifest/actions.ts'
import { collaborators } from './queries.ts'

export const collaboratorActions: Action[] = [
  {
    kind: 'invite_expired',
    scope: 'organization',
    resource: 'collaborator',
    does: 'Send an expired invite again, or revoke it',
    rows: (asked) => collaborators.expiredInvites(asked.org, asked),
  },
]

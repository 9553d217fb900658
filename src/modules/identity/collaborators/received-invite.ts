// The invite as its recipient sees it (spec 2.6). It is a collaborator who has not accepted yet.
import { Type, type Static } from 'typebox'
import { Closed, Email, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { INVITE_STATUSES, INVITED_ROLES } from './collaborator.ts'

export const InviteToken = Closed({ token: Type.String({ minLength: 1, maxLength: 255 }) })

const InvitedRole = Nullable(Type.Enum(INVITED_ROLES, { description: 'The caller’s role after accepting' }))

export const InviteCheck = Type.Object({
  status: Type.Enum(INVITE_STATUSES, { examples: ['pending'] }),
  is_valid: Type.Boolean({ description: 'Whether it can be accepted now' }),
  organization_id: Id,
  organization_name: Type.String({ examples: ['Acme'] }),
  email: Email,
  role: InvitedRole,
  expiration: Nullable(Timestamp),
  expired: Type.Boolean(),
})
export type InviteCheck = Static<typeof InviteCheck>

export const Invite = Type.Object({
  id: Id,
  organization_id: Id,
  organization_name: Type.String({ examples: ['Acme'] }),
  email: Email,
  role: InvitedRole,
  status: Type.Enum(INVITE_STATUSES, { examples: ['pending'] }),
  expiration: Nullable(Timestamp),
  invited_by: Nullable(Type.String({ description: 'Name of the user who sent the invite', examples: ['Ana Souza'] })),
  created_at: Timestamp,
})

export const InviteAnswer = Type.Object({
  organization_id: Id,
  collaborator_id: Id,
  status: Type.Enum(INVITE_STATUSES, { examples: ['accepted'] }),
})
export type InviteAnswer = Static<typeof InviteAnswer>

export const InviteFilters = Closed({ ...Paging })
export type InviteFilters = Static<typeof InviteFilters>

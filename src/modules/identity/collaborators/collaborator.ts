// The collaborator (spec 2.6, 5.5, 5.6): a membership of an organization with its role, scopes and dates.
import { Type, type Static } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import { type Flag, FLAGS } from '#kernel/values/permissions.ts'
import { AnyOf, Closed, Email, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const ROLES = ['owner', 'admin', 'member', 'guest', 'pending'] as const
/** The roles that an invite can give. */
export const INVITED_ROLES = ['owner', 'admin', 'member', 'guest'] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]
export const STATUSES = ['not_invited', 'invited', 'rejected', 'scheduled', 'active', 'expired'] as const
export const INVITE_STATUSES = ['pending', 'accepted', 'rejected', 'expired'] as const

export const inviteMoves = moves(
  INVITE_STATUSES,
  {
    accept: { from: ['pending'], to: 'accepted', event: 'invite_accepted' },
    reject: { from: ['pending'], to: 'rejected', event: 'invite_rejected' },
    expire: { from: ['pending'], to: 'expired', event: 'invite_expired' },
    resend: { from: ['expired', 'rejected'], to: 'pending', event: 'invite_resent' },
  },
  'invite_status',
)

const flag = (governs: string) => Type.Boolean({ description: `Holds the scope for ${governs}` })
const flags = {
  can_manage_org: flag('organization settings and profile'),
  can_manage_finances: flag('invoices, tax invoices, billing'),
  can_manage_orders: flag('orders, refunds'),
  can_manage_licenses: flag('licenses; implies entitlements'),
  can_manage_tickets: flag('support tickets; implies entitlements'),
  can_manage_quotes: flag('viewing, accepting, rejecting quotes'),
  can_manage_contracts: flag('viewing contracts'),
  can_manage_documents: flag('organization documents'),
  can_manage_downloads: flag('product downloads'),
  can_manage_entitlements: flag('entitlements, environments, services'),
}

export const TICKET_VISIBILITIES = ['own', 'watched', 'all'] as const
export type TicketVisibility = (typeof TICKET_VISIBILITIES)[number]
const TicketVisibility = Type.Enum(TICKET_VISIBILITIES, {
  description:
    'Which tickets the member sees: those that they opened, also those that they watch, or all of the organization',
  examples: ['all'],
})

const Row = Type.Object({
  id: Id,
  organization_id: Id,
  parent_user_id: Nullable(Id),
  user_id: Nullable(Id),
  email: Email,
  role: Type.Enum(ROLES),
  invited_role: Nullable(Type.Enum(INVITED_ROLES)),
  named_role_id: Nullable(Id),
  ...flags,
  ticket_visibility: TicketVisibility,
  started_at: Nullable(Timestamp),
  expired_at: Nullable(Timestamp),
  end_warned_for: Nullable(Timestamp),
  end_announced_for: Nullable(Timestamp),
  invite_status: Nullable(Type.Enum(INVITE_STATUSES)),
  invite_expires_at: Nullable(Timestamp),
  invite_digest: Nullable(Type.String()),
  invite_nonce: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type CollaboratorRow = Static<typeof Row>
export const collaboratorsTable = table('collaborators', 'collaborator', Row, {
  moves: inviteMoves,
  events: ['invited', 'expiring', 'expired'],
  masked: ['invite_digest', 'invite_nonce'],
  search: ['email'],
})

const NamedRoleId = Nullable(
  Type.Integer({ minimum: 1, description: 'The named role (`GET /roles`) that the scopes come from', examples: [3] }),
)

export const Collaborator = Type.Object(
  {
    id: Id,
    organization_id: Id,
    parent_user_id: Nullable(Type.Integer({ description: 'The user who sent the invite' })),
    user_id: Nullable(Type.Integer({ description: 'Null until the invite is accepted' })),
    email: Email,
    name: Nullable(Type.String({ description: 'Null until the invite is accepted', examples: ['Ana Souza'] })),
    role: Type.Enum(ROLES, { description: '`pending` until the invite is accepted', examples: ['member'] }),
    invited_role: Nullable(Type.Enum(INVITED_ROLES, { description: 'The role after the invite is accepted' })),
    status: Type.Enum(STATUSES, {
      description:
        '`not_invited`: imported, and not told yet; `invited`: the invite is pending; `rejected`: it was ' +
        'rejected; `scheduled`: accepted, active from `started_at` on; `expired`: the membership or the ' +
        'invite has ended',
      examples: ['active'],
    }),
    named_role_id: NamedRoleId,
    ...flags,
    ticket_visibility: TicketVisibility,
    started_at: Nullable(Timestamp),
    expired_at: Nullable(Timestamp),
    invite_status: Nullable(Type.Enum(INVITE_STATUSES)),
    invite_expires_at: Nullable(Timestamp),
    has_second_factor: Nullable(
      Type.Boolean({
        description:
          'The account has an authenticator app or a passkey; null for an invite, and for callers who are ' +
          'neither owner, admin nor staff',
        examples: [true],
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A member of an organization, or an invite to it' },
)
export type Collaborator = Static<typeof Collaborator>

const GivenRole = Type.Enum(INVITED_ROLES, {
  description:
    'admin or member. Only staff give `guest`, and `owner` where the organization has no owner and none is invited',
  examples: ['member'],
})
const grants = Type.Partial(
  Type.Object({
    named_role_id: NamedRoleId,
    ...flags,
    ticket_visibility: TicketVisibility,
    started_at: Nullable(Timestamp),
    expired_at: Nullable(Timestamp),
  }),
).properties

export const NewCollaborator = Closed({ email: Email, role: Type.Optional(GivenRole), ...grants })
export type NewCollaborator = Static<typeof NewCollaborator>

export const CollaboratorChange = Closed({ role: Type.Optional(GivenRole), ...grants })
export type CollaboratorChange = Static<typeof CollaboratorChange>

export const CollaboratorFilters = Closed({
  ...Paging,
  role: AnyOf(Type.Enum(ROLES)),
  status: AnyOf(Type.Enum(STATUSES)),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the e-mail address or the name' })),
})
export type CollaboratorFilters = Static<typeof CollaboratorFilters>

export const ByCollaborator = Closed({ id: Id, collaborator_id: Id })

/** What owners have: every scope, and the sight of all tickets. */
export const everyRight = (): { [Name in Flag]: true } & { ticket_visibility: 'all' } => ({
  can_manage_org: true,
  can_manage_finances: true,
  can_manage_orders: true,
  can_manage_licenses: true,
  can_manage_tickets: true,
  can_manage_quotes: true,
  can_manage_contracts: true,
  can_manage_documents: true,
  can_manage_downloads: true,
  can_manage_entitlements: true,
  ticket_visibility: 'all',
})

/** The names of the flags that are true. */
export const flagsSet = (of: { [Name in Flag]?: boolean }): Flag[] => FLAGS.filter((name) => of[name] === true)

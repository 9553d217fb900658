// Who may do what in an organization: people, roles, keys, sign-on, and what they did.
import * as api from '@titular/sdk'
import { type Field, isOneOf, type Declaration, type Item, textOf } from './resource.ts'
import { SCOPES } from './shared.ts'

const FLAGS = [
  'can_manage_org',
  'can_manage_finances',
  'can_manage_orders',
  'can_manage_licenses',
  'can_manage_tickets',
  'can_manage_quotes',
  'can_manage_contracts',
  'can_manage_documents',
  'can_manage_downloads',
  'can_manage_entitlements',
] as const

const member: readonly Field[] = [
  {
    field: 'role',
    chooses: { values: ['owner', 'admin', 'member', 'guest'], ofStaff: ['owner', 'guest'] },
    isRequired: true,
    first: ({ role, invited_role }) => (role === 'pending' ? invited_role : role) ?? 'member',
  },
  {
    field: 'named_role_id',
    chooses: { list: api.listRoles, labelOf: ({ name }) => textOf(name) },
    first: ({ named_role_id }) => named_role_id,
  },
  ...FLAGS.map((field): Field => ({ field, as: 'yesNo', first: (record) => record[field] })),
  {
    field: 'ticket_visibility',
    chooses: { values: ['own', 'watched', 'all'] },
    first: ({ ticket_visibility }) => ticket_visibility,
  },
  { field: 'expired_at', as: 'time', first: ({ expired_at }) => expired_at },
]

const inOrganization = (organization: number): Item => ({ id: organization })

/** An owner stays one until the ownership is transferred. */
const isNoOwner = ({ role, invited_role }: Item): boolean => (role === 'pending' ? invited_role : role) !== 'owner'

export const people: Declaration = {
  organization: {
    list: api.listOrganizationCollaborators,
    get: api.getOrganizationCollaborator,
    at: inOrganization,
    creates: {
      name: 'createCollaborator',
      operation: api.createOrganizationCollaborator,
      isAdmins: true,
      form: [{ field: 'email', isRequired: true }, ...member],
    },
  },
  keyName: 'collaborator_id',
  titleOf: ({ name, email }) => textOf(name) || textOf(email),
  columns: [
    { field: 'email' },
    { field: 'name' },
    { field: 'role', as: 'value' },
    { field: 'status', as: 'status' },
    { field: 'has_second_factor', as: 'yesNo' },
  ],
  details: [
    { field: 'invited_role', as: 'value' },
    ...FLAGS.map((field) => ({ field, as: 'yesNo' as const })),
    { field: 'ticket_visibility', as: 'value' },
    { field: 'started_at', as: 'time' },
    { field: 'expired_at', as: 'time' },
    { field: 'invite_expires_at', as: 'time' },
  ],
  statuses: ['invited', 'not_invited', 'rejected', 'scheduled', 'active', 'expired'],
  filters: [{ field: 'role', values: ['owner', 'admin', 'member', 'guest', 'pending'] }],
  searches: true,
  actions: [
    {
      name: 'updateCollaborator',
      operation: api.updateOrganizationCollaborator,
      isAdmins: true,
      isOffered: isNoOwner,
      form: member,
      isMain: true,
    },
    {
      name: 'resendInvite',
      operation: api.resendInvite,
      isAdmins: true,
      isOffered: isOneOf('invited', 'not_invited', 'rejected'),
    },
    {
      name: 'transferOwnership',
      operation: api.transferOrganizationOwnership,
      isOwners: true,
      isDangerous: true,
      isOffered: ({ role, status }) => role !== 'owner' && status === 'active',
      bodyOf: ({ id }) => ({ collaborator_id: id }),
    },
    {
      name: 'deleteCollaborator',
      operation: api.deleteOrganizationCollaborator,
      isAdmins: true,
      isOffered: isNoOwner,
      isDangerous: true,
    },
  ],
}

const role: readonly Field[] = [
  { field: 'name', isRequired: true, first: ({ name }) => name },
  { field: 'description', as: 'long', first: ({ description }) => description, clears: true },
  { field: 'scopes', chooses: { values: SCOPES }, several: true, isRequired: true, first: ({ scopes }) => scopes },
]

export const roles: Declaration = {
  organization: {
    list: api.listRoles,
    get: api.getRole,
    creates: { name: 'createRole', operation: api.createRole, isAdmins: true, form: role },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [{ field: 'name' }, { field: 'scopes', as: 'value' }],
  details: [{ field: 'description' }, { field: 'updated_at', as: 'time' }],
  actions: [
    { name: 'updateRole', operation: api.updateRole, isAdmins: true, form: role, isMain: true },
    { name: 'deleteRole', operation: api.deleteRole, isAdmins: true, isDangerous: true },
  ],
}

const limits: readonly Field[] = [
  { field: 'expires_at', as: 'time', first: ({ expires_at }) => expires_at, clears: true },
  { field: 'allowed_ips', as: 'lines', first: ({ allowed_ips }) => allowed_ips, clears: true },
]

const isInForce = ({ revoked_at }: Item): boolean => revoked_at === null

export const keys: Declaration = {
  organization: {
    list: api.listApiKeys,
    get: api.getApiKey,
    creates: {
      name: 'createApiKey',
      operation: api.createApiKey,
      isAdmins: true,
      shows: ['consumer_key', 'consumer_secret'],
      form: [
        { field: 'name', isRequired: true },
        {
          field: 'permission',
          chooses: { values: ['read', 'write', 'read_write'] },
          isRequired: true,
          first: () => 'read',
        },
        { field: 'scopes', chooses: { values: SCOPES }, several: true, isRequired: true },
        ...limits,
      ],
    },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'permission', as: 'value' },
    { field: 'last_four', as: 'code' },
    { field: 'last_used_at', as: 'time' },
    { field: 'revoked_at', as: 'time' },
  ],
  details: [
    { field: 'scopes', as: 'value' },
    { field: 'expires_at', as: 'time' },
    { field: 'allowed_ips' },
    { field: 'previous_secret_ends_at', as: 'time' },
    { field: 'created_at', as: 'time' },
  ],
  actions: [
    {
      name: 'updateApiKey',
      operation: api.updateApiKey,
      isAdmins: true,
      isOffered: isInForce,
      form: [{ field: 'name', isRequired: true, first: ({ name }) => name }, ...limits],
    },
    {
      name: 'rotateApiKey',
      operation: api.rotateApiKey,
      isAdmins: true,
      isOffered: isInForce,
      form: [{ field: 'overlap_minutes', as: 'number' }],
      shows: ['consumer_key', 'consumer_secret'],
    },
    { name: 'deleteApiKey', operation: api.deleteApiKey, isAdmins: true, isOffered: isInForce, isDangerous: true },
  ],
}

const connection: readonly Field[] = [
  { field: 'name', isRequired: true, first: ({ name }) => name },
  { field: 'issuer', isRequired: true, first: ({ issuer }) => issuer },
  { field: 'client_id', isRequired: true, first: ({ client_id }) => client_id },
  { field: 'client_secret', as: 'password' },
  { field: 'domains', as: 'lines', isRequired: true, first: ({ domains }) => domains },
  { field: 'creates_members', as: 'yesNo', first: ({ creates_members }) => creates_members },
  { field: 'member_scopes', chooses: { values: SCOPES }, several: true, first: ({ member_scopes }) => member_scopes },
  { field: 'trusts_email', as: 'yesNo', first: ({ trusts_email }) => trusts_email },
]

export const signOn: Declaration = {
  organization: {
    list: api.listSsoConnections,
    get: api.getSsoConnection,
    creates: { name: 'createSsoConnection', operation: api.createSsoConnection, isAdmins: true, form: connection },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'domains' },
    { field: 'is_required', as: 'yesNo' },
    { field: 'last_used_at', as: 'time' },
  ],
  details: [
    { field: 'issuer' },
    { field: 'client_id', as: 'code' },
    { field: 'proven_domains' },
    { field: 'creates_members', as: 'yesNo' },
    { field: 'member_scopes', as: 'value' },
    { field: 'trusts_email', as: 'yesNo' },
  ],
  actions: [
    {
      name: 'updateSsoConnection',
      operation: api.updateSsoConnection,
      isAdmins: true,
      form: [...connection, { field: 'is_required', as: 'yesNo', first: ({ is_required }) => is_required }],
      isMain: true,
    },
    { name: 'deleteSsoConnection', operation: api.deleteSsoConnection, isAdmins: true, isDangerous: true },
  ],
}

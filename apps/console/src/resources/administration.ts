// Who is staff, with which keys, the accounts of all people, and what was done.
import * as api from '@titular/sdk'
import { type Action, type Field, type Declaration, type Item, textOf } from './resource.ts'
import { SCOPES } from './shared.ts'

const ROLES = ['support', 'sales', 'finance', 'operations', 'administrator', 'auditor']

const roles: Field = {
  field: 'roles',
  isRequired: true,
  several: true,
  chooses: { values: ROLES },
  first: (record) => record['roles'],
}
const reason: Field = { field: 'reason', isRequired: true }

export const staff: Declaration = {
  all: {
    list: api.adminListStaff,
    get: api.adminGetStaffMember,
    creates: {
      name: 'createStaffMember',
      operation: api.adminCreateStaffMember,
      form: [{ field: 'email', isRequired: true }, { field: 'name' }, roles, reason],
    },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'email' },
    { field: 'roles', as: 'value' },
    { field: 'status', as: 'value' },
    { field: 'last_signed_in_at', as: 'time' },
    { field: 'disabled_at', as: 'time' },
  ],
  details: [{ field: 'appointed_at', as: 'time' }, { field: 'appointed_by_name' }],
  filters: [{ field: 'role', values: ROLES }],
  actions: [
    { name: 'updateStaffMember', operation: api.adminUpdateStaffMember, form: [roles, reason] },
    { name: 'deleteStaffMember', operation: api.adminDeleteStaffMember, form: [reason], isDangerous: true },
  ],
}

const STAFF_SCOPES = [...SCOPES, 'catalogue', 'settings', 'jobs', 'users', 'audit']
const PERMISSIONS = [...STAFF_SCOPES.flatMap((scope) => [`${scope}:read`, `${scope}:write`]), 'staff:read']

const ofKey: readonly Field[] = [
  { field: 'name', isRequired: true, first: ({ name }) => name },
  {
    field: 'permissions',
    isRequired: true,
    several: true,
    chooses: { values: PERMISSIONS },
    first: ({ permissions }) => permissions,
  },
  {
    field: 'organization_ids',
    several: true,
    isLeftOut: true,
    chooses: { list: api.adminListOrganizations, labelOf: ({ name }) => textOf(name) },
    first: (record) => record['organization_ids'],
  },
  { field: 'allowed_ips', as: 'lines', first: (record) => record['allowed_ips'], clears: true },
]

export const vendorKeys: Declaration = {
  all: {
    list: api.adminListApiKeys,
    get: api.adminGetApiKey,
    creates: {
      name: 'createVendorKey',
      operation: api.adminCreateApiKey,
      form: [...ofKey, { field: 'expires_at', as: 'time' }],
      shows: ['consumer_key', 'consumer_secret'],
    },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'permissions', as: 'value' },
    { field: 'last_four', as: 'code' },
    { field: 'last_used_at', as: 'time' },
    { field: 'expires_at', as: 'time' },
  ],
  details: [
    { field: 'organization_ids' },
    { field: 'allowed_ips' },
    { field: 'previous_secret_ends_at', as: 'time' },
    { field: 'created_by_name' },
    { field: 'created_at', as: 'time' },
  ],
  actions: [
    { name: 'updateVendorKey', operation: api.adminUpdateApiKey, form: ofKey },
    {
      name: 'rotateVendorKey',
      operation: api.adminRotateApiKey,
      form: [{ field: 'overlap_minutes', as: 'number' }],
      body: {},
      shows: ['consumer_key', 'consumer_secret'],
    },
    { name: 'deleteVendorKey', operation: api.adminDeleteApiKey, isDangerous: true },
  ],
}

const isAlive = ({ disabled_at }: Item): boolean => !disabled_at

const ofPerson: readonly Action[] = [
  { name: 'disableUser', operation: api.adminDisableUser, isOffered: isAlive, isDangerous: true },
  { name: 'enableUser', operation: api.adminEnableUser, isOffered: (record) => !isAlive(record) },
  {
    name: 'resetSecondFactors',
    operation: api.adminResetSecondFactors,
    isOffered: isAlive,
    form: [reason],
    isDangerous: true,
  },
  { name: 'copyPersonsData', operation: api.adminCreatePersonExport },
  { name: 'createErasure', operation: api.adminCreateErasure, isDangerous: true },
]

export const users: Declaration = {
  all: { list: api.adminListUsers },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'email' },
    { field: 'roles', as: 'value' },
    { field: 'status', as: 'value' },
    { field: 'language', as: 'value' },
    { field: 'registered', as: 'time' },
    { field: 'disabled_at', as: 'time' },
  ],
  filters: [
    { field: 'disabled', values: ['true', 'false'], isOne: true },
    { field: 'status', values: ['ACTIVE', 'PENDING'], isOne: true },
  ],
  searches: true,
  sorts: ['registered', 'updated_at'],
  rowActions: ofPerson,
}

export const auditLog: Declaration = {
  all: { list: api.adminListAuditLog },
  titleOf: ({ id }) => textOf(id),
  columns: [
    { field: 'at', as: 'time' },
    { field: 'actor', as: 'actor' },
    { field: 'action', as: 'act' },
    { field: 'resource', as: 'record' },
    { field: 'resource_id', as: 'number' },
    { field: 'organization_name' },
    { field: 'reason' },
    { field: 'ip', as: 'code' },
    { field: 'changes', as: 'changes' },
  ],
  filters: [{ field: 'log', values: ['service'], isOne: true }],
  typed: [
    { field: 'actor_id', as: 'number' },
    { field: 'organization_id', as: 'number' },
    { field: 'resource' },
    { field: 'resource_id', as: 'number' },
    { field: 'action' },
    { field: 'date_from', as: 'date' },
    { field: 'date_to', as: 'date' },
  ],
  sorts: ['at'],
}

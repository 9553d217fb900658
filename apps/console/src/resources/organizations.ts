// The customers, and the entries of staff into them.
import * as api from '@titular/sdk'
import { type Action, isOneOf, type Declaration, textOf } from './resource.ts'

const isVerification = (...states: string[]) => {
  const has = isOneOf(...states)
  return ({ verification_status, deleted_at }: Readonly<Record<string, unknown>>): boolean =>
    !deleted_at && has({ status: verification_status })
}

/** What staff decide about an organization; its own settings are on a screen of its own. */
export const organizationActions: readonly Action[] = [
  {
    name: 'verifyOrganization',
    operation: api.adminVerifyOrganization,
    permission: 'organization:write',
    isOffered: isVerification('pending', 'rejected'),
    isMain: true,
  },
  {
    name: 'rejectOrganization',
    operation: api.adminRejectOrganization,
    permission: 'organization:write',
    isOffered: isVerification('pending', 'verified'),
    isDangerous: true,
  },
]

export const organizations: Declaration = {
  all: {
    list: api.adminListOrganizations,
    creates: {
      name: 'createOrganization',
      operation: api.adminCreateOrganization,
      form: [
        { field: 'owner_email', isRequired: true },
        { field: 'name', isRequired: true },
        { field: 'legal_name' },
        { field: 'cnpj' },
        { field: 'country' },
        { field: 'external_id' },
      ],
    },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'legal_name' },
    { field: 'cnpj', as: 'code' },
    { field: 'verification_status', as: 'status' },
    { field: 'owner_email' },
    { field: 'city' },
    { field: 'created_at', as: 'time' },
  ],
  filters: [
    { field: 'verification_status', values: ['pending', 'verified', 'rejected'] },
    { field: 'deleted', values: ['true'], isOne: true },
  ],
  searches: true,
  sorts: ['created_at', 'updated_at'],
  rowActions: [
    {
      name: 'restoreOrganization',
      operation: api.adminRestoreOrganization,
      isOffered: ({ deleted_at }) => Boolean(deleted_at),
    },
    {
      name: 'createOrganizationErasure',
      operation: api.adminCreateOrganizationErasure,
      permission: 'users:write',
      isOffered: ({ deleted_at }) => Boolean(deleted_at),
      isDangerous: true,
    },
  ],
}

export const entries: Declaration = {
  all: { list: api.adminListEntries },
  titleOf: ({ id }) => textOf(id),
  columns: [
    { field: 'organization_name' },
    { field: 'user_name' },
    { field: 'reason' },
    { field: 'created_at', as: 'time' },
    { field: 'ends_at', as: 'time' },
    { field: 'ended_at', as: 'time' },
  ],
  filters: [{ field: 'in_force', values: ['true'], isOne: true }],
  sorts: ['created_at'],
  rowActions: [
    {
      name: 'endEntry',
      operation: api.adminEndEntry,
      isMine: true,
      isOffered: ({ user_id, ended_at, ends_at }, { id, may }) =>
        !ended_at && Date.parse(textOf(ends_at)) > Date.now() && (user_id === id || may('staff:write')),
    },
  ],
}

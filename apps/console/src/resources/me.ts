// What a person has of their own, whatever the organization.
import * as api from '@titular/sdk'
import { type Declaration, isOneOf, type Item, itemsOf, textOf } from './resource.ts'

const factOf = ({ label, value }: Item): string => `${textOf(label)}: ${textOf(value)}`

export const notices: Declaration = {
  me: {
    list: api.listInbox,
    creates: { name: 'markAllNotices', operation: api.markAllNotices, isMine: true, body: {} },
  },
  titleOf: ({ title }) => textOf(title),
  columns: [
    { field: 'created_at', as: 'age' },
    { field: 'title' },
    { field: 'text', of: ({ text, facts }) => [textOf(text), itemsOf(facts).map(factOf).join('; ')].join(' ') },
    { field: 'organization_name' },
    { field: 'read_at', as: 'time' },
  ],
  rowActions: [
    {
      name: 'markRead',
      isBulk: true,
      operation: api.updateNotice,
      isMine: true,
      isOffered: ({ read_at }) => read_at === null,
      bodyOf: () => ({ read: true }),
    },
  ],
}

export const sessions: Declaration = {
  me: {
    list: api.listSessions,
    creates: { name: 'endOtherSessions', operation: api.deleteOtherSessions, isMine: true, isDangerous: true },
  },
  titleOf: ({ user_agent }) => textOf(user_agent),
  columns: [
    { field: 'last_seen_at', as: 'time' },
    { field: 'is_current', as: 'yesNo' },
    { field: 'signed_in_by', as: 'value' },
    { field: 'second_factor', as: 'value' },
    { field: 'ip', as: 'code' },
    { field: 'user_agent' },
  ],
  rowActions: [
    {
      name: 'endSession',
      operation: api.deleteSession,
      isMine: true,
      isOffered: ({ is_current }) => is_current === false,
      isDangerous: true,
    },
  ],
}

export const invites: Declaration = {
  me: { list: api.listInvites },
  titleOf: ({ organization_name }) => textOf(organization_name),
  columns: [
    { field: 'organization_name' },
    { field: 'role', as: 'value' },
    { field: 'status', as: 'status' },
    { field: 'invited_by' },
    { field: 'expiration', as: 'time' },
  ],
}

export const consents: Declaration = {
  me: {
    list: api.listConsents,
    creates: {
      name: 'createConsent',
      operation: api.createConsent,
      isMine: true,
      form: [
        {
          field: 'purpose',
          chooses: { values: ['terms_of_use', 'privacy_notice', 'product_news'] },
          isRequired: true,
        },
        { field: 'version', isRequired: true },
        { field: 'is_given', as: 'yesNo', first: () => true },
      ],
    },
  },
  titleOf: ({ purpose }) => textOf(purpose),
  columns: [
    { field: 'at', as: 'time' },
    { field: 'purpose', as: 'value' },
    { field: 'version' },
    { field: 'is_given', as: 'yesNo' },
  ],
}

/** Everything that is kept of the person, as a file. */
export const ownData: Declaration = {
  me: {
    list: api.listPersonExports,
    creates: { name: 'createPersonExport', operation: api.createPersonExport, isMine: true },
  },
  titleOf: ({ id }) => textOf(id),
  columns: [
    { field: 'created_at', as: 'time' },
    { field: 'status', as: 'status' },
    { field: 'size', as: 'bytes' },
    { field: 'expires_at', as: 'time' },
  ],
  rowActions: [
    {
      name: 'downloadExport',
      operation: api.createPersonExportLink,
      isMine: true,
      isOffered: isOneOf('completed'),
      follows: 'url',
      isMain: true,
    },
  ],
}

/** All of an organization, for its owner. */
export const organizationData: Declaration = {
  organization: {
    list: api.listOrganizationExports,
    creates: { name: 'createOrganizationExport', operation: api.createOrganizationExport, isOwners: true },
  },
  titleOf: ({ id }) => textOf(id),
  columns: ownData.columns,
  rowActions: [
    {
      name: 'downloadExport',
      operation: api.createOrganizationExportLink,
      isOwners: true,
      isOffered: isOneOf('completed'),
      follows: 'url',
      isMain: true,
    },
  ],
}

/** The person's organizations; a new one has them as its owner. */
export const ownOrganizations: Declaration = {
  me: {
    list: api.listOrganizations,
    creates: {
      name: 'createOrganization',
      operation: api.createOrganization,
      isMine: true,
      form: [
        { field: 'name', isRequired: true },
        { field: 'legal_name' },
        { field: 'cnpj' },
        { field: 'country', isRequired: true, first: () => 'BR' },
      ],
    },
  },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'role', as: 'value' },
    { field: 'cnpj', as: 'code' },
    { field: 'verification_status', as: 'status' },
  ],
}

/** The audit log with its proof, for the owner's own archive. */
export const auditExports: Declaration = {
  organization: {
    list: api.listAuditExports,
    get: api.getAuditExport,
    creates: {
      name: 'createAuditExport',
      operation: api.createAuditExport,
      isOwners: true,
      form: [{ field: 'format', chooses: { values: ['csv', 'ndjson'] }, isRequired: true, first: () => 'csv' }],
    },
  },
  titleOf: ({ id }) => textOf(id),
  columns: [
    { field: 'created_at', as: 'time' },
    { field: 'status', as: 'status' },
    { field: 'format', as: 'value' },
    { field: 'rows', as: 'number' },
    { field: 'expires_at', as: 'time' },
  ],
  details: [
    { field: 'sha256', as: 'code' },
    { field: 'size', as: 'bytes' },
  ],
  isRunning: isOneOf('queued'),
  downloads: ({ url }) => textOf(url),
}

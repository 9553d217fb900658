// What people may ask for under data protection law: copies of their data, and its erasure.
import * as api from '@titular/sdk'
import { isOneOf, type Declaration, textOf } from './resource.ts'

export const personExports: Declaration = {
  all: { list: api.adminListPersonExports },
  titleOf: ({ id }) => textOf(id),
  columns: [
    { field: 'id', as: 'code' },
    { field: 'user_id', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'size', as: 'bytes' },
    { field: 'created_at', as: 'time' },
    { field: 'expires_at', as: 'time' },
  ],
  isRunning: isOneOf('queued'),
  typed: [{ field: 'user_id', as: 'number' }],
  rowActions: [
    {
      name: 'createPersonExportLink',
      operation: api.adminCreatePersonExportLink,
      isOffered: isOneOf('completed'),
      shows: ['url', 'expires_at'],
      isMain: true,
    },
  ],
}

export const erasures: Declaration = {
  all: { list: api.adminListErasures },
  titleOf: ({ id }) => textOf(id),
  columns: [
    { field: 'user_id', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'requested_at', as: 'time' },
    { field: 'due_at', as: 'time' },
    { field: 'problem' },
    { field: 'ended_at', as: 'time' },
  ],
  isRunning: isOneOf('running'),
  statuses: ['scheduled', 'running', 'done', 'cancelled'],
  typed: [{ field: 'user_id', as: 'number' }],
  rowActions: [{ name: 'cancelErasure', operation: api.adminCancelErasure, isOffered: isOneOf('scheduled') }],
}

export const organizationErasures: Declaration = {
  all: { list: api.adminListOrganizationErasures },
  titleOf: ({ id }) => textOf(id),
  columns: [
    { field: 'organization_id', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'requested_at', as: 'time' },
    { field: 'due_at', as: 'time' },
    { field: 'kept_until', as: 'time' },
    { field: 'problem' },
    { field: 'ended_at', as: 'time' },
  ],
  isRunning: isOneOf('running', 'ending'),
  statuses: ['scheduled', 'running', 'kept', 'ending', 'done', 'cancelled'],
  typed: [{ field: 'organization_id', as: 'number' }],
  rowActions: [
    {
      name: 'cancelOrganizationErasure',
      operation: api.adminCancelOrganizationErasure,
      isOffered: isOneOf('scheduled'),
    },
  ],
}

/** Everybody may know why their data are used, and on which article of the law it rests. */
export const purposes: Declaration = {
  me: { list: api.listPrivacyPurposes },
  titleOf: ({ purpose }) => textOf(purpose),
  columns: [{ field: 'description', as: 'inLanguage' }, { field: 'legal_basis', as: 'value' }, { field: 'law' }],
}

// What is stuck, and what came from other systems: for operations.
import * as api from '@titular/sdk'
import { type Action, isItem, isOneOf, type Declaration, type Item, textOf } from './resource.ts'
import { COMPANIES } from './support.ts'

const stateIs = (...states: string[]) => {
  const has = isOneOf(...states)
  return ({ state }: Item): boolean => has({ status: state })
}

export const jobs: Declaration = {
  all: { list: api.adminListJobs },
  titleOf: ({ kind }) => textOf(kind),
  columns: [
    { field: 'kind', as: 'code' },
    { field: 'organization_name' },
    { field: 'state', as: 'value' },
    { field: 'last_error' },
    { field: 'attempts', as: 'number' },
    { field: 'failing_since', as: 'time' },
    { field: 'next_try_at', as: 'time' },
    { field: 'resource_id', as: 'code', of: ({ payload }) => (isItem(payload) ? payload['resource_id'] : null) },
  ],
  filters: [{ field: 'state', values: ['dead_letter', 'failing', 'late'] }],
  rowActions: [{ name: 'retryJob', isBulk: true, operation: api.adminRetryJob, isMain: true }],
}

/** Also in the list: what an event says may be for finance alone, what is done with it is not. */
const INBOUND_ACTS: readonly Action[] = [
  {
    name: 'replayInboundEvent',
    isBulk: true,
    operation: api.adminReplayInboundEvent,
    isOffered: stateIs('handled', 'failed', 'waiting'),
    isMain: true,
  },
  {
    name: 'dismissInboundEvent',
    isBulk: true,
    operation: api.adminDismissInboundEvent,
    isOffered: stateIs('unreadable'),
    form: [{ field: 'reason', isRequired: true }],
  },
]

export const inboundEvents: Declaration = {
  all: { list: api.adminListInboundEvents, get: api.adminGetInboundEvent },
  titleOf: ({ source, type }) => `${textOf(source)} ${textOf(type)}`,
  columns: [
    { field: 'received_at', as: 'time' },
    { field: 'source' },
    { field: 'type', as: 'code' },
    { field: 'state', as: 'value' },
    { field: 'error' },
    { field: 'company', as: 'value' },
  ],
  details: [
    { field: 'size', as: 'bytes' },
    { field: 'dedupe_key', as: 'code' },
    { field: 'set_aside_at', as: 'time' },
    { field: 'set_aside_reason' },
    { field: 'body' },
  ],
  filters: [
    { field: 'state', values: ['waiting', 'handled', 'failed', 'ignored', 'unreadable', 'set_aside'] },
    { field: 'company', values: COMPANIES, isOne: true },
  ],
  sorts: ['received_at'],
  actions: INBOUND_ACTS,
  rowActions: INBOUND_ACTS,
}

export const mailLog: Declaration = {
  all: { list: api.adminListMails, get: api.adminGetMail },
  titleOf: ({ subject, kind }) => textOf(subject) || textOf(kind),
  columns: [
    { field: 'created_at', as: 'time' },
    { field: 'email' },
    { field: 'subject' },
    { field: 'kind', as: 'code' },
    { field: 'status', as: 'status' },
  ],
  details: [
    { field: 'attempts', as: 'number' },
    { field: 'sent_at', as: 'time' },
    { field: 'error' },
    { field: 'organization_id', as: 'code' },
    { field: 'resend_of', as: 'code' },
  ],
  statuses: ['queued', 'sent', 'failed', 'refused', 'dropped'],
  typed: [{ field: 'email' }, { field: 'kind' }],
  actions: [
    {
      name: 'resendMail',
      isBulk: true,
      operation: api.adminResendMail,
      permission: 'jobs:write',
      isOffered: isOneOf('sent', 'failed', 'refused'),
      isMain: true,
    },
  ],
}

export const commerceOrders: Declaration = {
  all: { list: api.adminListCommerceOrders, get: api.adminGetCommerceOrder },
  titleOf: ({ number, reference }) => `${textOf(number)} ${textOf(reference)}`,
  columns: [
    { field: 'number', as: 'code' },
    { field: 'organization_name' },
    { field: 'platform' },
    { field: 'reference', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'platform_status' },
    { field: 'problem' },
    { field: 'synced_at', as: 'time' },
  ],
  details: [
    { field: 'company', as: 'value' },
    { field: 'is_imported', as: 'yesNo' },
    { field: 'created_at', as: 'time' },
  ],
  filters: [
    { field: 'has_problem', values: ['true', 'false'], isOne: true },
    { field: 'company', values: COMPANIES, isOne: true },
  ],
  sorts: ['created_at', 'synced_at'],
  actions: [
    {
      name: 'pushCommerceOrder',
      isBulk: true,
      operation: api.adminPushCommerceOrder,
      isOffered: ({ problem }) => Boolean(problem),
      isMain: true,
    },
  ],
}

export const crmProposals: Declaration = {
  all: { list: api.adminListCrmProposals },
  titleOf: ({ field }) => textOf(field),
  columns: [
    { field: 'organization_name' },
    { field: 'field', as: 'value' },
    { field: 'current_value' },
    { field: 'proposed_value' },
    { field: 'status', as: 'status' },
    { field: 'created_at', as: 'time' },
  ],
  statuses: ['open', 'accepted', 'rejected', 'withdrawn'],
  filters: [{ field: 'company', values: COMPANIES, isOne: true }],
  sorts: ['created_at', 'updated_at'],
  rowActions: [
    {
      name: 'acceptCrmProposal',
      isBulk: true,
      operation: api.adminAcceptCrmProposal,
      isOffered: isOneOf('open'),
      isMain: true,
    },
    { name: 'rejectCrmProposal', isBulk: true, operation: api.adminRejectCrmProposal, isOffered: isOneOf('open') },
  ],
}

export const crmDeals: Declaration = {
  all: { list: api.adminListCrmDeals },
  titleOf: (record) => textOf(record['quote_number']),
  columns: [
    { field: 'quote_number', as: 'code' },
    { field: 'organization_name' },
    { field: 'quote_status', as: 'status' },
    { field: 'stage' },
    { field: 'crm_stage' },
    { field: 'differs', as: 'yesNo' },
    { field: 'removed_at', as: 'time' },
    { field: 'synced_at', as: 'time' },
  ],
  filters: [
    { field: 'differs', values: ['true', 'false'], isOne: true },
    { field: 'company', values: COMPANIES, isOne: true },
  ],
  sorts: ['synced_at'],
}

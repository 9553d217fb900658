// How an organization's own systems hear of what happens, what was mailed, and who did what.
import * as api from '@titular/sdk'
import { type Field, type Declaration, textOf } from './resource.ts'

const endpoint: readonly Field[] = [
  { field: 'url', isRequired: true, first: ({ url }) => url },
  { field: 'description', first: ({ description }) => description, clears: true },
  { field: 'events', as: 'lines', isRequired: true, first: ({ events }) => events ?? ['*'] },
]

export const webhooks: Declaration = {
  organization: {
    list: api.listWebhookEndpoints,
    get: api.getWebhookEndpoint,
    creates: {
      name: 'createWebhookEndpoint',
      operation: api.createWebhookEndpoint,
      isAdmins: true,
      form: endpoint,
      shows: ['secret'],
    },
  },
  titleOf: ({ url }) => textOf(url),
  columns: [
    { field: 'url' },
    { field: 'status', as: 'status' },
    { field: 'last_success_at', as: 'time' },
    { field: 'failing_since', as: 'time' },
  ],
  details: [
    { field: 'description' },
    { field: 'events' },
    { field: 'disabled_reason' },
    { field: 'public_key', as: 'code' },
  ],
  actions: [
    {
      name: 'updateWebhookEndpoint',
      operation: api.updateWebhookEndpoint,
      isAdmins: true,
      form: [
        ...endpoint,
        { field: 'status', chooses: { values: ['active', 'paused'] }, first: ({ status }) => status },
      ],
    },
    { name: 'testWebhookEndpoint', operation: api.testWebhookEndpoint, isAdmins: true, isMain: true },
    {
      name: 'rotateWebhookSecret',
      operation: api.rotateWebhookEndpointSecret,
      isAdmins: true,
      shows: ['secret'],
    },
    {
      name: 'redeliverEvents',
      operation: api.redeliverWebhookEndpointEvents,
      isAdmins: true,
      form: [
        { field: 'from', as: 'time', isRequired: true },
        { field: 'to', as: 'time', isRequired: true },
      ],
    },
    { name: 'deleteWebhookEndpoint', operation: api.deleteWebhookEndpoint, isAdmins: true, isDangerous: true },
  ],
  sections: [
    {
      name: 'deliveries',
      list: api.listWebhookEndpointDeliveries,
      columns: [
        { field: 'created_at', as: 'time' },
        { field: 'type', as: 'code' },
        { field: 'state', as: 'status' },
        { field: 'attempts_count', as: 'number' },
        { field: 'last_status', as: 'number' },
        { field: 'next_attempt_at', as: 'time' },
      ],
      actions: [
        {
          name: 'redeliver',
          operation: api.redeliverWebhookEndpointDelivery,
          isAdmins: true,
          at: ({ id }) => ({ delivery_id: id }),
        },
      ],
    },
  ],
}

export const mails: Declaration = {
  organization: { list: api.listMails },
  titleOf: ({ subject }) => textOf(subject),
  columns: [
    { field: 'subject' },
    { field: 'email' },
    { field: 'status', as: 'status' },
    { field: 'created_at', as: 'time' },
    { field: 'sent_at', as: 'time' },
  ],
}

export const ownAuditLog: Declaration = {
  organization: { list: api.listAuditLog },
  titleOf: ({ action }) => textOf(action),
  columns: [
    { field: 'at', as: 'time' },
    { field: 'actor', as: 'actor' },
    { field: 'action', as: 'act' },
    { field: 'resource', as: 'record' },
    { field: 'resource_id', as: 'number' },
    { field: 'changes', as: 'changes' },
    { field: 'reason' },
  ],
}

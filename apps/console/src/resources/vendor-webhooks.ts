// Where the events of all organizations are sent, with the log of each delivery.
import * as api from '@titular/sdk'
import { type Field, isOneOf, type Declaration, textOf } from './resource.ts'

const PERMISSION = 'settings:write'

const url: Field = { field: 'url', isRequired: true, first: (record) => record['url'] }
const description: Field = { field: 'description', first: (record) => record['description'], clears: true }
const events: Field = { field: 'events', as: 'lines', isRequired: true, first: (record) => record['events'] ?? ['*'] }

export const vendorWebhookEndpoints: Declaration = {
  all: {
    list: api.adminListWebhookEndpoints,
    get: api.adminGetWebhookEndpoint,
    creates: {
      name: 'createWebhookEndpoint',
      operation: api.adminCreateWebhookEndpoint,
      permission: PERMISSION,
      form: [url, description, events, { field: 'signature', chooses: { values: ['v1', 'v1a'] } }],
      shows: ['secret', 'public_key'],
    },
  },
  titleOf: (record) => textOf(record['url']),
  columns: [
    { field: 'url', as: 'code' },
    { field: 'status', as: 'status' },
    { field: 'events' },
    { field: 'failing_since', as: 'time' },
    { field: 'last_success_at', as: 'time' },
  ],
  details: [
    { field: 'description' },
    { field: 'disabled_reason', as: 'value' },
    { field: 'signature', as: 'code' },
    { field: 'public_key', as: 'code' },
    { field: 'previous_secret_until', as: 'time' },
    { field: 'created_at', as: 'time' },
  ],
  statuses: ['active', 'paused', 'disabled'],
  actions: [
    {
      name: 'updateWebhookEndpoint',
      operation: api.adminUpdateWebhookEndpoint,
      permission: PERMISSION,
      form: [
        url,
        description,
        events,
        {
          field: 'status',
          chooses: { values: ['active', 'paused'] },
          first: ({ status }) => (status === 'disabled' ? '' : status),
        },
      ],
    },
    { name: 'testWebhookEndpoint', operation: api.adminTestWebhookEndpoint, permission: PERMISSION, isMain: true },
    {
      name: 'redeliverEvents',
      operation: api.adminRedeliverWebhookEndpointEvents,
      permission: PERMISSION,
      isOffered: isOneOf('active'),
      form: [
        { field: 'from', as: 'time', isRequired: true },
        { field: 'to', as: 'time', isRequired: true },
        { field: 'all', as: 'yesNo' },
      ],
    },
    {
      name: 'rotateWebhookSecret',
      operation: api.adminRotateWebhookEndpointSecret,
      permission: PERMISSION,
      form: [{ field: 'overlap_hours', as: 'number' }],
      body: {},
      shows: ['secret', 'public_key'],
    },
    {
      name: 'deleteWebhookEndpoint',
      operation: api.adminDeleteWebhookEndpoint,
      permission: PERMISSION,
      isDangerous: true,
    },
  ],
  sections: [
    {
      name: 'deliveries',
      list: api.adminListWebhookEndpointDeliveries,
      columns: [
        { field: 'created_at', as: 'time' },
        { field: 'type', as: 'code' },
        { field: 'state', as: 'value' },
        { field: 'attempts_count', as: 'number' },
        { field: 'last_status' },
        { field: 'next_attempt_at', as: 'time' },
        { field: 'delivered_at', as: 'time' },
      ],
      at: ({ id }) => ({ id }),
      detail: {
        get: api.adminGetWebhookEndpointDelivery,
        at: ({ id }, row) => ({ id, delivery_id: row['id'] }),
        columns: [
          { field: 'webhook_id', as: 'code' },
          { field: 'type', as: 'code' },
          { field: 'state', as: 'value' },
          { field: 'request_body', as: 'json' },
          { field: 'delivery_attempts', as: 'json', of: ({ attempts }) => attempts },
        ],
      },
      actions: [
        {
          name: 'redeliver',
          operation: api.adminRedeliverWebhookEndpointDelivery,
          permission: PERMISSION,
          isOffered: ({ state }) => state !== 'pending',
          at: ({ id, endpoint_id }) => ({ id: endpoint_id, delivery_id: id }),
        },
      ],
    },
  ],
}

// What staff do with orders and subscriptions.
import * as api from '@titular/sdk'
import { timelineOfOrder } from './timelines.ts'
import { type Action, type Field, isOneOf, textOf } from './resource.ts'
import type { Section } from './section.ts'
import { INVOICES, NOTE, REASON } from './shared.ts'

const WRITES = 'orders:write'

/** What becomes of the tax invoice is asked where money goes back. */
export const REFUND_FORM: readonly Field[] = [
  { field: 'amount', as: 'money' },
  REASON,
  { field: 'tax_invoice_action', chooses: { values: ['cancel', 'keep'] } },
]

export const ORDER_ACTS: readonly Action[] = [
  {
    name: 'updateOrderStatus',
    operation: api.updateOrderStatus,
    permission: WRITES,
    form: [
      {
        field: 'status',
        isRequired: true,
        chooses: {
          values: ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'],
        },
      },
      NOTE,
    ],
    isPreviewed: true,
  },
  {
    name: 'refundOrder',
    operation: api.refundOrder,
    permission: 'finances:write',
    isOffered: isOneOf('completed'),
    form: REFUND_FORM,
    isPreviewed: true,
    isDangerous: true,
    opens: 'refunds',
  },
  {
    name: 'createOrderSubscription',
    operation: api.createOrderSubscription,
    permission: WRITES,
    isOffered: isOneOf('pending', 'processing', 'completed'),
    form: [
      { field: 'collection_method', chooses: { values: ['charge_automatically', 'send_invoice'] } },
      { field: 'interval', chooses: { values: ['month', 'year'] } },
      { field: 'amount', as: 'money' },
      { field: 'trial_days', as: 'number' },
    ],
    opens: 'subscriptions',
  },
  {
    name: 'cancelOrder',
    operation: api.cancelOrder,
    permission: WRITES,
    isOffered: isOneOf('pending', 'processing', 'on-hold', 'failed'),
    isPreviewed: true,
    isDangerous: true,
  },
]

export const ORDER_SECTIONS: readonly Section[] = [
  {
    name: 'entitlements',
    rows: 'entitlements',
    columns: [{ field: 'code', as: 'code' }, { field: 'product_name' }, { field: 'status', as: 'status' }],
    opens: { resource: 'entitlements' },
  },
  {
    name: 'invoices',
    list: api.listOrderInvoices,
    scope: 'finances',
    at: ({ id }) => ({ order_id: id }),
    columns: INVOICES,
    opens: { resource: 'invoices' },
  },
  {
    name: 'taxInvoices',
    list: api.listOrderTaxInvoices,
    scope: 'finances',
    at: ({ id }) => ({ order_id: id }),
    columns: [
      { field: 'nfse_number', as: 'code' },
      { field: 'status', as: 'status' },
      { field: 'total', as: 'money' },
    ],
    opens: { resource: 'tax-invoices' },
  },
  timelineOfOrder,
]

const isRunning = isOneOf('requested', 'trialing', 'active', 'past_due', 'paused', 'unpaid', 'incomplete')

export const SUBSCRIPTION_ACTS: readonly Action[] = [
  {
    name: 'pauseOrderSubscription',
    operation: api.pauseOrderSubscription,
    permission: WRITES,
    isOffered: isOneOf('active', 'trialing', 'past_due'),
    isPreviewed: true,
  },
  {
    name: 'resumeOrderSubscription',
    operation: api.resumeOrderSubscription,
    permission: WRITES,
    isOffered: isOneOf('paused'),
    isPreviewed: true,
    isMain: true,
  },
  {
    name: 'deleteOrderSubscriptionCancellation',
    operation: api.deleteOrderSubscriptionCancellation,
    permission: WRITES,
    isOffered: (record) => isRunning(record) && textOf(record['ends_at']) !== '',
    isPreviewed: true,
  },
  {
    name: 'cancelOrderSubscription',
    operation: api.cancelOrderSubscription,
    permission: WRITES,
    isOffered: isRunning,
    form: [
      {
        field: 'at',
        chooses: { values: ['period_end', 'now'] },
        isRequired: true,
        first: () => 'period_end',
      },
      REASON,
    ],
    isPreviewed: true,
    isDangerous: true,
  },
]

/** The lines that are billed again; each is changed by the code of what it pays for. */
export const SUBSCRIPTION_SECTIONS: readonly Section[] = [
  {
    name: 'billedLines',
    isOfRecord: true,
    rowsOf: ({ line_items, currency, status }) =>
      (Array.isArray(line_items) ? line_items : []).map((line: object) => ({ ...line, currency, status })),
    columns: [
      { field: 'entitlement_code', as: 'code' },
      { field: 'product_name' },
      { field: 'quantity', as: 'number' },
      { field: 'unit_price', as: 'money' },
      { field: 'total', as: 'money' },
    ],
    actions: [
      {
        name: 'updateOrderSubscription',
        operation: api.updateOrderSubscription,
        permission: WRITES,
        isOffered: (line) => isRunning(line) && textOf(line['entitlement_code']) !== '',
        form: [
          { field: 'quantity', as: 'number', first: ({ quantity }) => quantity },
          { field: 'unit_price', as: 'money', first: ({ unit_price }) => unit_price },
          { field: 'discount_percent', as: 'money', first: ({ discount_percent }) => discount_percent },
        ],
        shape: (given, { entitlement_code }) => ({ line_items: [{ ...given, entitlement_code }] }),
        isPreviewed: true,
      },
    ],
  },
]

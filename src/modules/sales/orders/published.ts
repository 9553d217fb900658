// What customers see of the events of orders, subscriptions of orders included.
import { Type } from 'typebox'
import { publishedResource } from '#kernel/data/published.ts'
import { Order, OrderRow, ordersTable } from './order.ts'

const subscription = Type.Pick(OrderRow, [
  'subscription_status',
  'subscription_interval',
  'subscription_amount',
  'subscription_ends_at',
  'subscription_cancelled_by',
  'subscription_paused_by',
]).properties
const { created_at, updated_at } = OrderRow.properties

export const publishedOrders = publishedResource(ordersTable, {
  scopes: ['orders'],
  record: Type.Object(
    { ...Order.properties, ...subscription, created_at, updated_at },
    { description: 'An order as its events carry it' },
  ),
  events: {
    created: 'An order was made from an accepted quote.',
    updated: 'A field of an order changed.',
    pending: 'An order waits for its payment again.',
    processing: 'An order is paid and is being delivered.',
    'on-hold': 'An order was put on hold.',
    completed: 'An order was delivered.',
    cancelled: 'An order was cancelled.',
    refunded: 'An order was refunded.',
    failed: 'An order failed, mostly because a payment did.',
    subscription_requested: 'An order is to be billed regularly: by the payment provider, or by invoices.',
    subscription_charge_failed: 'The payment provider could not charge a subscription.',
    subscription_cancelled: 'A subscription was cancelled, for now or for the end of its period.',
    subscription_changed: 'The subscription of an order changed, at the payment provider or here.',
  },
})

// Routes that record a payment, or undo one, on an order, its invoices and its quote together (spec 4.4, 4.5;
// docs/interface.md, Quotes, orders, payment).
import { notInFuture } from '#kernel/values/time-rules.ts'
import { Type } from 'typebox'
import { Invoice, InvoicePayment } from '#areas/invoices/invoice.ts'
import { OrderStatus, OrderStatusChange } from '#areas/orders/order.ts'
import { Quote } from '#areas/quotes/quote.ts'
import { org, staff } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById, Id } from '#kernel/values/schema.ts'
import { cancelOrder, cancelQuote, changeOrderStatus } from './cancel-order.ts'
import { payByHand } from './pay-by-hand.ts'

const OrderMoved = Type.Object({ id: Id, number: Type.String({ examples: ['O-42'] }), status: OrderStatus })

export const paymentRoutes = [
  route({
    method: 'POST',
    path: '/quotes/{id}/cancel',
    tag: 'quotes',
    access: staff,
    purpose: 'Cancel a quote, with its order and open invoice.',
    params: ById,
    data: Quote,
    fails: ['CONFLICT'],
    dryRun: true,
    run: async (ctx, { params }) => ({ data: await cancelQuote(ctx, params.id), message: 'Quote cancelled' }),
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/cancel',
    tag: 'orders',
    access: org('orders'),
    purpose: 'Cancel an order.',
    description: 'An open invoice becomes void, a payment is refunded, the quote is cancelled.',
    params: ById,
    data: Type.Null(),
    fails: ['CONFLICT'],
    dryRun: true,
    run: async (ctx, { params }) => {
      await cancelOrder(ctx, params.id)
      return { data: null, message: 'Order cancelled' }
    },
  }),
  route({
    method: 'PUT',
    path: '/orders/{id}/status',
    tag: 'orders',
    access: staff,
    purpose: 'Change the status of an order.',
    params: ById,
    body: OrderStatusChange,
    example: { status: 'on-hold', note: 'Waiting for the purchase order' },
    data: OrderMoved,
    fails: ['CONFLICT'],
    dryRun: true,
    run: async (ctx, { params, body }) => {
      const { id, number, status } = await changeOrderStatus(ctx, params.id, body)
      return { data: { id, number, status }, message: `Order ${status}` }
    },
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/pay',
    tag: 'invoices',
    access: staff,
    purpose: 'Record a payment made outside the provider.',
    params: ById,
    body: InvoicePayment,
    rules: ({ paid_at }, { now }) => notInFuture('paid_at', paid_at, now),
    example: { payment_method: 'bank_transfer', paid_at: '2026-11-20T12:00:00.000Z' },
    data: Invoice,
    fails: ['CONFLICT'],
    run: async (ctx, { params, body }) => ({
      data: await payByHand(ctx, params.id, body),
      message: 'Payment recorded',
    }),
  }),
]

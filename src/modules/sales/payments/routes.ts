// Routes that undo an order, its invoices and its quote together (spec 4.4, 4.5; docs/interface/sales.md, Orders).
import { Type } from 'typebox'
import { OrderStatus, OrderStatusChange } from '#modules/sales/orders/order.ts'
import { Quote } from '#modules/sales/quotes/quote.ts'
import { org, staff } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Id } from '#kernel/values/schema.ts'
import { MethodsPage, NewMethodsPage, openMethodsPage } from './methods-page.ts'
import { ownBody } from '#http/organization-body.ts'
import { cancelOrder, cancelQuote, changeOrderStatus } from './cancel-order.ts'

const OrderMoved = Type.Object({ id: Id, number: Type.String({ examples: ['O-42'] }), status: OrderStatus })

export const paymentRoutes = [
  route({
    method: 'POST',
    path: '/payments/methods-session',
    access: org('finances'),
    purpose: 'Open the payment provider’s page of the stored payment methods.',
    description:
      'Where the card that subscriptions are charged with is seen and replaced. It leads back to the portal. ' +
      '409 where the organization has never paid at the provider of the legal entity.',
    body: NewMethodsPage,
    openapi: { operationId: 'createPaymentMethodsSession', example: { company: 'entity_br' } },
    status: 201,
    data: MethodsPage,
    fails: ['no_payment_customer', 'SERVICE_UNAVAILABLE'],
    before: (io, { body }) => openMethodsPage(io, body.company),
    run: async (ctx, { body }, page) => {
      ownBody(ctx, body)
      return { data: page, message: 'Page opened' }
    },
  }),
  route({
    method: 'POST',
    path: '/quotes/{id}/cancel',
    access: staff('quotes'),
    purpose: 'Cancel a quote, with its order and open invoice.',
    description: 'Of an accepted quote staff need the scopes of its order and invoice too: `orders` and `finances`.',
    params: ById,
    openapi: { tag: 'quotes' },
    data: Quote,
    fails: ['payment_disputed', 'status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params }) => ({ data: await cancelQuote(ctx, params.id), message: 'Quote cancelled' }),
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/cancel',
    access: org('orders'),
    purpose: 'Cancel an order.',
    description:
      'An open invoice becomes void, a payment is refunded, the quote is cancelled. A refund needs the ' +
      'scope finances too; of staff an open invoice does as well.',
    params: ById,
    openapi: { tag: 'orders' },
    data: Type.Null(),
    fails: ['payment_disputed', 'status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params }) => {
      await cancelOrder(ctx, params.id)
      return { data: null, message: 'Order cancelled' }
    },
  }),
  route({
    method: 'POST',
    path: '/orders/{id}/status',
    access: staff('orders'),
    purpose: 'Update the status of an order.',
    description: '`cancelled` does, and needs, what `POST /orders/{id}/cancel` does.',
    params: ById,
    body: OrderStatusChange,
    openapi: { tag: 'orders', example: { status: 'on-hold', note: 'Waiting for the purchase order' } },
    data: OrderMoved,
    fails: ['payment_disputed', 'status_not_allowed'],
    features: { dryRun: true },
    run: async (ctx, { params, body }) => {
      const { id, number, status } = await changeOrderStatus(ctx, params.id, body)
      return { data: { id, number, status }, message: `Order ${status}` }
    },
  }),
]

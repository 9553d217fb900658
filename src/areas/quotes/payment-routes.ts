// What changes orders and invoices together with their quote (spec 4.5; docs/interface.md, Quotes, orders, payment).
import { notInFuture } from '#kernel/values/time-rules.ts'
import { Type, type Static } from 'typebox'
import { closeCheckoutLater } from '#areas/invoices/checkout-later.ts'
import { Invoice, invoiceMoves, InvoicePayment } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import { OrderStatus, OrderStatusChange } from '#areas/orders/order.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import { org, staff } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById, Id } from '#kernel/values/schema.ts'
import { cancelOrder, changeOrderStatus } from './cancel.ts'
import { settleInvoice } from './settle.ts'

const OrderMoved = Type.Object({ id: Id, number: Type.String({ examples: ['O-42'] }), status: OrderStatus })

/** Money that came by another way than the provider: its checkout is closed, so that nobody pays twice. */
async function payByHand(ctx: OrganizationContext, id: number, body: Static<typeof InvoicePayment>): Promise<Invoice> {
  const { payment_method = 'offline', paid_at } = ownBody(ctx, body)
  const paidAt = paid_at === undefined ? ctx.now : new Date(paid_at)
  const invoice = await invoices.forChange(ctx, id)
  if (!allows(invoiceMoves.pay, invoice.status)) throw conflict(`An invoice that is ${invoice.status} cannot be paid`)
  await settleInvoice(ctx, id, { method: payment_method, paidAt })
  await closeCheckoutLater(ctx, id)
  return invoices.afterChange(ctx, id)
}

export const paymentRoutes = [
  route({
    method: 'POST',
    path: '/orders/{id}/cancel',
    tag: 'orders',
    access: org('orders'),
    purpose: 'Cancel an order.',
    description: 'An open invoice becomes void, a payment is given back, the quote is cancelled.',
    params: ById,
    data: Type.Null(),
    fails: ['CONFLICT'],
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
    purpose: 'Move an order along its table.',
    params: ById,
    body: OrderStatusChange,
    example: { status: 'on-hold', note: 'Waiting for the purchase order' },
    data: OrderMoved,
    fails: ['CONFLICT'],
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
    purpose: 'Record a payment that came by another way than the provider.',
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

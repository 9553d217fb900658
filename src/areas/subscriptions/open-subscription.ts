// POST /orders/{id}/subscription, and the job that asks the payment provider for it.
import { amountField } from '#kernel/values/amount-field.ts'
import { type OrderRow, ordersTable } from '#areas/orders/order.ts'
import { orders } from '#areas/orders/queries.ts'
import { failPermanently } from '#areas/payments/ask-provider.ts'
import { customerAt, rememberPaymentCustomer } from '#areas/payments/payment-customer.ts'
import { rememberReference } from '#areas/payments/payment-references.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/http/errors.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import type { ProviderSubscription } from '#ports/payments.ts'
import { followSubscription } from './follow-provider.ts'
import { subscriptions } from './queries.ts'
import { hasEnded, isOver, type NewSubscription, REQUESTED } from './subscription.ts'
import { abandonSubscription, askForSubscription, subscriptionKey } from './subscription-jobs.ts'

export async function requestSubscription(ctx: OrganizationContext, id: number, body: NewSubscription): Promise<void> {
  const { interval, amount } = ownBody(ctx, body)
  const order = await orders.forChange(ctx, id)
  if (await subscriptions.requiresInvoice(ctx))
    throw conflict('The organization pays by invoice: it is not charged automatically')
  if (isOver(order)) throw conflict(`An order that is ${order.status} cannot be subscribed`)
  if (!hasEnded(order)) throw conflict(`The order has a subscription that is ${order.subscription_status}`)
  await update(
    ctx,
    ordersTable,
    id,
    {
      subscription_status: REQUESTED,
      subscription_reference: null,
      subscription_url: null,
      subscription_interval: interval,
      subscription_amount: amountOf(order, amount),
      subscription_requested_at: ctx.now.toISOString(),
      subscription_ends_at: null,
    },
    ordersTable.events.subscription_requested,
  )
  await enqueue(ctx, askForSubscription, { order_id: id }, { key: subscriptionKey(id) })
}

function amountOf({ total, currency }: OrderRow, given: string | undefined): string {
  const amount = amountField('amount', given ?? total, currency)
  if (amount <= 0n) throw invalid({ amount: 'must be more than 0' })
  return formatMoney(amount, currency)
}

type Opened = { orderId: number; requestedAt: string | null; provider: string; answer: ProviderSubscription } | null

async function open({ read, ports, organizationId }: IoContext, orderId: number): Promise<Opened> {
  const [order] = await read(subscriptions.toAsk(organizationId ?? 0, orderId))
  if (!order || order.subscription_status !== REQUESTED || order.subscription_amount === null) return null
  if (isOver(order)) return null
  const payments = ports.payments[order.company]
  if (!payments) throw new PermanentFailure(`${order.company} has no payment provider that could charge automatically`)
  const requestedAt = order.subscription_requested_at
  const answer = await payments
    .openSubscription({
      idempotencyKey: `order-${order.id}-subscription-${requestedAt === null ? 0 : Date.parse(requestedAt)}`,
      organizationId: organizationId ?? 0,
      organizationName: order.organization_name,
      organizationEmail: order.organization_email,
      organizationCnpj: order.organization_cnpj,
      customer: customerAt(payments.provider, order),
      orderId: order.id,
      orderNumber: order.number,
      amount: order.subscription_amount,
      currency: order.currency,
      interval: order.subscription_interval ?? 'month',
    })
    .catch(failPermanently)
  return { orderId: order.id, requestedAt, provider: payments.provider, answer }
}

async function remember(ctx: OrganizationContext, opened: Opened): Promise<void> {
  if (!opened) return
  const { orderId, provider, answer } = opened
  const order = await orders.forChange(ctx, orderId)
  const { company } = order
  const { reference, customer, checkoutUrl } = answer
  await rememberPaymentCustomer(ctx, { company, provider }, customer)
  // Also if the subscription is not needed any more, since the provider's events about it concern this order.
  const at = { company, provider, reference }
  await rememberReference(ctx, at, { resource: 'subscription', resource_id: orderId })
  // The order or the request was cancelled during the request to the provider.
  if (!isWanted(order, opened)) return enqueue(ctx, abandonSubscription, at)
  await update(ctx, ordersTable, orderId, { subscription_reference: reference, subscription_url: checkoutUrl })
  await followSubscription(ctx, orderId, { ...answer, provider, endsAt: null, paidInvoices: [] })
}

const isWanted = (order: OrderRow, { requestedAt }: { requestedAt: string | null }): boolean =>
  !isOver(order) && order.subscription_status === REQUESTED && order.subscription_requested_at === requestedAt

export const askForSubscriptionJob = organizationJob(askForSubscription, {
  before: (io, { payload }) => open(io, payload.order_id),
  run: (ctx, _job, opened) => remember(ctx, opened),
})

// The job that asks the payment provider for a subscription.
import { type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { failPermanently } from '#modules/sales/payments/ask-provider.ts'
import { customerAt, rememberPaymentCustomer } from '#modules/sales/payments/payment-customer.ts'
import { rememberReference } from '#modules/sales/payments/payment-references.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import type { ProviderSubscription } from '#ports/payments.ts'
import { beginTrial, refusalOfTrial } from './begin-trial.ts'
import { applySubscriptionState } from './apply-subscription-state.ts'
import { changeSubscription } from './paid-periods.ts'
import { subscriptions } from './queries.ts'
import { CANCELLED, isOver, REQUESTED } from './subscription.ts'
import { abandonSubscription, askForSubscription } from './subscription-jobs.ts'

type SubscriptionOptions = { order_id: number; trial_days?: number }
type OpenedSubscription = {
  orderId: number
  requestedAt: string | null
  provider: string
  answer: ProviderSubscription
} | null

async function open(
  { read, ports, organizationId }: IoContext,
  { order_id: orderId, trial_days }: SubscriptionOptions,
): Promise<OpenedSubscription> {
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
      trialDays: trial_days ?? null,
    })
    .catch(failPermanently)
  return { orderId: order.id, requestedAt, provider: payments.provider, answer }
}

async function remember(ctx: OrganizationContext, opened: OpenedSubscription): Promise<void> {
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
  if (answer.trialEndsAt !== null) {
    // Paid while the provider was asked: it is delivered, and would be charged again at the end of the trial.
    if ((await refusalOfTrial(ctx, order)) !== null) {
      await changeSubscription(ctx, orderId, { subscription_status: CANCELLED })
      return enqueue(ctx, abandonSubscription, at)
    }
    await beginTrial(ctx, order)
  }
  await update(ctx, ordersTable, orderId, {
    subscription_reference: reference,
    subscription_url: checkoutUrl,
    subscription_trial_ends_at: answer.trialEndsAt,
  })
  await applySubscriptionState(ctx, orderId, { ...answer, provider, endsAt: null, paidInvoices: [] })
}

const isWanted = (order: OrderRow, { requestedAt }: { requestedAt: string | null }): boolean =>
  !isOver(order) && order.subscription_status === REQUESTED && order.subscription_requested_at === requestedAt

export const askForSubscriptionJob = organizationJob(askForSubscription, {
  before: (io, { payload }) => open(io, payload),
  run: (ctx, _job, opened) => remember(ctx, opened),
})

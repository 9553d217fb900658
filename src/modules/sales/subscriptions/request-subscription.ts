// POST /orders/{id}/subscription: a job asks the payment provider to charge the order, or the service itself bills it.
import { billedAgain, intervalOfLines } from '#modules/sales/orders/billed-again.ts'
import { CHARGE_AUTOMATICALLY, type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { assertPayable } from '#ports/payable-amounts.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { beginSending } from './begin-sending.ts'
import { assertTrial } from './begin-trial.ts'
import { assertNotExtended } from './not-extended.ts'
import { applyRenewalOfPeriod } from './paid-periods.ts'
import { subscriptions } from './queries.ts'
import { NOT_CANCELLED } from './self-service.ts'
import { hasEnded, isOver, type NewSubscription, REQUESTED } from './subscription.ts'
import { askForSubscription, subscriptionKey } from './subscription-jobs.ts'

export async function requestSubscription(ctx: OrganizationContext, id: number, body: NewSubscription): Promise<void> {
  const { collection_method = CHARGE_AUTOMATICALLY, trial_days, ...given } = ownBody(ctx, body)
  const order = { ...(await orders.forChange(ctx, id)), subscription_line_items: null }
  const isCharged = collection_method === CHARGE_AUTOMATICALLY
  if (isCharged && (await subscriptions.requiresInvoice(ctx)))
    throw conflict('pays_by_invoice', 'The organization pays by invoice: it is not charged automatically')
  if (isOver(order)) throw conflict('status_not_allowed', `An order that is ${order.status} cannot be subscribed`)
  if (!hasEnded(order))
    throw conflict('subscription_exists', `The order has a subscription that is ${order.subscription_status}`)
  await assertNotExtended(ctx, id)
  if (isCharged && intervalOfLines(order) !== null && order.line_items.some(({ interval }) => interval === undefined))
    throw conflict('one_time_lines', 'The order has lines that are billed once: it is not charged automatically')
  if (isCharged && trial_days !== undefined) await assertTrial(ctx, order)
  const amount = amountFor(order, given.amount)
  assertPayable(ctx, order, { amount })
  const asked = {
    subscription_status: REQUESTED,
    subscription_collection_method: collection_method,
    subscription_reference: null,
    subscription_url: null,
    subscription_interval: intervalFor(order, given.interval),
    subscription_amount: amount,
    subscription_requested_at: ctx.now.toISOString(),
    subscription_ends_at: null,
    ...NOT_BEGUN,
  }
  const begun = isCharged ? {} : await beginSending(ctx, { ...order, ...asked }, trial_days)
  const values = { ...asked, ...begun }
  const requested = await update(ctx, ordersTable, id, values, ordersTable.events.subscription_requested)
  await applyRenewalOfPeriod(ctx, requested)
  if (!isCharged) return
  const payload = { order_id: id, ...(trial_days !== undefined && { trial_days }) }
  await enqueue(ctx, askForSubscription, payload, { key: subscriptionKey(id) })
}

const NOT_BEGUN = {
  subscription_trial_ends_at: null,
  subscription_failed_attempt: null,
  subscription_anchor: null,
  subscription_invoiced_until: null,
  subscription_next_at: null,
  subscription_line_items: null,
  subscription_plans: null,
  subscription_paused_by: null,
  ...NOT_CANCELLED,
}

function intervalFor(order: OrderRow, given: NewSubscription['interval']) {
  const ofLines = intervalOfLines(order)
  const interval = given ?? ofLines
  if (interval === null) throw invalid({ interval: 'is required, since no line of the order has one' })
  if (ofLines !== null && interval !== ofLines) throw invalid({ interval: `is ${ofLines} in the lines of the order` })
  return interval
}

function amountFor(order: OrderRow, given: string | undefined): string {
  const { total, currency } = billedAgain(order)
  const amount = formatMoney(amountField('amount', given ?? total, currency), currency)
  if (formatMoney(0n, currency) === amount) throw invalid({ amount: 'must be more than 0' })
  if (intervalOfLines(order) !== null && amount !== total)
    throw invalid({ amount: `is ${total} in the lines of the order` })
  return amount
}

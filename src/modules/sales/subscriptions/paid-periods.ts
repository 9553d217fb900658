// The periods that the payments of a subscription pay for, and the ends that follow them (docs/billing.md,
// docs/decisions/0053).
import { endEntitlementsSoldBy } from '#modules/delivery/entitlements/renew-by-order.ts'
import {
  endEntitlementsOfOrder,
  extendEntitlementsOfOrder,
  markEntitlementsOfOrder,
  type PaidEnd,
  type RenewedEntitlements,
  retractEntitlementsOfOrder,
} from '#modules/delivery/entitlements/paid-end.ts'
import { setQuantitiesOfOrder } from '#modules/delivery/entitlements/paid-quantity.ts'
import { isBeside } from '#modules/sales/invoices/beside-order.ts'
import { type InvoiceRow, OF_SUBSCRIPTION } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { intervalOf, intervalOfLines, isBilledAgain } from '#modules/sales/orders/billed-again.ts'
import { type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { addMonths } from '#kernel/values/time/calendar.ts'
import { nextPeriod, type Period } from '#modules/delivery/entitlements/periods.ts'
import type { PaidPeriod } from '#ports/payments.ts'
import { ACTIVE, isInArrears, isOver, isRunning, TRIALING } from './subscription.ts'

/** Tolerance for the provider's clock, which the time of a payment comes from. */
const OTHER_CLOCK_MS = 60_000

/** The period that the provider names, else the one after the order's latest, refunded ones included. */
export async function periodOf(
  ctx: OrganizationContext,
  order: OrderRow,
  { period, paidAt }: { period: PaidPeriod | null; paidAt: Date },
): Promise<Pick<InvoiceRow, 'period_start' | 'period_end'>> {
  if (period) return { period_start: period.start, period_end: period.end }
  const before = (await invoices.ofOrderForChange(ctx, order.id)).flatMap(storedPeriod)
  const { start, end } = nextPeriod(before, paidAt, intervalOf(ctx, order))
  return { period_start: start.toISOString(), period_end: end.toISOString() }
}

/** After a payment: entitlements that would end before the paid time are extended to its end. */
export async function applyPaymentOfPeriod(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  const paid = await paidEnd(ctx, order)
  if (paid) await extendEntitlementsOfOrder(ctx, renewedBy(order), paid)
  await markEntitlementsOfOrder(ctx, renewedBy(order), paid)
}

/** Billing begins anew at `start`, after a time that nobody pays for: what it renews waits for that payment. */
export async function applyReturn(ctx: OrganizationContext, order: OrderRow, start: Date): Promise<void> {
  const { months, timeZone } = intervalOf(ctx, order)
  const awaited = { start, end: addMonths(start, months, timeZone) }
  await extendEntitlementsOfOrder(ctx, renewedBy(order), { until: start, awaited })
}

/** Another state of the subscription: what it pays for waits for the next payment, or does so no more. */
export async function changeSubscription(
  ctx: OrganizationContext,
  id: number,
  values: Partial<OrderRow>,
): Promise<void> {
  await applyRenewalOfPeriod(ctx, await update(ctx, ordersTable, id, values, ordersTable.events.subscription_changed))
}

/** After a change of the subscription, or of the end of an entitlement. */
export async function applyRenewalOfPeriod(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  await markEntitlementsOfOrder(ctx, renewedBy(order), await paidEnd(ctx, order))
}

/**
 * The end of the latest paid period. The next one, which begins later where billing begins after a term that was paid,
 * is awaited while the subscription runs, unless it was refunded or the subscription ends before it.
 */
async function paidEnd(ctx: OrganizationContext, order: OrderRow): Promise<PaidEnd | null> {
  const all = await invoices.ofOrderForChange(ctx, order.id)
  const until = (await paidUntil(ctx, order)) ?? triedUntil(order) ?? broughtUntil(order, all)
  if (!until) return null
  const refunded = refundedPeriods(all)
  const { subscription_ends_at: endsAt, subscription_anchor: anchor } = order
  const isBilled = isRunning(order) || isInArrears(order)
  const goesOn = isBilled && !isOver(order) && (endsAt === null || Date.parse(endsAt) > until.getTime())
  const isAwaited = goesOn && refunded.every(({ start }) => start < until)
  const { months, timeZone } = intervalOf(ctx, order)
  const start = anchor !== null && new Date(anchor) > until ? new Date(anchor) : until
  return { until, awaited: isAwaited ? { start, end: addMonths(start, months, timeZone) } : null }
}

/** The end of a trial at the provider, whose first charge comes a little later, is awaited, and may fail. */
function triedUntil({ subscription_anchor, subscription_status: status, ...order }: OrderRow): Date | undefined {
  const end = order.subscription_trial_ends_at
  const isAwaited = subscription_anchor === null && end !== null && (status === TRIALING || status === ACTIVE)
  return isAwaited ? new Date(end) : undefined
}

/** Paid elsewhere until its billing here began: it has had no invoice of its own. */
function broughtUntil(order: OrderRow, all: readonly InvoiceRow[]): Date | undefined {
  const { subscription_anchor: anchor, subscription_trial_ends_at: trialEnd, date_paid } = order
  const isBrought = date_paid !== null && trialEnd === null && all.every(({ origin }) => origin === OF_SUBSCRIPTION)
  return isBrought && anchor !== null ? new Date(anchor) : undefined
}

/** The entitlements get the quantities of the latest paid period that has begun. One that staff have set stays. */
export async function applyQuantities(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  const paid = await paidInvoices(ctx, order)
  const begun = paid.filter(({ period_start }) => period_start !== null && new Date(period_start) <= ctx.now)
  const [latestBegun] = begun.toSorted((one, other) => compareStarts(other, one))
  if (!latestBegun) return
  const all = (await invoices.ofOrderForChange(ctx, order.id)).flatMap(({ line_items }) => line_items)
  const isBilled = (code: string, quantity: number) =>
    all.some((line) => line.entitlement_code === code && line.quantity === quantity)
  await setQuantitiesOfOrder(ctx, order.id, ({ code, quantity }) =>
    isBilled(code, quantity)
      ? latestBegun.line_items.find(({ entitlement_code }) => entitlement_code === code)?.quantity
      : undefined,
  )
}

const compareStarts = ({ period_start: one }: InvoiceRow, { period_start: other }: InvoiceRow): number =>
  Date.parse(one ?? '') - Date.parse(other ?? '')

/** Whether a period that has an invoice, paid or not, lasts at that moment. */
export async function isInvoicedAt(ctx: OrganizationContext, orderId: number, moment: Date): Promise<boolean> {
  const live = (await invoices.ofOrderForChange(ctx, orderId)).filter(({ status }) => status !== 'void')
  return live.flatMap(storedPeriod).some(({ start, end }) => start <= moment && moment < end)
}

/** The end of the latest paid period; undefined if nothing is paid. */
export async function paidUntil(ctx: OrganizationContext, order: OrderRow): Promise<Date | undefined> {
  const paid = await paidInvoices(ctx, order)
  return latest(paid.map((one) => periodPaidBy(ctx, order, one)))?.end
}

const renewedBy = (order: OrderRow): RenewedEntitlements => ({
  orderId: order.id,
  includes: (line) => isBilledAgain(order, line),
})

/** After a refund: entitlements that end with a refunded period end with the latest one that is still paid. */
export async function applyRefundOfPeriod(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  const all = await invoices.ofOrderForChange(ctx, order.id)
  await retractTo(ctx, order, refundedPeriods(all), null)
}

/**
 * After a payment was moved away: the same, but what waits for the payment is suspended with its arrears, as any other,
 * and not taken back at once. So the end stays where nothing else is paid.
 */
export async function applyReopening(ctx: OrganizationContext, order: OrderRow, invoice: InvoiceRow): Promise<void> {
  if ((await paidInvoices(ctx, order)).length === 0) return
  const paid = await paidEnd(ctx, order)
  await retractTo(ctx, order, storedPeriod(invoice), paid?.awaited ?? null)
}

async function retractTo(
  ctx: OrganizationContext,
  order: OrderRow,
  refunded: readonly Period[],
  awaited: Period | null,
): Promise<void> {
  if (refunded.length === 0) return
  // Without any paid period what was paid for has never begun.
  const [begin] = refunded.map(({ start }) => start).toSorted((one, other) => one.getTime() - other.getTime())
  const paid = await paidInvoices(ctx, order)
  const until = latest(paid.map((one) => periodPaidBy(ctx, order, one)))?.end ?? begin ?? ctx.now
  const { timeZone } = intervalOf(ctx, order)
  const hasTerms = isPaidAtOnce(order, paid)
  await retractEntitlementsOfOrder(ctx, renewedBy(order), {
    ends: refunded.map(({ end }) => end),
    awaited,
    untilOf: ({ created_at, quote_line }) => {
      const months = hasTerms ? order.line_items[quote_line ?? -1]?.term_months : null
      const term = months ? addMonths(new Date(created_at), months, timeZone) : until
      return term > until ? term : until
    },
  })
  await applyRenewalOfPeriod(ctx, order)
}

/** Whether its terms were paid at once before it was billed again: they are not shortened. */
function isPaidAtOnce(order: OrderRow, paid: readonly InvoiceRow[]): boolean {
  if (intervalOfLines(order) !== null) return false
  const requestedAt = Date.parse(order.subscription_requested_at ?? '') - OTHER_CLOCK_MS
  return paid.some((one) => one.origin !== OF_SUBSCRIPTION && paidAt(one) < requestedAt)
}

/** When the provider has ended the subscription: the entitlements end with the paid time. */
export async function endWithSubscription(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  const paid = await paidInvoices(ctx, order)
  const last = latest(paid.map((one) => periodPaidBy(ctx, order, one)))
  if (!last) return endEntitlementsSoldBy(ctx, order.id, 'subscription_ended')
  await endEntitlementsOfOrder(ctx, renewedBy(order), last.end, { keepsTerms: isPaidAtOnce(order, paid) })
  await markEntitlementsOfOrder(ctx, renewedBy(order), null)
}

/** Invoices that staff added to the order, and refunded ones, pay for no time. */
async function paidInvoices(ctx: OrganizationContext, order: OrderRow): Promise<InvoiceRow[]> {
  const all = await invoices.ofOrderForChange(ctx, order.id)
  const paid = all.filter((one) => one.status !== 'void' && one.payment_status === 'paid' && one.paid_at !== null)
  return paid.filter((one) => !isBeside(order, one, all))
}

/**
 * A payment that was not the subscription's, or was recorded before there were periods, pays for the interval after it.
 */
function periodPaidBy(ctx: OrganizationContext, order: OrderRow, invoice: InvoiceRow): Period {
  const [stored] = storedPeriod(invoice)
  if (stored) return stored
  const { months, timeZone } = intervalOf(ctx, order)
  const start = new Date(paidAt(invoice))
  return { start, end: addMonths(start, months, timeZone) }
}

const storedPeriod = ({ period_start, period_end }: InvoiceRow): Period[] =>
  period_start === null || period_end === null ? [] : [{ start: new Date(period_start), end: new Date(period_end) }]

/** What was paid in part of one that is void was for a time that nobody has paid: it may be billed again. */
const refundedPeriods = (all: readonly InvoiceRow[]): Period[] =>
  all.filter((one) => one.status !== 'void' && one.payment_status === 'refunded').flatMap(storedPeriod)

const latest = (periods: readonly Period[]): Period | undefined =>
  periods.toSorted((one, other) => other.end.getTime() - one.end.getTime())[0]

const paidAt = ({ paid_at }: InvoiceRow): number => Date.parse(paid_at ?? '')

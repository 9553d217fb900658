// Until when the payments of a subscription last, and the ends of the order's entitlements (docs/decisions/0022).
import {
  cancelEntitlementsOfOrder,
  endEntitlementsOfOrder,
  extendEntitlementsOfOrder,
} from '#areas/entitlements/move-entitlement.ts'
import { type InvoiceRow, OF_ORDER, OF_SUBSCRIPTION } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import type { OrderRow } from '#areas/orders/order.ts'
import { addMonths } from '#kernel/values/calendar.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { zoneOf } from '#ports/ports.ts'

/** Tolerance for the provider's clock, which the time of a payment comes from. */
const OTHER_CLOCK_MS = 60_000

/** When the provider has ended the subscription: the entitlements end with the paid time. */
export async function endWithSubscription(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  const paid = await paidInvoices(ctx, order)
  const last = paid.at(-1)
  if (!last) return cancelEntitlementsOfOrder(ctx, order.id, 'subscription_ended')
  const requestedAt = Date.parse(order.subscription_requested_at ?? '') - OTHER_CLOCK_MS
  // A term that was paid at once before the automatic charging began is not shortened.
  const keepsTerms = paid.some((one) => one.origin !== OF_SUBSCRIPTION && paidAt(one) < requestedAt)
  await endEntitlementsOfOrder(ctx, order.id, until(ctx, order, last), { keepsTerms })
}

/** When another interval was paid: entitlements that would end before its end are extended to it. */
export async function renewWithSubscription(ctx: OrganizationContext, order: OrderRow): Promise<void> {
  const last = (await paidInvoices(ctx, order)).at(-1)
  if (last) await extendEntitlementsOfOrder(ctx, order.id, until(ctx, order, last))
}

const paidAt = ({ paid_at }: InvoiceRow): number => Date.parse(paid_at ?? '')

/** In the order of payment. Invoices that staff added to the order, and refunded ones, do not extend the paid time. */
async function paidInvoices(ctx: OrganizationContext, { id }: OrderRow): Promise<InvoiceRow[]> {
  const notVoid = (await invoices.ofOrderForChange(ctx, id)).filter(({ status }) => status !== 'void')
  const hasOwn = notVoid.some(({ origin }) => origin === OF_ORDER)
  const all = notVoid.filter(({ origin }) => !hasOwn || origin === OF_ORDER || origin === OF_SUBSCRIPTION)
  return all
    .filter(({ payment_status, paid_at }) => payment_status === 'paid' && paid_at !== null)
    .toSorted((one, other) => paidAt(one) - paidAt(other))
}

const MONTHS = { month: 1, year: 12 } as const

const until = (ctx: OrganizationContext, order: OrderRow, last: InvoiceRow): Date =>
  addMonths(new Date(paidAt(last)), MONTHS[order.subscription_interval ?? 'month'], zoneOf(ctx, order.company))

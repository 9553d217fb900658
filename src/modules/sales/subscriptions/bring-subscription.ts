// Subscriptions that another system has billed so far (docs/interface/integrations.md, Imports): an order that is
// completed, whose periods the service itself bills from the next one on.
import { attachToOrder, unsoldEntitlement } from '#modules/delivery/entitlements/attach-to-order.ts'
import type { EntitlementSale } from '#modules/delivery/entitlements/entitlement.ts'
import type { PricedLine } from '#modules/delivery/products/line-item.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { amountsOf } from '#modules/sales/orders/amounts.ts'
import { CHARGE_AUTOMATICALLY, type OrderRow, ordersTable, SEND_INVOICE } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { insert } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { usualCompany } from '#kernel/values/company.ts'
import { formatMoney } from '#kernel/values/money.ts'
import { dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Rules } from '#http/route.ts'
import { assertPayable } from '#ports/payable-amounts.ts'
import { zoneOf } from '#ports/ports.ts'
import { nextStepAt } from './invoice-period.ts'
import { applyRenewalOfPeriod } from './paid-periods.ts'
import { ACTIVE, type BroughtLine, type BroughtSubscription } from './subscription.ts'

const OF_LINE = ['product_name', 'quantity', 'unit_price', 'entitlement_class', 'description', 'tax_percent'] as const

export const broughtSubscriptionRules: Rules<BroughtSubscription> = ({ collection_method }, { isGiven }): Fields => ({
  // The provider's earlier payments would be billed here again.
  ...(collection_method === CHARGE_AUTOMATICALLY && {
    collection_method: 'cannot be imported: end it there, and ask for it by POST /orders/{id}/subscription',
  }),
  ...(isGiven('line_items')
    ? Object.fromEntries(OF_LINE.filter(isGiven).map((field) => [field, 'must not stand beside line_items']))
    : Object.fromEntries(
        (['product_name', 'unit_price'] as const)
          .filter((field) => !isGiven(field))
          .map((field) => [field, 'is required: line_items']),
      )),
})

export async function bringSubscription(
  ctx: OrganizationContext,
  body: BroughtSubscription,
  entitlementId: number | null,
): Promise<OrderRow> {
  const { currency, interval, next_date, purchase_order = null, notes = null, metadata = {} } = body
  const entitlement = entitlementId === null ? null : await unsoldEntitlement(ctx, entitlementId)
  const { country, ...billing } = await invoices.billing(ctx)
  const company = body.company ?? entitlement?.company ?? usualCompany(country)
  if (entitlement && entitlement.company !== company)
    throw invalid({ company: `must be that of the entitlement, ${entitlement.company}` })
  const amounts = amountsOf(pricedLines(body, entitlement), currency)
  if (amounts.total === formatMoney(0n, currency)) throw invalid({ unit_price: 'must be more than 0' })
  assertPayable(ctx, { company, currency }, { unit_price: amounts.total })
  const now = ctx.now.toISOString()
  const { id } = await one(ctx, orders.nextId(ctx.organizationId))
  const order = await insert(ctx, ordersTable, {
    id,
    number: `O-${id}`,
    status: 'completed',
    company,
    currency,
    ...amounts,
    notes,
    purchase_order,
    metadata,
    billing_email: billing.email,
    billing_name: billing.legal_name ?? billing.name,
    billing_address: { ...billing, country },
    // Until the next period it is paid, elsewhere.
    date_paid: now,
    date_completed: now,
    subscription_status: ACTIVE,
    subscription_collection_method: SEND_INVOICE,
    subscription_interval: interval,
    subscription_amount: amounts.total,
    subscription_requested_at: now,
    ...(await beginAt(ctx, company, next_date)),
  })
  if (entitlementId !== null) await attachToOrder(ctx, entitlementId, id)
  await applyRenewalOfPeriod(ctx, order)
  return order
}

/** The entitlement is that of the first line. */
const pricedLines = (body: BroughtSubscription, entitlement: EntitlementSale | null): PricedLine[] =>
  linesOf(body).map((line, index) => ({
    entitlement_class: (index === 0 && entitlement?.class) || 'ORD',
    ...line,
    interval: body.interval,
    ...(index === 0 && entitlement && { entitlement_code: entitlement.code }),
  }))

/** Nothing is billed for the time before. */
async function beginAt(ctx: OrganizationContext, company: Company, day: string): Promise<Partial<OrderRow>> {
  const zone = zoneOf(ctx, company)
  if (day < dayIn(ctx.now, zone)) throw invalid({ next_date: 'must not lie in the past' })
  const at = startOfDay(day, zone).toISOString()
  const subscription_next_at = await nextStepAt(ctx, { company }, { until: at, trialEnd: null })
  return { subscription_anchor: at, subscription_invoiced_until: at, subscription_next_at }
}

function linesOf({ line_items, ...body }: BroughtSubscription): readonly BroughtLine[] {
  if (line_items) return line_items
  const { product_name = '', unit_price = '', quantity = 1, entitlement_class, description, tax_percent } = body
  return [
    {
      product_name,
      unit_price,
      quantity,
      ...(entitlement_class && { entitlement_class }),
      ...(description !== undefined && { description }),
      ...(tax_percent !== undefined && { tax_percent }),
    },
  ]
}

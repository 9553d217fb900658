// Provisions a paid quote (spec 6): one entitlement per line with the records of its class; then the quote is fulfilled
// and the order completed. All of it commits together with the deletion of the job, so a crash can neither lose nor
// repeat it.
import { openAffiliate } from '#modules/delivery/affiliates/open-affiliate.ts'
import { type EntitlementClass, entitlementsTable } from '#modules/delivery/entitlements/entitlement.ts'
import { renewByOrder } from '#modules/delivery/entitlements/renew-by-order.ts'
import { provisionEnvironment } from '#modules/delivery/environments/provision-environment.ts'
import { issueLicense } from '#modules/delivery/licenses/issue-license.ts'
import type { LineItem } from '#modules/delivery/products/line-item.ts'
import { isBilledAgain } from '#modules/sales/orders/billed-again.ts'
import { orderMoves, type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { givenWith } from '#modules/delivery/products/offers.ts'
import { openService } from '#modules/delivery/services/open-service.ts'
import { addMonths } from '#kernel/values/time/calendar.ts'
import { INTERVAL_MONTHS } from '#modules/delivery/entitlements/periods.ts'
import { insert, move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { eventJobKind } from '#kernel/data/job-kinds.ts'
import { PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { quotes } from './queries.ts'
import { quoteMoves, quotesTable } from './quote.ts'

export async function provision(ctx: OrganizationContext, quoteId: number): Promise<void> {
  const quote = await quotes.forChange(ctx, quoteId)
  // Cancelled since the payment; the refund has been started.
  if (!allows(quoteMoves.fulfill, quote.status)) return
  const order = await orders.forChange(ctx, quote.order_id ?? 0)
  // Refunded before anything was provisioned.
  if (GIVES_NOTHING.includes(order.status)) return void (await move(ctx, quotesTable, quoteId, quoteMoves.cancel))
  const trialEnd = order.subscription_status === 'trialing' ? order.subscription_trial_ends_at : null
  const paid_until = (await quotes.paidUntil(ctx, order.id)) ?? trialEnd
  const ids: number[] = []
  for (const [index, line] of order.line_items.entries()) {
    const { entitlement_code: code } = line
    if (code === null) throw new PermanentFailure(`line ${index} of order ${order.number} has no code`)
    if (line.is_renewal && line.term_months !== null) {
      ids.push(await renewByOrder(ctx, code, { orderId: order.id, months: line.term_months }))
      continue
    }
    ids.push(
      await provisionLine(
        ctx,
        {
          ...quote,
          quote_id: quoteId,
          order_id: order.id,
          paid_until: isBilledAgain(order, index) ? paid_until : null,
        },
        { line, index, code },
      ),
    )
  }
  await move(ctx, quotesTable, quoteId, quoteMoves.fulfill, { entitlement_ids: ids })
  if (allows(orderMoves.complete, order.status))
    await move(ctx, ordersTable, order.id, orderMoves.complete, { date_completed: ctx.now.toISOString() })
}

/** Whether the order's quote is paid and not provisioned yet. */
export async function isBeingDelivered(ctx: OrganizationContext, { quote_id }: OrderRow): Promise<boolean> {
  return quote_id !== null && allows(quoteMoves.fulfill, (await quotes.forChange(ctx, quote_id)).status)
}

const GIVES_NOTHING: readonly string[] = ['cancelled', 'refunded']

export type NumberedLine = { line: LineItem; index: number; code: string }
/** `quote_id` is null for an order that was made at the commerce platform, `paid_until` without a subscription. */
export type SoldOrder = {
  company: Company
  currency: string
  quote_id: number | null
  order_id: number
  paid_until: string | null
}

/** Creates the entitlement of one line with the record of its class; returns the entitlement's id. */
export async function provisionLine(
  ctx: OrganizationContext,
  { company, currency, quote_id, order_id, paid_until }: SoldOrder,
  { line, index, code }: NumberedLine,
): Promise<number> {
  const sale = { company, zone: zoneOf(ctx, company), paidAt: ctx.now }
  const sold = entitlementOf(line, sale)
  const given = await givenWith(ctx, line.product_id)
  const entitlement = await insert(ctx, entitlementsTable, {
    ...sold,
    expires_at: line.interval ? (paid_until ?? sold.expires_at) : notBefore(paid_until, sold.expires_at),
    product_id: line.product_id,
    features: line.features ?? given.features,
    updates_until: notBefore(paid_until, endAfter(given.update_months, sale)),
    code,
    quote_id,
    order_id,
    auto_created: true,
    // The quantity of all but licenses is here too, as it was before there was a field for it.
    metadata: line.entitlement_class === 'PLG' ? null : JSON.stringify({ quantity: line.quantity }),
    quote_line: index,
  })
  const { id: entitlement_id, expires_at: expiresAt } = entitlement
  const provisioned = { entitlement_id, entitlement_code: code, name: line.product_name, company, expiresAt }
  await PROVISION[line.entitlement_class](ctx, { ...provisioned, quantity: line.quantity, currency })
  return entitlement.id
}

/** The entitlement of a line without its code, quote and order; the preview of a quote shows the same. */
export const entitlementOf = (
  { entitlement_class, product_name, description, quantity, term_months, interval }: LineItem,
  { company, zone, paidAt }: Sale,
) => ({
  class: entitlement_class,
  product_name,
  product_description: description,
  quantity,
  company,
  // What is billed again lasts for its first period.
  expires_at: endAfter(interval ? INTERVAL_MONTHS[interval] : term_months, { zone, paidAt }),
})

type Sale = { company: Company; zone: string; paidAt: Date }

const endAfter = (months: number | null, { zone, paidAt }: Pick<Sale, 'zone' | 'paidAt'>): string | null =>
  months === null ? null : addMonths(paidAt, months, zone).toISOString()

/** More may be paid than the term: a year of a subscription, or a renewal that was recorded before the delivery. */
const notBefore = (paidUntil: string | null, end: string | null): string | null =>
  end !== null && paidUntil !== null && paidUntil > end ? paidUntil : end

type SoldEntitlement = {
  entitlement_id: number
  entitlement_code: string
  name: string
  company: Company
  expiresAt: string | null
  quantity: number
  currency: string
}

/** Creates the record that belongs to an entitlement of the class. */
const PROVISION: Record<EntitlementClass, (ctx: OrganizationContext, sold: SoldEntitlement) => Promise<unknown>> = {
  PLG: issueLicense,
  ENV: provisionEnvironment,
  SVC: openService,
  AFL: openAffiliate,
  ORD: async () => {},
  EDU: async () => {},
}

export const provisionOrder = eventJobKind('quotes/provision', { isUrgent: true })
/** The job's key as the consumer of the paid quote's event sets it. */
export const provisioningKey = (organizationId: number, quoteId: number): string =>
  `${provisionOrder.name}:${quotesTable.resource}:${quoteId}:${organizationId}`

export const provisionOrderJob = organizationJob(provisionOrder, {
  run: (ctx, { payload }) => provision(ctx, payload.resource_id),
})

// What customers do with their subscriptions themselves: by the organization's own list, else by the setting of the
// legal entity. Staff, and the service itself, do everything.
import type { SelfService } from '#ports/company-settings.ts'
import { wordsIn } from '#ports/settings-in-force.ts'
import { ARREARS, type OrderRow, type PausedBy } from '#modules/sales/orders/order.ts'
import { one, type OrganizationContext, type Ports } from '#kernel/data/context.ts'
import { forbidden } from '#kernel/values/errors.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'

export const isCustomer = ({ caller }: Pick<OrganizationContext, 'caller'>): boolean =>
  caller.kind !== 'system' && !caller.staff

export const sideOf = (ctx: OrganizationContext): 'customer' | 'vendor' => (isCustomer(ctx) ? 'customer' : 'vendor')

/** The list that counts for orders of the company in `company`, as an array of the database. */
export const selfServiceOf = (
  org: number | Statement,
  settings: Ports['settings'],
  company: Statement,
): Statement => sql`
  coalesce((select self_service from organizations where organization_id = ${org} and id = ${org}),
    ${wordsIn(settings, company, 'self_service')})`

/** Nobody has cancelled it. */
export const NOT_CANCELLED = { subscription_cancelled_by: null, subscription_cancel_reason: null }

/** 403 for customers where the vendor does it. */
export async function assertSelfService(
  ctx: OrganizationContext,
  { company }: Pick<OrderRow, 'company'>,
  act: SelfService,
): Promise<void> {
  if (!isCustomer(ctx)) return
  const list = selfServiceOf(ctx.organizationId, ctx.settings, sql`${company}`)
  const { acts } = await one(ctx, sql<{ acts: SelfService[] }>`select ${list} as acts`)
  if (!acts.includes(act))
    throw forbidden('no_self_service', `The vendor does this (${act}) for its customers: ask it to`)
}

/** 403 for customers after the vendor, whose job may still wait for the payment provider. */
export function assertNotVendors(ctx: OrganizationContext, by: PausedBy | null): void {
  if (isCustomer(ctx) && by !== null && by !== 'customer')
    throw forbidden('no_self_service', 'The vendor has stopped the subscription: ask it for another end')
}

/** 403 for customers where it was not the customer who stopped the subscription. */
export function assertOwnDoing(ctx: OrganizationContext, by: PausedBy | null): void {
  if (isCustomer(ctx) && by === ARREARS)
    throw forbidden('no_self_service', 'The subscription is paused for what is due: it goes on when that is paid')
  if (isCustomer(ctx) && by !== 'customer')
    throw forbidden('no_self_service', 'It was not a customer who stopped the subscription: ask the vendor')
}

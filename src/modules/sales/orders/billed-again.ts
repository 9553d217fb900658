// What of an order is billed again, and when (docs/decisions/0061).
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { formatMoney, parseMoney, sum } from '#kernel/values/money.ts'
import { INTERVAL_MONTHS, type Interval } from '#modules/delivery/entitlements/periods.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { settingIn } from '#ports/settings-in-force.ts'
import type { LineItem } from '../../delivery/products/line-item.ts'
import type { OrderRow } from './order.ts'

type OrderLines = { line_items: readonly LineItem[] }

/** The interval of its lines that are billed again; null if there are none. */
export const intervalOfLines = ({ line_items }: OrderLines) =>
  line_items.find(({ interval }) => interval !== undefined)?.interval ?? null

/** Whether the subscription is of the line; where no line has an interval it is of all. */
export const isBilledAgain = (order: OrderLines, line: number | null): boolean =>
  intervalOfLines(order) === null || order.line_items[line ?? -1]?.interval !== undefined

/** The order with the lines that are billed again, and their amounts, since the latest change of the plan. */
export function billedAgain(order: OrderRow): OrderRow {
  const { currency, subscription_line_items: changed } = order
  if (changed === null && intervalOfLines(order) === null) return order
  const line_items = changed ?? order.line_items.filter(({ interval }) => interval !== undefined)
  const total = (field: 'subtotal' | 'discount' | 'tax' | 'total'): string =>
    formatMoney(sum(line_items.map((line) => parseMoney(line[field], currency))), currency)
  return {
    ...order,
    line_items,
    subtotal: total('subtotal'),
    discount_total: total('discount'),
    tax_total: total('tax'),
    total: total('total'),
  }
}

/** The interval of the subscription, in the time zone of its legal entity. */
export const intervalOf = (
  ctx: OrganizationContext,
  { subscription_interval, company }: Pick<OrderRow, 'subscription_interval' | 'company'>,
): Interval => ({ months: INTERVAL_MONTHS[subscription_interval ?? 'month'], timeZone: zoneOf(ctx, company) })

const DAY_MS = 86_400_000

/** When the invoice of the period that begins at `start` is made: by the organization's days, else the setting's. */
export async function invoicedAt(ctx: OrganizationContext, company: Company, start: Date): Promise<string> {
  const { days } = await one(
    ctx,
    sql<{ days: number }>`
      select coalesce(renewal_invoice_days,
          ${settingIn(ctx.settings, company, 'renewal_invoice_days')}::int) as days
        from organizations where organization_id = ${ctx.organizationId} and id = ${ctx.organizationId}`,
  )
  return new Date(start.getTime() - days * DAY_MS).toISOString()
}

// An order from an accepted quote: its lines and amounts as they stood, and who is billed.
import { insert } from '#kernel/changes.ts'
import { one, type OrganizationContext } from '#kernel/context.ts'
import { formatMoney } from '#kernel/money.ts'
import type { Company } from '#kernel/schema.ts'
import type { LineItem } from './line-item.ts'
import { type OrderRow, ordersTable } from './order.ts'
import { orders } from './queries.ts'

const PREFIX = 'O-'

type Billed = Record<string, string | null> & { name: string | null; legal_name: string | null; email: string | null }

/** What was agreed on: the accepted quote. */
type Agreed = {
  id: number
  company: Company
  currency: string
  subtotal: string
  total: string
  line_items: LineItem[]
  notes: string | null
}

export async function createOrder(ctx: OrganizationContext, quote: Agreed, billing: Billed): Promise<OrderRow> {
  const { id } = await one(ctx, orders.nextId())
  const { payment_customer_id_br: _br, payment_customer_id_global: _global, ...address } = billing
  return insert(ctx, ordersTable, {
    id,
    number: `${PREFIX}${id}`,
    status: 'pending',
    company: quote.company,
    currency: quote.currency,
    subtotal: quote.subtotal,
    tax_total: formatMoney(0n, quote.currency),
    total: quote.total,
    line_items: quote.line_items,
    quote_id: quote.id,
    customer_id: ctx.caller.userId,
    billing_email: billing.email ?? ctx.caller.email,
    billing_name: billing.legal_name ?? billing.name,
    billing_address: address,
    notes: quote.notes,
  })
}

// An order from an accepted quote: a copy of its lines and amounts, and who is billed.
import { insert } from '#kernel/data/changes.ts'
import type { Caller, OrganizationContext } from '#kernel/data/context.ts'
import { pick } from '#kernel/values/schema.ts'
import { type OrderRow, ordersTable, TERMS } from './order.ts'
import { orders } from './queries.ts'

const PREFIX = 'O-'

type BillingFields = Record<string, string | null> & {
  name: string | null
  legal_name: string | null
  email: string | null
}

type AcceptedQuote = { id: number } & Pick<OrderRow, (typeof TERMS)[number]>

/** The id of the next order, by which others can name it before it is written. */
export const nextOrderId = (org: number) => orders.nextId(org)

export async function createOrder(
  ctx: OrganizationContext,
  id: number,
  { quote, billing }: { quote: AcceptedQuote; billing: BillingFields },
): Promise<OrderRow> {
  return insert(ctx, ordersTable, { id, number: `${PREFIX}${id}`, ...orderFrom(quote, billing, ctx.caller) })
}

/** The order without its id and number; the preview of a quote shows the same. */
export function orderFrom(quote: AcceptedQuote, billing: BillingFields, buyer: Pick<Caller, 'userId' | 'email'>) {
  const { payment_customer_id_br: _br, payment_customer_id_global: _global, ...address } = billing
  return {
    status: 'pending' as const,
    ...pick(quote, TERMS),
    quote_id: quote.id,
    customer_id: buyer.userId,
    billing_email: billing.email ?? buyer.email,
    billing_name: billing.legal_name ?? billing.name,
    billing_address: address,
  }
}

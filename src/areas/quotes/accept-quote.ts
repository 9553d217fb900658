// POST /quotes/{id}/accept (spec 3.1): order, open invoice and the job that opens the checkout, in one transaction.
import { createInvoice } from '#areas/invoices/create-invoice.ts'
import { createOrder } from '#areas/orders/create-order.ts'
import type { LineItem } from '#areas/orders/line-item.ts'
import { openCheckoutLater } from '#areas/payments/enqueue-checkout.ts'
import { move } from '#kernel/data/changes.ts'
import { dayIn } from '#kernel/values/calendar.ts'
import { allocateCodesFor } from '#kernel/data/codes.ts'
import type { OrganizationContext, IoContext, Ports } from '#kernel/data/context.ts'
import { conflict } from '#kernel/http/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { zoneOf } from '#ports/ports.ts'
import { quotes } from './queries.ts'
import { type Quote, type QuoteAcceptance, quoteMoves, quotesTable } from './quote.ts'

type Decided = Pick<Quote, 'status' | 'valid_until'>

/** Why the quote cannot be accepted on this day; null when it can. */
export function refusalOf({ status, valid_until }: Decided, today: string, newer: string | null): string | null {
  if (newer !== null) return `The quote was replaced by ${newer}`
  if (!allows(quoteMoves.accept, status)) return `A quote that is ${status} cannot be accepted`
  return valid_until < today ? `The quote was valid until ${valid_until}` : null
}

type CodeContext = Pick<IoContext, 'read' | 'now' | 'organizationId'> & { ports: Pick<Ports, 'settings'> }

/** Codes by line; drawn before the transaction, so that no other organization waits for it. None where it is in vain. */
export async function allocateLineCodes(io: CodeContext, id: number): Promise<string[]> {
  const [quote] = await io.read(quotes.decided(io.organizationId ?? 0, id))
  if (!quote || refusalOf(quote, dayIn(io.now, zoneOf(io.ports, quote.company)), quote.newer)) return []
  return allocateCodesFor(
    io,
    quote.line_items.map((line) => line.entitlement_class),
  )
}

export async function acceptQuote(
  ctx: OrganizationContext,
  id: number,
  { purchase_order }: QuoteAcceptance,
  codes: readonly string[],
): Promise<{ quote: Quote; orderId: number }> {
  const quote = await quotes.forChange(ctx, id)
  const today = dayIn(ctx.now, zoneOf(ctx, quote.company))
  const newer = quote.superseded_by_id === null ? null : await quotes.numberOf(ctx, quote.superseded_by_id)
  const refusal = refusalOf(quote, today, newer)
  if (refusal !== null) throw conflict(refusal)
  const accepted = {
    line_items: withCodes(quote.line_items, codes),
    purchase_order: purchase_order ?? quote.purchase_order,
  }
  const order = await createOrder(ctx, { ...quote, ...accepted }, await quotes.billing(ctx))
  const moved = await move(ctx, quotesTable, id, quoteMoves.accept, {
    ...accepted,
    order_id: order.id,
    accepted_at: ctx.now.toISOString(),
  })
  const invoice = await createInvoice(ctx, order, { issueDate: today, userId: ctx.caller.userId })
  await openCheckoutLater(ctx, invoice.id)
  return { quote: moved, orderId: order.id }
}

function withCodes(lines: readonly LineItem[], codes: readonly string[]): LineItem[] {
  return lines.map((line, index) => {
    const code = codes[index]
    // It became acceptable, by being sent, after the codes were to be drawn.
    if (code === undefined) throw conflict('The quote changed at this moment; try again')
    return { ...line, entitlement_code: code }
  })
}

// POST /quotes/{id}/accept (spec 3.1): order, open invoice and the job that opens the checkout, in one transaction.
import { createInvoice } from '#areas/invoices/create.ts'
import { createOrder } from '#areas/orders/create.ts'
import { move } from '#kernel/changes.ts'
import { dayIn } from '#kernel/calendar.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import { conflict } from '#kernel/errors.ts'
import { enqueue } from '#kernel/jobs.ts'
import { allows } from '#kernel/moves.ts'
import { zoneOf } from '#ports/ports.ts'
import { quotes } from './queries.ts'
import { type Quote, quoteMoves, quotesTable } from './quote.ts'

export async function acceptQuote(ctx: OrganizationContext, id: number): Promise<{ quote: Quote; orderId: number }> {
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.accept, quote.status)) throw conflict(`A quote that is ${quote.status} cannot be accepted`)
  const today = dayIn(ctx.now, zoneOf(ctx, quote.company))
  if (quote.valid_until < today) throw conflict(`The quote was valid until ${quote.valid_until}`)
  const billing = await quotes.billing(ctx)
  const order = await createOrder(ctx, quote, billing)
  const accepted = await move(ctx, quotesTable, id, quoteMoves.accept, {
    order_id: order.id,
    accepted_at: ctx.now.toISOString(),
  })
  const invoice = await createInvoice(ctx, order, { issueDate: today, userId: ctx.caller.userId })
  await enqueue(ctx, 'quotes/open-checkout', { invoice_id: invoice.id }, { key: `invoice:${invoice.id}` })
  return { quote: accepted, orderId: order.id }
}

// POST /quotes/{id}/accept (spec 3.1): order, open invoice and the job that opens the checkout, in one transaction.
import { isDeepStrictEqual } from 'node:util'
import { allocateNumber, createInvoice } from '#modules/sales/invoices/create-invoice.ts'
import { assertPayable } from '#ports/payable-amounts.ts'
import { createOrder, nextOrderId } from '#modules/sales/orders/create-order.ts'
import { UNVERIFIED, verificationOf } from '#modules/delivery/customers/verification.ts'
import { openCheckoutLater } from '#modules/sales/payments/enqueue-checkout.ts'
import { move } from '#kernel/data/changes.ts'
import { fiscalProfileOn } from '#ports/fiscal-profiles.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import type { IoContext, OrganizationContext, Ports } from '#kernel/data/context.ts'
import { type AppError, conflict, notFound } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { type RowsOf, sql } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { assertRenewable } from './renewals/renewal-lines.ts'
import { type QuoteDecision, quotes } from './queries.ts'
import { chosenOffer, type LineChoice, orderedLines, type QuoteLine } from './quote-line.ts'
import type { LinkAnswer } from './links/quote-link.ts'
import { type Quote, type QuoteAcceptance, quoteMoves, quotesTable } from './quote.ts'

/** Why the quote cannot be accepted on this day; null when it can. */
export function refusalOf(
  { status, valid_until, newer }: QuoteDecision,
  { is_unverified }: { is_unverified: boolean },
  today: string,
): AppError | null {
  if (newer !== null) return conflict('quote_superseded', `The quote was replaced by ${newer}`)
  if (!allows(quoteMoves.accept, status))
    return conflict('status_not_allowed', `A quote that is ${status} cannot be accepted`)
  if (valid_until < today) return conflict('quote_expired', `The quote was valid until ${valid_until}`)
  return is_unverified ? conflict('organization_unverified', UNVERIFIED) : null
}

type CodeContext = Pick<IoContext, 'read' | 'now' | 'organizationId' | 'store'> & {
  ports: Pick<Ports, 'settings'>
}

/**
 * One code per chosen line, allocated before the transaction, since all organizations share the counter
 * (docs/interface/delivery.md).
 * None if the quote cannot be accepted.
 */
export function allocateLineCodes(io: CodeContext, id: number, chosen: readonly LineChoice[] = []): Promise<string[]> {
  const todayOf = (company: Company) => dayIn(io.now, zoneOf(io.ports, company))
  const today = { entity_br: todayOf('entity_br'), entity_global: todayOf('entity_global') }
  const given = chosen.flatMap(({ index, is_chosen }) => (is_chosen === undefined ? [] : [[index, is_chosen] as const]))
  const choices = Object.fromEntries(given)
  const org = io.organizationId ?? 0
  const unless = sql`coalesce((${verificationOf(org)}), true)`
  return io.store.allocateCodes(io, quotes.prefixes({ org, id, today, choices }), unless)
}

/** By what `acceptQuote` decides: the quote, which is locked, and what else of the organization it needs. */
export const factsToAccept = (org: number, id: number) =>
  [quotes.toAccept(org, id), verificationOf(org), quotes.billedWithTaxes(org), nextOrderId(org)] as const

type Acceptance = {
  facts: RowsOf<ReturnType<typeof factsToAccept>>
  body: QuoteAcceptance
  codes: readonly string[]
  /** Keeps the evidence of an acceptance through a public link; called when nothing refuses it. */
  answer?: () => Promise<LinkAnswer>
}

export async function acceptQuote(
  ctx: OrganizationContext,
  id: number,
  { facts, body, codes, answer }: Acceptance,
): Promise<{ quote: Quote; orderId: number }> {
  const [[quote], [verification], [billed], [next]] = facts
  if (!quote || !verification || !billed || !next) throw notFound()
  const { tax_withholding: withholding, ...billing } = billed
  const today = dayIn(ctx.now, zoneOf(ctx, quote.company))
  const refusal = refusalOf(quote, verification, today)
  if (refusal !== null) throw refusal
  const chosen = chosenOffer(quote, body.line_items)
  // The smallest and the largest quantity were checked; a discount in percent of one between may leave an amount that
  // cannot be paid.
  assertPayable(ctx, quote, { line_items: chosen.total })
  await assertRenewable(ctx, chosen.line_items)
  const accepted = {
    ...chosen,
    line_items: withCodes(chosen.line_items, codes),
    purchase_order: body.purchase_order ?? quote.purchase_order,
  }
  const answered_by = (await answer?.()) ?? null
  const { id: orderId } = next
  const [order, moved, numbered, profile] = await Promise.all([
    createOrder(ctx, orderId, {
      quote: { ...quote, ...accepted, line_items: orderedLines(accepted.line_items) },
      billing,
    }),
    move(ctx, quotesTable, id, quoteMoves.accept, {
      ...accepted,
      answered_by,
      offered_line_items: isDeepStrictEqual(chosen.line_items, quote.line_items) ? null : quote.line_items,
      order_id: orderId,
      accepted_at: ctx.now.toISOString(),
    }),
    allocateNumber(ctx, quote.company),
    fiscalProfileOn(ctx, today),
  ])
  const invoice = await createInvoice(ctx, order, {
    numbered,
    issueDate: today,
    userId: ctx.caller.userId,
    taxes: { withholding, profile },
  })
  await openCheckoutLater(ctx, invoice.id)
  return { quote: moved, orderId }
}

function withCodes(lines: readonly QuoteLine[], codes: readonly string[]): QuoteLine[] {
  const left = [...codes]
  return lines.map((line) => {
    if (!line.is_chosen || line.is_renewal) return line
    const code = left.shift()
    // No codes were allocated, since the quote could not be accepted at that time; now it can.
    if (code === undefined) throw conflict('changed_meanwhile', 'The quote changed at this moment; try again')
    return { ...line, entitlement_code: code }
  })
}

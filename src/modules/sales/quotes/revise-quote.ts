// POST /quotes/{id}/revise: creates the next version of a quote; sending that replaces the previous one.
import { insert, move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { pick } from '#kernel/values/schema.ts'
import { TERMS } from '#modules/sales/orders/order.ts'
import { quotes } from './queries.ts'
import { type Quote, quoteMoves, quotesTable, REVISABLE } from './quote.ts'

/** A draft with the same content. The previous version stays open for the customer until the draft is sent. */
export async function reviseQuote(ctx: OrganizationContext, id: number): Promise<Quote> {
  const quote = await quotes.forChange(ctx, id)
  if (quote.superseded_by_id !== null)
    throw conflict(
      'quote_superseded',
      `The quote was replaced by ${await quotes.numberOf(ctx, quote.superseded_by_id)}`,
    )
  if (!REVISABLE.includes(quote.status))
    throw conflict('status_not_allowed', `A quote that is ${quote.status} cannot be revised`)
  const { first_id, last_version, draft } = await quotes.family(ctx, id)
  if (draft !== null) throw conflict('draft_exists', `${draft} is a draft of the next version already`)
  return insert(ctx, quotesTable, {
    ...pick(quote, TERMS),
    valid_until: quote.valid_until,
    version: last_version + 1,
    first_id,
    supersedes_id: id,
    created_by: ctx.caller.userId,
  })
}

/** For a version that was just sent: closes the previous one and links it to this one. */
export async function supersede(ctx: OrganizationContext, { id, supersedes_id }: Quote): Promise<void> {
  if (supersedes_id === null) return
  const before = await quotes.forChange(ctx, supersedes_id)
  const link = { superseded_by_id: id }
  if (allows(quoteMoves.supersede, before.status)) await move(ctx, quotesTable, before.id, quoteMoves.supersede, link)
  // Rejected or expired: it keeps its status.
  else if (REVISABLE.includes(before.status))
    await update(ctx, quotesTable, before.id, link, quotesTable.events.superseded)
  else throw conflict('replaced_quote_closed', `${before.number}, which this one replaces, is ${before.status}`)
}

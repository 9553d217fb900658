// Sends a quote, for the first time or again, and gives it another date. Neither makes another number.
import { queueMails } from '#modules/messages/mails/queue-mails.ts'
import { assertMayMailStranger } from '#modules/messages/mails/stranger-limits.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { linkSentQuote, type LinkSecret, moveMailedLinks } from './links/link-quote.ts'
import { quotes } from './queries.ts'
import { type Quote, quoteMoves, type QuoteSending, quotesTable, type ValidUntilChange } from './quote.ts'
import { asOffered, assertOfferPayable } from './quote-line.ts'
import { supersede } from './revise-quote.ts'

const MOST_RECIPIENTS = 20
const MAIL = 'quote-sent'

export async function sendQuote(
  ctx: OrganizationContext,
  id: number,
  { body, secret }: { body: QuoteSending; secret: LinkSecret },
): Promise<Quote> {
  const named = ownBody(ctx, body).recipients ?? []
  const before = named.length === 0 ? null : await quotes.forChange(ctx, id)
  const recipients = [...new Set([...(before?.recipients ?? []), ...named].map((address) => address.toLowerCase()))]
  if (recipients.length > MOST_RECIPIENTS)
    throw invalid({ recipients: `a quote has ${MOST_RECIPIENTS} recipients at most` })
  for (const email of named) await assertMayMailStranger(ctx, { kind: MAIL, email })
  if (before && allows(quoteMoves.accept, before.status)) return sendAgain(ctx, before, recipients, named)
  const values = { sent_at: ctx.now.toISOString(), ...(before && { recipients }) }
  const quote = await move(ctx, quotesTable, id, quoteMoves.send, values)
  await supersede(ctx, quote)
  assertStillValid(ctx, quote)
  // The amount may have changed by a price index since, and another provider may have other limits.
  assertOfferPayable(ctx, quote, quote.line_items.map(asOffered))
  linkSentQuote(ctx, quote, secret)
  return quote
}

/** To those who are named now; the others have its mail. */
async function sendAgain(
  ctx: OrganizationContext,
  quote: Quote,
  recipients: string[],
  named: string[],
): Promise<Quote> {
  assertStillValid(ctx, quote)
  const after = await update(ctx, quotesTable, quote.id, { recipients })
  const to = named.map((email) => ({ user_id: null, email }))
  queueMails(ctx, { mail: MAIL, resource_id: quote.id, isToNamed: false }, to)
  return after
}

function assertStillValid(ctx: OrganizationContext, { valid_until, company }: Quote): void {
  if (valid_until < dayIn(ctx.now, zoneOf(ctx, company)))
    throw conflict('quote_expired', 'valid_until has passed; edit the quote first')
}

/** Its mailed links last as long; it warns again before the new date. */
export async function changeValidUntil(ctx: OrganizationContext, id: number, body: ValidUntilChange): Promise<Quote> {
  const { valid_until } = ownBody(ctx, body)
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.accept, quote.status))
    throw conflict('status_not_allowed', `A quote that is ${quote.status} gets no other date`)
  if (valid_until < dayIn(ctx.now, zoneOf(ctx, quote.company)))
    throw invalid({ valid_until: 'must not lie in the past' })
  const values: object = { valid_until, warned_days: null }
  const changed = await update(ctx, quotesTable, id, values)
  await moveMailedLinks(ctx, changed)
  return changed
}

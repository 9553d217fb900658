// Makes and revokes the public links of a quote (docs/interface/sales.md). The token is never stored: the row has its
// digest, and a nonce from which a mail's job derives it again.
import { add, insert, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import type { Rules } from '#http/route.ts'
import { allows } from '#kernel/data/moves.ts'
import { derive, digest, randomToken } from '#kernel/keys/secrets.ts'
import { addDays, startOfDay } from '#kernel/values/time/calendar.ts'
import { inFuture } from '#kernel/values/time/time-rules.ts'
import { zoneOf } from '#ports/ports.ts'
import { quoteLinks } from './link-queries.ts'
import { quotes } from '../queries.ts'
import { type LinkRequest, type QuoteLink, quoteLinksTable } from './quote-link.ts'
import { type Quote, quoteMoves } from '../quote.ts'

/** Of one quote at a time. */
const MOST_OPEN = 50

export type LinkSecret = { nonce: string; token: string }

export const linkToken = (secretKey: string, nonce: string): string =>
  derive(secretKey, 'quote-link', nonce).toString('base64url')

export function newLinkSecret(secretKey: string): LinkSecret {
  const nonce = randomToken()
  return { nonce, token: linkToken(secretKey, nonce) }
}

export const linkUrl = (publicUrl: string, token: string): string => `${publicUrl}/quotes/${token}`

export const linkRules: Rules<LinkRequest> = ({ expires_at }, { now }) => inFuture('expires_at', expires_at, now)

export async function linkQuote(
  ctx: OrganizationContext,
  id: number,
  { body, secret }: { body: LinkRequest; secret: LinkSecret },
): Promise<QuoteLink & { url: string }> {
  const { expires_at, note = null } = ownBody(ctx, body)
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.accept, quote.status))
    throw conflict('status_not_allowed', `A quote that is ${quote.status} has no new public links`)
  const end = endOf(ctx, quote)
  if (end <= ctx.now) throw conflict('quote_expired', `The quote was valid until ${quote.valid_until}`)
  if (expires_at !== undefined && new Date(expires_at) > end)
    throw invalid({ expires_at: `must not be after the end of the quote, ${end.toISOString()}` })
  const open = await ctx.ask(quoteLinks.open(ctx.organizationId, id, ctx.now))
  if (open.length >= MOST_OPEN) throw conflict('limit_reached', `The quote has ${MOST_OPEN} open links, the maximum`)
  const wanted = { secret, note, mailed: false, expires_at: expires_at ?? end.toISOString() }
  const link = await insert(ctx, quoteLinksTable, rowOf(ctx, quote, wanted))
  return { ...link, url: linkUrl(ctx.settings.publicUrl, secret.token) }
}

/** The link that the mails of the quote have. */
export function linkSentQuote(ctx: OrganizationContext, quote: Quote, secret: LinkSecret): void {
  const wanted = { secret, note: null, mailed: true, expires_at: endOf(ctx, quote).toISOString() }
  add(ctx, quoteLinksTable, rowOf(ctx, quote, wanted))
}

/** After another date of the quote. */
export async function moveMailedLinks(ctx: OrganizationContext, quote: Quote): Promise<void> {
  for (const { id } of await ctx.ask(quoteLinks.mailed(ctx.organizationId, quote.id)))
    await update(ctx, quoteLinksTable, id, { expires_at: endOf(ctx, quote).toISOString() })
}

type NewLink = Pick<QuoteLink, 'note' | 'mailed' | 'expires_at'> & { secret: LinkSecret }

function rowOf(ctx: OrganizationContext, { id }: Quote, { secret, ...wanted }: NewLink) {
  // The row's type has only the columns that clients see.
  const hidden: object = { nonce: secret.nonce, token_digest: `\\x${digest(secret.token).toString('hex')}` }
  const { userId: created_by, name: created_by_name } = ctx.caller
  return { ...wanted, quote_id: id, created_by, created_by_name, ...hidden }
}

/** The end of the last day, in the time zone of the legal entity. */
const endOf = (ctx: OrganizationContext, { valid_until, company }: Quote): Date =>
  startOfDay(addDays(valid_until, 1), zoneOf(ctx, company))

/** Succeeds for one that is revoked already. */
export async function revokeLink(ctx: OrganizationContext, id: number, linkId: number): Promise<void> {
  const link = await first(ctx, quoteLinks.byId(ctx.organizationId, id, linkId))
  if (!link) throw notFound()
  if (link.revoked_at !== null) return
  await update(ctx, quoteLinksTable, linkId, { revoked_at: ctx.now.toISOString() }, quoteLinksTable.events.revoked)
}

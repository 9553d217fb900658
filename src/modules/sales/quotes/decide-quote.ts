// Changes of a sent quote other than its acceptance: viewed, rejected, expired, and the warning before its end.
import { move, update } from '#kernel/data/changes.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { warningDue } from '#modules/messages/notifications/warning-days.ts'
import { zoneOf } from '#ports/ports.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { quotes } from './queries.ts'
import type { LinkAnswer } from './links/quote-link.ts'
import { type Quote, quoteMoves, quotesTable } from './quote.ts'

/** The first view by somebody who is not staff. Of two at once the second changes nothing. */
export async function viewQuote(ctx: OrganizationContext, { id }: Pick<Quote, 'id'>): Promise<Quote> {
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.view, quote.status)) return quote
  await move(ctx, quotesTable, id, quoteMoves.view, { viewed_at: ctx.now.toISOString() })
  return quotes.forChange(ctx, id)
}

/** `answered_by` for a rejection through a public link. */
export const rejectQuote = (
  ctx: OrganizationContext,
  id: number,
  { reason, answered_by = null }: { reason: string | null; answered_by?: LinkAnswer | null },
): Promise<Quote> => move(ctx, quotesTable, id, quoteMoves.reject, { rejection_reason: reason, answered_by })

/** Called by the expiry job; a quote that was accepted since the job read it stays as it is. */
export async function expireQuote(ctx: OrganizationContext, id: number): Promise<void> {
  const quote = await quotes.forChange(ctx, id)
  const isPast = quote.valid_until < dayIn(ctx.now, zoneOf(ctx, quote.company))
  if (isPast && allows(quoteMoves.expire, quote.status)) await move(ctx, quotesTable, id, quoteMoves.expire)
}

/** Called by the job. The event and the mark that it was emitted are one change, so each warning is emitted once. */
export async function warnOfQuote(ctx: OrganizationContext, id: number): Promise<void> {
  const quote = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.expire, quote.status) || quote.sent_at === null) return
  const zone = zoneOf(ctx, quote.company)
  const days = warningDue(await settingOf(ctx, 'vendor', 'expiry_warning_days'), {
    today: dayIn(ctx.now, zone),
    end: quote.valid_until,
    began: dayIn(new Date(quote.sent_at), zone),
    warned: await quotes.warnedDays(ctx, id),
  })
  const mark: object = { warned_days: days }
  if (days !== null && quote.valid_until >= dayIn(ctx.now, zone))
    await update(ctx, quotesTable, id, mark, quotesTable.events.expiring)
}

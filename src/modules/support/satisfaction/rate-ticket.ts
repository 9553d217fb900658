// POST /tickets/{id}/satisfaction: whoever was asked answers, and may change the answer for some time.
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, forbidden, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { type NewRating, RATING_DAYS, ratingEnds, type TicketRating, ticketRatingsTable } from './ticket-rating.ts'

export async function rateTicket(
  ctx: OrganizationContext,
  asked: TicketRating | undefined,
  body: NewRating,
): Promise<TicketRating> {
  const { rating, comment = null } = ownBody(ctx, body)
  if (!asked) throw notFound()
  if (asked.requester_id !== ctx.caller.userId)
    throw forbidden('requester_only', 'Only whoever opened the ticket can rate it')
  if (ctx.now > ratingEnds(asked))
    throw conflict('rating_ended', `A ticket can be rated for ${RATING_DAYS} days after the question`)
  const values = { rating, comment, rated_at: ctx.now.toISOString() }
  return update(ctx, ticketRatingsTable, asked.id, values, ticketRatingsTable.events.rated)
}

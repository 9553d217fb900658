// The endpoints of the satisfaction with a ticket, which tickets have one of.
import { org, staffNeed } from '#kernel/values/permissions.ts'
import { ById } from '#kernel/values/schema.ts'
import { route, row } from '#http/route.ts'
import { ticketRatings } from './queries.ts'
import { rateTicket } from './rate-ticket.ts'
import { NewRating, TicketRating } from './ticket-rating.ts'

export const satisfactionRoutes = [
  route({
    method: 'GET',
    path: '/tickets/{id}/satisfaction',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'Get how satisfied whoever opened a ticket was.',
    description: 'For staff and whoever opened the ticket. 404 for others, and when it was not asked.',
    params: ById,
    openapi: { tag: 'tickets', operationId: 'getTicketSatisfaction' },
    data: TicketRating,
    read: ({ org: id }, { params }) => row<TicketRating>(ticketRatings.ofTicket(id, params.id)),
  }),
  route({
    method: 'POST',
    path: '/tickets/{id}/satisfaction',
    access: staffNeed(org('entitlements'), 'tickets'),
    purpose: 'Say whether you are satisfied with a ticket.',
    description:
      'For whoever opened the ticket, within 14 days after they were asked; it replaces an earlier rating and its ' +
      'comment. 404 when it was not asked.',
    params: ById,
    body: NewRating,
    openapi: {
      tag: 'tickets',
      operationId: 'rateTicket',
      example: { rating: 'good', comment: 'Quick and friendly' },
    },
    data: TicketRating,
    fails: ['rating_ended'],
    before: { asks: ({ org: id }, { params }) => [ticketRatings.ofTicket(id, params.id)] },
    run: async (ctx, { body, rows: [[asked]] }) => ({
      data: await rateTicket(ctx, asked, body),
      message: 'Ticket rated',
    }),
  }),
]

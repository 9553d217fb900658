// The mail that asks whoever opened a ticket whether they are satisfied.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { amongMembersWith } from '#modules/messages/notifications/recipients.ts'
import { ticketAnswersTo } from '#modules/support/tickets/announcements.ts'
import { ticketAudience } from '#modules/support/tickets/ticket-audience.ts'
import { ticketRatings } from './queries.ts'
import { ratingEnds, type TicketRating, ticketRatingsTable } from './ticket-rating.ts'

export const satisfactionAnnouncements = [
  announcement({
    mail: 'ticket-satisfaction',
    event: ticketRatingsTable.events.created,
    facts: ticketRatings.asked,
    audience: amongMembersWith(
      'entitlements',
      async (context, { requester_id: id }: Pick<TicketRating, 'requester_id'>) =>
        (await context.ask(ticketAudience(context, { userIds: [id], opener: id }))).filter(
          ({ collaborator }) => collaborator,
        ),
      'tickets',
    ),
    about: ({ ticket_id: id }) => ({ record: 'ticket', id }),
    isThread: true,
    answersTo: ticketAnswersTo,
    content: ({ number, title, ...asked }, common) => ({
      ...common,
      number,
      title,
      until: ratingEnds(asked).toISOString(),
    }),
  }),
]

// Whether whoever opened a ticket was satisfied: asked once, when it was resolved or closed (docs/interface/support.md,
// Satisfaction).
import { type Static, Type } from 'typebox'
import { table } from '#kernel/data/table.ts'
import { Closed, Company, Id, Nullable, Timestamp } from '#kernel/values/schema.ts'

const Rating = Type.Enum(['good', 'bad'], { examples: ['good'] })
const Comment = Type.String({ maxLength: 1000, examples: ['Quick and friendly'] })

export const TicketRating = Type.Object(
  {
    id: Id,
    ticket_id: Id,
    requester_id: { ...Id, description: 'Who opened the ticket and was asked' },
    company: Company,
    assignee_id: Nullable({ ...Id, description: 'Who had the ticket when it was asked' }),
    asked_at: Timestamp,
    rating: Nullable({ ...Rating, description: 'Null until it is given' }),
    comment: Nullable(Comment),
    rated_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'How satisfied whoever opened a ticket was' },
)
export type TicketRating = Static<typeof TicketRating>

export const ticketRatingsTable = table('ticket_ratings', 'ticket_rating', TicketRating, {
  events: ['rated'],
  extra: ['organization_id'],
})

export const NewRating = Closed({
  organization_id: Type.Optional(Id),
  rating: Rating,
  comment: Type.Optional(Nullable(Comment)),
})
export type NewRating = Static<typeof NewRating>

/** So long after the question a rating can be given and changed. */
export const RATING_DAYS = 14

/** The last moment of it. */
export const ratingEnds = ({ asked_at }: Pick<TicketRating, 'asked_at'>): Date =>
  new Date(Date.parse(asked_at) + RATING_DAYS * 86_400_000)

// Stored events of other systems, as administrators see them (docs/interface/operations.md, Administration).
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { AnyOf, CalendarDate, Closed, Company, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

const STATES = ['waiting', 'handled', 'failed', 'ignored', 'unreadable', 'set_aside'] as const
const State = Type.Enum(STATES, {
  description:
    '`waiting`: its job is due or being retried; `handled`; `failed`: its job is a dead letter; `ignored`: ' +
    'of a type that is not used; `unreadable`: rightly signed, but not understood; `set_aside`: such a one, ' +
    'which staff have dealt with; it is kept for people to read, and cannot be replayed',
  examples: ['handled'],
})
const Source = Type.String({ examples: ['stripe'], maxLength: 100 })
const EventType = Type.String({ description: 'As the sender calls it', examples: ['invoice.paid'], maxLength: 255 })

const shape = {
  id: Id,
  source: Source,
  company: Nullable(Company),
  type: EventType,
  dedupe_key: Type.String({
    description: 'A repeat with the same key is not stored',
    examples: ['evt_1NG8Du2eZvKYlo2C'],
  }),
  state: State,
  error: Nullable(Type.String({ description: 'Why it could not be read, or the last failure of its job' })),
  size: Type.Integer({ description: 'Bytes of the body', examples: [2048] }),
  received_at: Timestamp,
  set_aside_at: Nullable(Timestamp),
  set_aside_reason: Nullable(
    Type.String({ description: 'What staff did about it', examples: ['A test of the provider; nothing to settle'] }),
  ),
}

export const InboundEvent = Type.Object(shape, { description: 'A stored event of another system' })
export type InboundEvent = Static<typeof InboundEvent>

const anyObject = { type: 'object', additionalProperties: true }

export const InboundEventDetail = Type.Object(
  {
    ...shape,
    body: Type.String({ description: 'The bytes as they came' }),
    body_encoding: Type.Enum(['utf-8', 'base64'], { examples: ['utf-8'] }),
    event: Nullable(
      Type.Unsafe<Record<string, unknown>>({
        ...anyObject,
        description: 'What was read',
        examples: [{ kind: 'paid' }],
      }),
    ),
    job_id: Nullable({ ...Id, description: 'Of its unfinished job; see `GET /admin/jobs`' }),
  },
  { description: 'A stored event of another system, with its body' },
)
export type InboundEventDetail = Static<typeof InboundEventDetail>

export const inboundEventListing = listing({ received_at: TIME }, 'received_at')
export const InboundEventFilters = Closed({
  ...Paging,
  ...inboundEventListing.parameters,
  source: Type.Optional(Source),
  company: Type.Optional(Company),
  type: Type.Optional(EventType),
  state: AnyOf(State),
  date_from: Type.Optional({ ...CalendarDate, description: 'Inclusive, UTC' }),
  date_to: Type.Optional({ ...CalendarDate, description: 'Inclusive, UTC' }),
})
export type InboundEventFilters = Static<typeof InboundEventFilters>

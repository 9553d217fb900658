// A public link of a quote: an address at which anybody who has it may see and answer one quote, without an account.
import { Type, type Static } from 'typebox'
import { table } from '#kernel/data/table.ts'
import { Closed, Email, Id, Line, Name, Nullable, Text, Timestamp } from '#kernel/values/schema.ts'
import { LineChoices } from '../quote-line.ts'
import { PurchaseOrder } from '#modules/sales/orders/order.ts'

export const QuoteLink = Type.Object(
  {
    id: Id,
    organization_id: Id,
    quote_id: Id,
    mailed: Type.Boolean({ description: 'Made when the quote was sent, for its mails' }),
    note: Nullable(Type.String({ maxLength: 255, description: 'For whom it is', examples: ['For the board'] })),
    created_by: Nullable(Id),
    created_by_name: Type.String({ examples: ['Ana Souza'] }),
    expires_at: { ...Timestamp, description: 'At the latest when `valid_until` of the quote has passed' },
    revoked_at: Nullable(Timestamp),
    view_count: Type.Integer({ description: 'How often the quote was opened with it', examples: [2] }),
    first_viewed_at: Nullable(Timestamp),
    last_viewed_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A public link of a quote, without its address' },
)
export type QuoteLink = Static<typeof QuoteLink>

export const quoteLinksTable = table('quote_links', 'quote_link', QuoteLink, {
  events: ['revoked'],
  extra: ['nonce', 'token_digest'],
  masked: ['nonce', 'token_digest'],
})

const TOKEN = 'h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'

export const NewQuoteLink = Type.Object(
  {
    ...QuoteLink.properties,
    url: Type.String({
      format: 'uri',
      description: 'Returned only here',
      examples: [`https://titular.example/quotes/${TOKEN}`],
    }),
  },
  { description: 'A new public link, with its address' },
)

export const LinkRequest = Closed({
  organization_id: Type.Optional(Id),
  expires_at: Type.Optional({ ...Timestamp, description: 'At the latest, and by default, the end of `valid_until`' }),
  note: Type.Optional(Nullable(Line)),
})
export type LinkRequest = Static<typeof LinkRequest>

export const ByToken = Closed({ token: Type.String({ maxLength: 100, examples: [TOKEN] }) })

export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

/** As the quote keeps it. */
export const LinkAnswer = Type.Object(
  {
    link_id: Id,
    name: Name,
    email: Email,
    at: Timestamp,
    ip: Nullable(Type.String({ examples: ['203.0.113.7'] })),
    consent: Nullable({ ...Text, description: 'The sentence that was agreed to; null for a rejection' }),
    document_sha256: Nullable({ ...Sha256, description: 'SHA-256 of the PDF that was shown; null for a rejection' }),
    document_id: Nullable({ ...Id, description: 'That PDF among the archived documents; null for a rejection' }),
  },
  { description: 'Who answered the quote through a public link' },
)
export type LinkAnswer = Static<typeof LinkAnswer>

const Answering = { name: Name, email: Email }

export const PublicAcceptance = Closed({
  ...Answering,
  consent: Type.Literal(true, { description: 'Agrees to the sentence in `consent` of the quote', examples: [true] }),
  document_sha256: { ...Sha256, description: 'That of the quote as it was shown' },
  purchase_order: Type.Optional(Nullable(PurchaseOrder)),
  line_items: LineChoices,
})
export type PublicAcceptance = Static<typeof PublicAcceptance>

export const PublicRejection = Closed({ ...Answering, reason: Type.Optional(Nullable(Text)) })
export type PublicRejection = Static<typeof PublicRejection>

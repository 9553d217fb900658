// A share link: an address that lets anybody read one document without an account, until it expires or is revoked.
import { Type, type Static } from 'typebox'
import { table } from '#kernel/data/table.ts'
import { Closed, Id, Line, Nullable, Timestamp } from '#kernel/values/schema.ts'

const StoredShare = Type.Object({
  id: Id,
  organization_id: Id,
  document_id: Id,
  note: Nullable(Type.String({ maxLength: 255, description: 'For whom it is', examples: ['For the accountant'] })),
  created_by: Nullable(Id),
  created_by_name: Type.String({ examples: ['Ana Souza'] }),
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type StoredShare = Static<typeof StoredShare>

export const documentSharesTable = table('document_shares', 'document_share', StoredShare, {
  events: ['revoked'],
  extra: ['token_digest'],
  masked: ['token_digest'],
})

export const DocumentShare = Type.Object(
  {
    ...StoredShare.properties,
    access_count: Type.Integer({ description: 'How often the document was read with it', examples: [2] }),
    last_accessed_at: Nullable(Timestamp),
  },
  { description: 'A share link, without its address' },
)
export type DocumentShare = Static<typeof DocumentShare>

export const NewDocumentShare = Type.Object(
  {
    ...DocumentShare.properties,
    url: Type.String({
      format: 'uri',
      description: 'Returned only here',
      examples: ['https://titular.example/api/v1/files/h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'],
    }),
  },
  { description: 'A new share link, with its address' },
)

const DAY_SECONDS = 86_400
export const LONGEST_DAYS = 90
export const USUAL_DAYS = 7

export const ShareRequest = Closed({
  organization_id: Type.Optional(Id),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: LONGEST_DAYS * DAY_SECONDS,
      description: `Seconds; ${USUAL_DAYS} days when neither is given`,
      examples: [DAY_SECONDS],
    }),
  ),
  expires_at: Type.Optional({ ...Timestamp, description: `Within ${LONGEST_DAYS} days` }),
  note: Type.Optional(Nullable(Line)),
})
export type ShareRequest = Static<typeof ShareRequest>

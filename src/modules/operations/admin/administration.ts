// The records and filters of the administrators' lists across organizations (docs/interface/general.md, Roles and
// scopes).
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { AnyOf, Closed, Email, Id, Name, Nullable, Paging, PartFilter, Timestamp } from '#kernel/values/schema.ts'
import { UserStatus } from '#modules/identity/auth/user.ts'

export const AdministratorsUser = Type.Object({
  id: Id,
  email: Email,
  name: Name,
  login: Type.String({ examples: ['ana'] }),
  phone: Nullable(Type.String()),
  status: UserStatus,
  roles: Type.Array(Type.String(), { examples: [['customer']] }),
  language: Type.String({ examples: ['pt-BR'] }),
  active_team_id: Nullable(Type.Integer()),
  organization_ids: Type.Array(Type.Integer(), { description: 'Where the user is a collaborator' }),
  registered: Timestamp,
  updated_at: Timestamp,
  disabled_at: Nullable(Timestamp),
})

export const userListing = listing({ registered: TIME, updated_at: TIME }, 'updated_at')
export const UserFilters = Closed({
  ...Paging,
  ...userListing.parameters,
  search: PartFilter('the name, the e-mail address or the login'),
  status: Type.Optional(UserStatus),
  disabled: Type.Optional(Type.Boolean({ description: 'true: only disabled users; false: only the others' })),
})
export type UserFilters = Static<typeof UserFilters>

/** States of an unfinished job: dead letter, being retried, or due without a worker. */
const STATES = ['dead_letter', 'failing', 'late'] as const

export const UnfinishedJob = Type.Object(
  {
    id: Id,
    kind: Type.String({ examples: ['notifications/mail'] }),
    organization_id: Nullable(Type.Integer()),
    organization_name: Nullable(Name),
    payload: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The ids of the records that the job is about',
      examples: [{ mail: 'invite', resource_id: 7, user_id: null }],
    }),
    state: Type.Enum(STATES, {
      description:
        '`dead_letter`: given up, waits for staff; `failing`: is retried automatically; `late`: due, and no worker ' +
        'runs it',
      examples: ['dead_letter'],
    }),
    last_error: Nullable(Type.String()),
    attempts: Type.Integer({ examples: [10] }),
    failing_since: Nullable({ ...Timestamp, description: 'The first failure since the last success' }),
    next_try_at: Nullable({ ...Timestamp, description: 'null: not retried automatically' }),
    dead_at: Nullable(Timestamp),
    created_at: Timestamp,
  },
  { description: 'A job that was given up, or is failing or late' },
)
export type UnfinishedJob = Static<typeof UnfinishedJob>

export const UnfinishedJobFilters = Closed({
  ...Paging,
  kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  state: AnyOf(Type.Enum(STATES)),
  organization_id: Type.Optional(Id),
})
export type UnfinishedJobFilters = Static<typeof UnfinishedJobFilters>

// The records and filters of the administrators' lists across organizations (docs/interface.md, Roles).
import { Type, type Static } from 'typebox'
import { CalendarDate, Closed, Company, Email, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { UserStatus } from '#areas/auth/user.ts'
import { OrderListItem, OrderStatus } from '#areas/orders/order.ts'

const search = (what: string) => Type.Optional(Type.String({ maxLength: 200, description: `Part of ${what}` }))

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
  disabled_at: Nullable(Timestamp),
})

export const UserFilters = Closed({
  ...Paging,
  search: search('the name, the e-mail address or the login'),
  status: Type.Optional(UserStatus),
  disabled: Type.Optional(Type.Boolean({ description: 'true: only disabled users; false: only the others' })),
})
export type UserFilters = Static<typeof UserFilters>

export const AdministratorsOrder = Type.Object({
  ...OrderListItem.properties,
  organization_name: Name,
})
export const OrderFilters = Closed({
  ...Paging,
  search: search('the number, the billing name or the organization’s name'),
  status: Type.Optional(OrderStatus),
  company: Type.Optional(Company),
  organization_id: Type.Optional(Id),
  date_from: Type.Optional({ ...CalendarDate, description: 'Inclusive, UTC' }),
  date_to: Type.Optional({ ...CalendarDate, description: 'Inclusive, UTC' }),
})
export type OrderFilters = Static<typeof OrderFilters>

/** States of an unfinished job: dead letter, being retried, or due without a worker. */
const STATES = ['parked', 'failing', 'late'] as const

export const UnfinishedJob = Type.Object(
  {
    id: Id,
    kind: Type.String({ examples: ['notifications/mail'] }),
    organization_id: Nullable(Type.Integer()),
    payload: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'The ids of the records that the job is about',
      examples: [{ mail: 'invite', resource_id: 7, user_id: null }],
    }),
    state: Type.Enum(STATES, {
      description:
        '`parked`: given up, waits for staff; `failing`: is retried automatically; `late`: due, and no worker runs it',
      examples: ['parked'],
    }),
    last_error: Nullable(Type.String()),
    attempts: Type.Integer({ examples: [10] }),
    failing_since: Nullable({ ...Timestamp, description: 'The first failure since the last success' }),
    next_try_at: Nullable({ ...Timestamp, description: 'null: not retried automatically' }),
    parked_at: Nullable(Timestamp),
    created_at: Timestamp,
  },
  { description: 'A job that is parked, failing or late' },
)
export type UnfinishedJob = Static<typeof UnfinishedJob>

export const UnfinishedJobFilters = Closed({
  ...Paging,
  kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  state: Type.Optional(Type.Enum(STATES)),
  organization_id: Type.Optional(Id),
})
export type UnfinishedJobFilters = Static<typeof UnfinishedJobFilters>

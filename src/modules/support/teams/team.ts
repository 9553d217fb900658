// A team of the vendor's staff, and the bodies that make and change one.
import { type Static, Type } from 'typebox'
import { Closed, Id, Name, Paging, Timestamp } from '#kernel/values/schema.ts'
import { CLASSES } from '#modules/delivery/entitlements/entitlement.ts'

/** What a ticket is about: an entitlement of a class, an invoice, an order, or nothing in particular. */
const ABOUT = [...CLASSES, 'invoice', 'order', 'none'] as const
export type TicketAbout = (typeof ABOUT)[number]

const fields = {
  name: { ...Name, description: 'Unique, ignoring case', examples: ['Hosting'] },
  default_for: Type.Array(Type.Enum(ABOUT), {
    uniqueItems: true,
    description: 'What new tickets are about that get the team: classes of entitlements, `invoice`, `order`, `none`',
    examples: [['ENV']],
  }),
}

export const Team = Type.Object(
  {
    id: Id,
    ...fields,
    members: Type.Array(Type.Object({ user_id: Id, name: Name }), {
      description: 'Those of them who are staff and may read tickets',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A team of the vendor’s staff' },
)
export type Team = Static<typeof Team>

const MemberIds = Type.Array(Id, {
  maxItems: 100,
  uniqueItems: true,
  description: 'People of staff who may read tickets; replaces all',
  examples: [[1]],
})

export const NewTeam = Closed({
  name: fields.name,
  default_for: Type.Optional(fields.default_for),
  member_ids: Type.Optional(MemberIds),
})
export type NewTeam = Static<typeof NewTeam>

export const TeamChange = Closed(Type.Partial(NewTeam).properties)
export type TeamChange = Static<typeof TeamChange>

export const TeamFilters = Closed(Paging)

export const Assignee = Type.Object(
  {
    user_id: Id,
    name: Name,
    team_ids: Type.Array(Id, { description: 'The teams that they are of', examples: [[1]] }),
    open_tickets: Type.Integer({
      minimum: 0,
      description: 'Of all organizations, not resolved or ended',
      examples: [3],
    }),
  },
  { description: 'A person of staff to whom tickets can be given' },
)

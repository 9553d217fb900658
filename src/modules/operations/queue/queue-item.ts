// An item of the queue: a record that waits for staff, with who has it and until when it is snoozed.
import { type Static, Type } from 'typebox'
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { Closed, Id, Name, Nullable, Pages, Timestamp } from '#kernel/values/schema.ts'

const Act = Type.Object(
  {
    method: Type.Enum(['GET', 'POST', 'PATCH'], { examples: ['POST'] }),
    path: Type.String({ examples: ['/refunds/42/approve'] }),
    organization_id: Nullable(
      Type.Integer({ description: 'To be named in the header; null: the path is in no organization', examples: [42] }),
    ),
  },
  { description: 'The request that settles the item, or shows what to do' },
)

const kindOf = (kinds: readonly string[]) => Type.Enum([...kinds], { examples: ['refunds'] })

export const itemPathOf = (kinds: readonly string[]) => Closed({ kind: kindOf(kinds), id: Id })
export type ItemPath = Static<ReturnType<typeof itemPathOf>>

export const queueItemOf = (kinds: readonly string[]) =>
  Type.Object(
    {
      kind: kindOf(kinds),
      id: Id,
      organization_id: Nullable(Type.Integer({ examples: [42] })),
      organization_name: Nullable(Name),
      label: Type.String({ description: 'Number or name for people', examples: ['49.90 BRL'] }),
      since: { ...Timestamp, description: 'Since when it waits' },
      assignee_id: Nullable(Type.Integer({ examples: [7] })),
      assignee_name: Nullable(Type.String({ examples: ['Sofia Prado'] })),
      snoozed_until: Nullable(Timestamp),
      act: Act,
    },
    { description: 'A record that waits for staff' },
  )
export type QueueItem = Static<ReturnType<typeof queueItemOf>>

export const queueFiltersOf = (kinds: readonly string[]) =>
  acrossFilters({
    ...Pages,
    kind: Type.Optional(kindOf(kinds)),
    assignee_id: Type.Optional(Id),
    team_id: Type.Optional({ ...Id, description: 'Only tickets of this team' }),
    assigned: Type.Optional(
      Type.Boolean({ description: 'true: only items that somebody has; false: only the others' }),
    ),
    snoozed: Type.Optional(
      Type.Boolean({ description: 'true: only items that are snoozed; otherwise only the others', default: false }),
    ),
  })
export type QueueFilters = Static<ReturnType<typeof queueFiltersOf>>

export const queueCountsOf = (kinds: readonly string[]) =>
  Type.Object(
    {
      counts: Type.Array(
        Type.Object({
          kind: kindOf(kinds),
          open: Type.Integer({ description: 'Items that are not snoozed', examples: [3] }),
          unassigned: Type.Integer({ description: 'Those of them that nobody has', examples: [2] }),
          snoozed: Type.Integer({ examples: [1] }),
        }),
      ),
    },
    { description: 'How many items of each kind wait' },
  )
export type QueueCount = Static<ReturnType<typeof queueCountsOf>>['counts'][number]

export const Assignment = Closed({
  assignee_id: Nullable({ ...Id, description: 'A person of staff who may change such records; null: nobody' }),
})
export type Assignment = Static<typeof Assignment>

export const Snooze = Closed({
  until: Nullable({ ...Timestamp, description: 'In the future; null: not any more' }),
})
export type Snooze = Static<typeof Snooze>

// GET /me/actions: what waits for the caller, one statement for each kind that an area declares.
import { Type, type Static } from 'typebox'
import type { Action, ActionRow } from '#http/manifest/actions.ts'
import { mayFind } from '#kernel/data/lists/search.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'
import { CalendarDate, Id, Nullable } from '#kernel/values/schema.ts'

const MOST_COUNTED = 100
const LISTED = 5

const Waiting = Type.Object(
  {
    kind: Type.String({ examples: ['quote_to_accept'] }),
    resource: Type.String({ examples: ['quote'] }),
    count: Type.Integer({ minimum: 1, maximum: MOST_COUNTED, examples: [2] }),
    has_more: Type.Boolean({ description: 'There are more than were counted' }),
    items: Type.Array(
      Type.Object({
        id: Id,
        label: Type.String({ description: 'Name or number for people', examples: ['Q-2026110001'] }),
        due_on: Nullable(CalendarDate),
      }),
      { description: 'The first, oldest first' },
    ),
  },
  { description: 'Records that wait for the caller' },
)
type Waiting = Static<typeof Waiting>
export const Actions = Type.Object({ actions: Type.Array(Waiting) })

type ActionQuery = Parameters<Action['rows']>[0]

export const actionsOf = (actions: readonly Action[], asked: ActionQuery): Statement<ActionRow>[] =>
  actions.map(
    (action) => sql<ActionRow>`
      select w.id, w.label, w.due_on from (${action.rows(asked)}) w where ${mayFind(action)} order by w.id
        limit ${MOST_COUNTED + 1}`,
  )

/** Kinds without a record are left out. */
export const shapeActions = (actions: readonly Action[], found: readonly (readonly ActionRow[])[]): Waiting[] =>
  actions.flatMap(({ kind, resource }, index) => {
    const { [index]: rows = [] } = found
    if (rows.length === 0) return []
    const has_more = rows.length > MOST_COUNTED
    return [{ kind, resource, count: Math.min(rows.length, MOST_COUNTED), has_more, items: rows.slice(0, LISTED) }]
  })

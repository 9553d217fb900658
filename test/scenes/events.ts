// Events as another process of the service would write them: committed in one statement, with their sequence. They are of
// records that are not there.
import type { TestApp } from '#test/harness/app.ts'

type Many = { type: string; count?: number; at?: Date; data?: object }

/** Returns the sequence of the last one. */
export async function manyEvents(app: TestApp, organizationId: number, many: Many): Promise<number> {
  const { type, count = 1, at = app.clock.now, data = {} } = many
  const [row] = await app.database.query<{ last: number }>(
    `with counted as (
       update event_sequences set last_sequence = last_sequence + $2 where organization_id = $1 returning last_sequence
     ), written as (
       insert into events (organization_id, sequence, type, resource, resource_id, data, at)
       select $1, last_sequence - $2 + n, $3, split_part($3, '/', 2), 1000000000 + n, $4, $5
         from counted, generate_series(1, $2::bigint) n order by n
     ) select last_sequence as last from counted`,
    [organizationId, count, type, JSON.stringify({ id: 1, ...data }), at],
  )
  return row?.last ?? 0
}

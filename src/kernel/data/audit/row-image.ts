// A row as the audit log and events show it, before and after a change, and the columns that differ: parts of the
// statements of changes.ts, over their parts `before` and `after`.
import { listed } from './row-change.ts'
import { type Statement, raw, sql, timeInJson } from '#kernel/values/sql.ts'
import type { Table } from '#kernel/data/table.ts'

/** Where the images `was` and `now` come from: the parts of the statement, unless they are known. */
type Images = Statement | undefined

/** Every column of a row that is added differs. */
export const added = <Row>(table: Table<Row>, images?: Images): Statement => sql`
  select null::jsonb as was, i.now, null::jsonb as lost, ${shown(table, 'i.now')} as gained
    from (${images ?? sql`select ${imageOf(table, 'a')} as now from after a offset 0`}) i`

export const removed = <Row>(table: Table<Row>, images?: Images): Statement => sql`
  select i.was, null::jsonb as now, ${shown(table, 'i.was')} as lost, null::jsonb as gained
    from (${images ?? sql`select ${imageOf(table, 'b')} as was from before b offset 0`}) i`

/** Both images have the same columns, so that one is gone through and compared with the other. */
export const altered = <Row>(table: Table<Row>, images?: Images): Statement => sql`
  select i.was, i.now, d.lost, d.gained
    from (${
      images ??
      sql`select ${imageOf(table, '(b.was)')} as was, ${imageOf(table, 'a')} as now
      from before b, after a offset 0`
    }) i,
         lateral (
           select jsonb_object_agg(e.key, ${unlessMasked(table, 'i.was -> e.key')}) as lost,
                  jsonb_object_agg(e.key, ${unlessMasked(table, 'e.value')}) as gained
             from jsonb_each(i.now) e
            where e.key <> 'updated_at' and e.value is distinct from i.was -> e.key
         ) d`

export const maskedIn = <Row>({ masked }: Table<Row>): Statement => sql`array[${listed(masked)}]::text[]`

const unlessMasked = <Row>(table: Table<Row>, value: string): Statement =>
  table.masked.length === 0
    ? sql`${raw(value)}`
    : sql`case when e.key = any(${maskedIn(table)}) and ${raw(value)} <> 'null' then '"***"' else ${raw(value)} end`

/** A whole image for the audit log. */
function shown<Row>({ masked }: Table<Row>, image: string): Statement {
  const hidden = masked.map((column) => `'${column}', case when ${image} -> '${column}' <> 'null' then '***' end`)
  const whole = `${image} - 'updated_at'`
  return sql`${raw(hidden.length === 0 ? whole : `(${whole}) || jsonb_build_object(${hidden.join(', ')})`)}`
}

/**
 * The JSON of a row with decimals as text and times as in the API's answers: in UTC, with milliseconds and Z. Computed
 * once: `offset 0` keeps the planner from copying it to each place that reads it.
 */
export function imageOf<Row>({ decimals, times }: Table<Row>, row: string): Statement {
  const texts = decimals.map((column) => `'${column}', ${row}.${column}::text`)
  const stamps = times.map((column) => `'${column}', ${timeInJson(`${row}.${column}`)}`)
  const members = [...texts, ...stamps].join(', ')
  return sql`${raw(members === '' ? `to_jsonb(${row})` : `to_jsonb(${row}) || jsonb_build_object(${members})`)}`
}

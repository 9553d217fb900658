// All records of a list, some at a time, by the list's own statement and cursors: for what reads it to its end.
import { FIRST } from '#kernel/data/lists/cursor.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { Closed } from '#kernel/values/schema.ts'
import { coerceQuery, compileCheck } from '#kernel/values/validation/validation.ts'
import { ofParameters } from '#http/input.ts'
import { listAnswer } from '#http/list-answer.ts'
import type { ReadContext, Route } from '#http/route.ts'
import { propertiesOf } from './sparse-fields.ts'

/** A search finds the newest records only, and has no cursor. */
const OF_PAGES = ['page', 'per_page', 'cursor', 'count', 'fields', 'search']

/** Whether it can be read to its end: a list with cursors, of no other record, that asks for nothing. */
export const hasWholeList = ({ method, path, page, query }: Route): boolean =>
  method === 'GET' &&
  page !== undefined &&
  !path.includes('{') &&
  propertiesOf(query)?.['cursor'] !== undefined &&
  !((query as { required?: readonly string[] }).required ?? []).length

/** As in an address, `sent,viewed` stands for two values. */
export function filtersOf(list: Route) {
  const parameters = Object.entries(propertiesOf(list.query) ?? {}).filter(([name]) => !OF_PAGES.includes(name))
  const schema = Closed(Object.fromEntries(parameters))
  const check = compileCheck(schema)
  const read = (filters: Record<string, unknown>) => coerceQuery(filters, schema)
  return { read, problems: (filters: Record<string, unknown>) => ofParameters(check(read(filters))) }
}

type Row = Readonly<Record<string, unknown>>
type Ask = (statement: Statement) => Promise<unknown[]>

/** `filters` were read by `filtersOf`. */
export async function* wholeList(
  list: Route,
  { asked, filters, size }: { asked: ReadContext; filters: object; size: number },
  ask: Ask,
): AsyncGenerator<Row[]> {
  const of = { path: list.path, organizationId: null, params: {} }
  for (let cursor: string | null = FIRST; cursor !== null;) {
    const query = { ...filters, cursor, per_page: size }
    const plan = list.read?.(asked, { params: {}, query, body: {}, raw: null } as never)
    if (plan?.kind !== 'page') throw new Error(`${list.path} is no list of rows`)
    const found = { rows: await ask(plan.rows), total: null }
    const { rows, meta } = listAnswer(plan, found, { secretKey: asked.ports.secretKey, asked: { ...of, query } })
    yield rows as Row[]
    cursor = meta.next_cursor ?? null
  }
}

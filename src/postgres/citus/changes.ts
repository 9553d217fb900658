// The changes of kernel/data/changes.ts on a cluster: one call of a function that the node of the organization runs
// (functions.ts, docs/scaling.md). What it runs are the texts of this file and of row-image.ts and search.ts.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type ChangedRow, listed, type RowChange, settableOf, TIMES } from '#kernel/data/audit/row-change.ts'
import { added, altered, imageOf, removed } from '#kernel/data/audit/row-image.ts'
import { termsOf } from '#kernel/data/lists/search.ts'
import { type Statement, nothing, prepare, raw, sql } from '#kernel/values/sql.ts'
import type { EventType, Table } from '#kernel/data/table.ts'
import { isFound } from '#kernel/data/audit/audited.ts'
import { storableJson } from '#kernel/values/text/text.ts'

/**
 * Null when there is no such row. `row` is the row as it is now, or as it was where its state did not allow the change.
 */
type ChangeRow<Row> = { change: { row: Row; was_status: string | null; is_written: boolean } | null }

export async function insert<Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  record: Record<string, unknown>,
): Promise<Row[]> {
  const [{ change } = { change: null }] = await ctx.ask<ChangeRow<Row>>(addition(ctx, table, record))
  return change ? [change.row] : []
}

/** The same for who does not wait for the row. */
export function addition<Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  record: Record<string, unknown>,
): Statement<ChangeRow<Row>> {
  return called(ctx, table, {
    operation: 'insert',
    event: table.events.created,
    record,
    stamped: TIMES.filter((column) => table.columns.includes(column) && !(column in record)),
    comparing: added(table, IMAGES),
    changing: table.search,
  })
}

export async function update<Row>(
  ctx: OrganizationContext,
  { table, id, values, event, guard }: RowChange<Row>,
): Promise<ChangedRow<Row>[]> {
  const given = new Map<string, unknown>(Object.entries(values))
  const columns = settableOf(table).filter((column) => given.get(column) !== undefined)
  const record = Object.fromEntries(columns.map((column) => [column, given.get(column)]))
  const [{ change } = { change: null }] = await ctx.ask<ChangeRow<Row>>(
    called(ctx, table, {
      operation: 'update',
      id,
      event,
      record: ctx.testClock ? { ...record, updated_at: ctx.now } : record,
      stamped: ctx.testClock ? [] : ['updated_at'],
      guard: textOf(allowedIn(guard)),
      status: guard?.column ?? null,
      comparing: altered(table, IMAGES),
      changing: Object.keys(values),
    }),
  )
  return change ? [{ ...change.row, was_status: change.was_status ?? '', was_there: change.is_written }] : []
}

/** The condition of a guarded change, with the states in the text. */
const allowedIn = (guard: RowChange<unknown>['guard']): Statement =>
  guard ? sql`and t.${raw(guard.column)} = any(array[${listed(guard.from)}]::text[])` : nothing

export async function remove<Row>(ctx: OrganizationContext, table: Table<Row>, id: number): Promise<Row[]> {
  const [{ change } = { change: null }] = await ctx.ask<ChangeRow<Row>>(
    called(ctx, table, {
      operation: 'delete',
      id,
      event: table.events.deleted,
      comparing: removed(table, IMAGES),
      changing: table.search,
    }),
  )
  return change?.is_written ? [change.row] : []
}

/** The images before and after the change, in a text that gets them. */
const IMAGES = sql`select ${raw('$1')}::jsonb as was, ${raw('$2')}::jsonb as now offset 0`

/** The search terms before and after, as arrays of [field, term]: images and differences are $1 to $4. */
const termsInRow = <Row>({ search }: Table<Row>): Statement => {
  const termsIn = (row: string) => sql`(
      select jsonb_agg(distinct jsonb_build_array(f.field, t.term)) from ${termsOf(row, search)}
       where ${raw(row)} is not null and (c.lost ? f.field or c.gained ? f.field))`
  return sql`select ${termsIn('c.was')}, ${termsIn('c.now')}
    from (select ${raw('$1::jsonb as was, $2::jsonb as now, $3::jsonb as lost, $4::jsonb as gained')}) c`
}

/** Of a statement without values. */
function textOf(statement: Statement): string {
  const { text, values } = prepare(statement)
  if (values.length > 0) throw new Error(`a text for the nodes has values: ${text}`)
  return text
}

type Call = {
  operation: 'insert' | 'update' | 'delete'
  event: EventType
  /** Of the row that is changed; a new one gets its own. */
  id?: number
  /** What is written, by column. */
  record?: Record<string, unknown>
  /** The columns that get the database's time. */
  stamped?: readonly string[]
  /** A further condition of the update, over the row `t`. */
  guard?: string
  /** The column that it compares. */
  status?: string | null
  /** Which columns differ in the images. */
  comparing: Statement
  /** The columns that the change gives. */
  changing: readonly string[]
}

/** One call, whose text is always the same: what it does is in the JSON. */
function called<Row>(
  ctx: OrganizationContext,
  table: Table<Row>,
  { event, comparing, changing, ...call }: Call,
): Statement<ChangeRow<Row>> {
  const { caller } = ctx
  const jobs = ctx.consumers.jobsFor(event)
  if (jobs.length > 0) ctx.onEnqueued()
  const change = {
    ...call,
    table: table.name,
    resource: table.resource,
    // Both sides of a change have the image that one server makes.
    imaging: textOf(sql`select ${imageOf(table, 't')} from jsonb_populate_record(null::${raw(table.name)}, $1) t`),
    comparing: textOf(sql`select d.lost, d.gained from (${comparing}) d`),
    finding: isFound(table, changing) ? textOf(termsInRow(table)) : null,
    masked: table.masked,
    type: event,
    action: event.slice(event.lastIndexOf('/') + 1),
    at: ctx.now,
    actor_kind: caller.kind,
    actor_id: caller.userId,
    actor: caller.name,
    reason: ctx.reason ?? null,
    request_id: ctx.requestId,
    ip: ctx.ip,
    jobs,
    jobs_at: ctx.realNow,
  }
  return sql<
    ChangeRow<Row>
  >`select titular_distribution.change(${ctx.organizationId}, ${storableJson(change)}::jsonb) as change`
}

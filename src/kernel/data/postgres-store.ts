// Records of organizations on one PostgreSQL server. A change is one statement that writes the row, its audit entry,
// its event and the jobs of the event's consumers (docs/architecture.md).
import { toOneServer } from '#kernel/database/transport.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { countCodes } from './codes.ts'
import type { OrganizationContext } from './context.ts'
import { createKeptTotals } from '#kernel/data/lists/kept-totals.ts'
import { allowedBy, type ChangedRow, columnsOf, type RowChange, settableOf } from '#kernel/data/audit/row-change.ts'
import { added, altered, removed } from '#kernel/data/audit/row-image.ts'
import { nothing, raw, type Statement, sql } from '#kernel/values/sql.ts'
import type { Table } from './table.ts'
import type { TenantStore } from './tenant-store.ts'
import { audited } from '#kernel/data/audit/audited.ts'

export function createPostgresStore(): TenantStore {
  return {
    openTransport: toOneServer,
    totals: createKeptTotals(),
    locking: (organizationId, ahead = []) => [writerLock(organizationId), ...ahead],
    entering: (organizationId) => [writerLock(organizationId)],
    insert: (ctx, table, record) => ctx.ask(insertion(ctx, table, record)),
    add: (ctx, table, record) => ctx.write(insertion(ctx, table, record)),
    update: (ctx, change) => ctx.ask(alteration(ctx, change)),
    remove: (ctx, table, id) => ctx.ask(deletion(ctx, table, id)),
    allocateCodes: (io, wanted, unless) => countCodes(io, wanted, 'month', unless),
    ifComplete: (condition) => condition,
  }
}

const writerLock = (organizationId: number | null): Statement =>
  sql`select last_sequence, test_clock from event_sequences where organization_id = ${organizationId} for update`

function insertion<Row>(ctx: OrganizationContext, table: Table<Row>, record: Record<string, unknown>): Statement<Row> {
  const columns = raw(Object.keys(record).join(', '))
  return sql<Row>`
    with after as (
      insert into ${raw(table.name)} (${columns})
      select ${columns} from jsonb_populate_record(null::${raw(table.name)}, ${storableJson(record)}::jsonb)
      returning *
    ), ${audited(ctx, table, table.events.created, added(table))}
    select ${columnsOf(table, 'a')} from after a`
}

/** The row before it, the row after it, the audit of the difference. */
function alteration<Row>(
  ctx: OrganizationContext,
  { table, id, values, event, guard }: RowChange<Row>,
): Statement<ChangedRow<Row>> {
  const settable = raw(settableOf(table).join(', '))
  const name = raw(table.name)
  const at = sql`t.organization_id = ${ctx.organizationId} and t.id = ${id}`
  return sql`
    with before as (select t as was from ${name} t where ${at} for update of t),
    after as (
      update ${name} t set updated_at = ${ctx.testClock ? sql`${ctx.now}::timestamptz` : sql`now()`},
        (${settable}) = (
        select ${raw(
          settableOf(table)
            .map((column) => `r.${column}`)
            .join(', '),
        )}
          from jsonb_populate_record(b.was, ${storableJson(values)}::jsonb) r)
        from before b where ${at} ${allowedBy(guard)} returning t.*
    ), ${audited(ctx, table, event, altered(table), Object.keys(values))}
    select ${guard ? sql`(b.was).${raw(guard.column)} as was_status,` : nothing} a.id is not null as was_there,
           ${columnsOf(table, 'a')}
      from before b left join after a on true`
}

const deletion = <Row>(ctx: OrganizationContext, table: Table<Row>, id: number): Statement<Row> => sql`
    with before as (
      delete from ${raw(table.name)} t where t.organization_id = ${ctx.organizationId} and t.id = ${id} returning *
    ), ${audited(ctx, table, table.events.deleted, removed(table))}
    select ${columnsOf(table, 'b')} from before b`

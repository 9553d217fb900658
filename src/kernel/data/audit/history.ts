// The history of a record's states: from a table of its own, with one row per move, or from the audit log.
import { type TSchema, Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { page } from '#kernel/data/lists/page.ts'
import { type ReadPlan, parentIn } from '#kernel/data/lists/read-plans.ts'
import { Closed, Id, Nullable, type Page, Paging, Text, Timestamp } from '#kernel/values/schema.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import type { Table } from '#kernel/data/table.ts'

/** `{ name: 'environment_history', of: 'environments', key: 'environment_id' }` */
export type History = { readonly name: string; readonly of: string; readonly key: string }

/** The fields that all histories have (docs/interface/general.md). */
export const ChangedBy = {
  changed_at: Timestamp,
  changed_by: Nullable(Type.Integer({ description: 'The user’s id; null where nobody did it', examples: [7] })),
  changed_by_name: Type.String({
    description: 'As the user was called then; `system` where nobody did it',
    examples: ['Ana Souza'],
  }),
}

/** The values of those fields for a row of now. */
export const changedBy = ({ now, caller }: OrganizationContext) => ({
  changed_at: now.toISOString(),
  changed_by: caller.userId,
  changed_by_name: caller.name,
})

export const HistoryEntry = <Status extends TSchema>(status: Status) =>
  Type.Object(
    {
      id: Id,
      from_status: Nullable(status),
      to_status: status,
      note: Nullable(Text),
      ...ChangedBy,
    },
    { description: 'A change of state; `from_status` is null for the first' },
  )

export const HistoryPaging = Closed(Paging)

type Step = { from: string | null; to: string; note: string | null }

export async function addToHistory(
  ctx: OrganizationContext,
  { name, key }: History,
  id: number,
  { from, to, note }: Step,
): Promise<void> {
  ctx.write(sql`insert into ${raw(name)} (organization_id, ${raw(key)}, from_status, to_status, note, changed_at,
    changed_by, changed_by_name)
    values (${ctx.organizationId}, ${id}, ${from}, ${to}, ${note}, ${ctx.now}, ${ctx.caller.userId}::bigint,
      ${ctx.caller.name})`)
}

/** Oldest first; 404 without the record. */
export const historyPage = ({ name, of, key }: History, org: number, id: number, query: Page): ReadPlan<never> =>
  page(query, {
    columns: sql`id, from_status, to_status, note, changed_at, changed_by, changed_by_name`,
    from: sql`from ${raw(name)} where organization_id = ${org} and ${raw(key)} = ${id}`,
    oldestFirst: true,
    parent: parentIn(of, org, id),
  })

/** `notes` are the columns that say why, where the actor gave the audit log no reason. */
type AuditedTable<Row> = { table: Table<Row>; notes?: readonly (keyof Row & string)[] }

/** What the audit log says about the status of a record, as much of it as the caller sees. Oldest first. */
export const auditedHistoryPage = <Row>(
  { table: { name, resource }, notes = [] }: AuditedTable<Row>,
  { org, id }: { org: number; id: number },
  query: Page,
): ReadPlan<never> =>
  page(query, {
    columns: sql`id, before ->> 'status' as from_status, after ->> 'status' as to_status,
      ${raw(`coalesce(${['reason', ...notes.map((column) => `after ->> '${column}'`)].join(', ')})`)} as note,
      at as changed_at, actor_id as changed_by, actor as changed_by_name`,
    from: sql`from audit_log where organization_id = ${org} and resource = ${resource} and resource_id = ${id}
      and after ->> 'status' is not null`,
    oldestFirst: true,
    parent: parentIn(name, org, id),
  })

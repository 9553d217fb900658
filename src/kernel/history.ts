// The states that a record went through, as its readers see them: one row per move, written with it, never changed.
import { type TSchema, Type } from 'typebox'
import type { OrganizationContext } from './context.ts'
import { type ReadPlan, page, parentIn } from './route.ts'
import { Closed, Id, Nullable, type Page, Paging, Text, Timestamp } from './schema.ts'
import { raw, sql } from './sql.ts'

/** `{ name: 'environment_history', of: 'environments', key: 'environment_id' }` */
export type History = { readonly name: string; readonly of: string; readonly key: string }

export const HistoryEntry = <Status extends TSchema>(status: Status) =>
  Type.Object(
    {
      id: Id,
      from: Nullable(status),
      to: status,
      at: Timestamp,
      by: Type.String({ description: 'Who did it; `system` where nobody did', examples: ['Ana Souza'] }),
      note: Nullable(Text),
    },
    { description: 'A change of state; `from` is null for the first' },
  )

export const HistoryPaging = Closed(Paging)

export type Step = { from: string | null; to: string; note: string | null }

export async function remember(
  ctx: OrganizationContext,
  { name, key }: History,
  id: number,
  { from, to, note }: Step,
): Promise<void> {
  await ctx.ask(sql`insert into ${raw(name)} (organization_id, ${raw(key)}, from_status, to_status, at, by, note)
    values (${ctx.organizationId}, ${id}, ${from}, ${to}, ${ctx.now}, ${ctx.caller.name}, ${note}) returning id`)
}

/** Oldest first; 404 without the record. */
export const historyPage = ({ name, of, key }: History, org: number, id: number, query: Page): ReadPlan<never> =>
  page(query, {
    columns: sql`id, from_status as "from", to_status as "to", at, by, note`,
    from: sql`from ${raw(name)} where organization_id = ${org} and ${raw(key)} = ${id}`,
    oldestFirst: true,
    parent: parentIn(of, org, id),
  })

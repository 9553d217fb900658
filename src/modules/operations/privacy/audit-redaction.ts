// Erases a person from the entries of the audit logs. The seals stay, so that the chains go on, and beside the seal of
// each changed entry comes the hash of what is left of it (docs/decisions/0097).
import { type AuditLog, hashedText } from '#modules/operations/audit-log/audit-chain.ts'
import { one, type SystemContext } from '#kernel/data/context.ts'
import { raw, sql } from '#kernel/values/sql.ts'

/** So many ids are looked at in one transaction. */
export const REDACTED_AT_ONCE = 5000

export const lastEntry = ({ name }: AuditLog) =>
  sql<{ id: number }>`select coalesce(max(id), 0) as id from ${raw(name)}`

/** The entries from an id on; does nothing unless the erasure is running. Gives how many it changed. */
export async function redactEntries(
  ctx: SystemContext,
  log: AuditLog,
  { erasureId, from }: { erasureId: number; from: number },
): Promise<number> {
  const last = from + REDACTED_AT_ONCE - 1
  // Sealing waits, so that each entry is either sealed as it was or sealed as it is.
  await one(ctx, sql`select log from audit_sealing where log = ${log.name} for update`)
  if (log.hasOrganizations) {
    // The function writes the redactions as well: of one transaction a node takes the changes of one user only.
    const entries = sql`select entry_id as id from erase_from_audit_log(${erasureId}, ${from}, ${last})`
    return (await ctx.ask(entries)).length
  }
  const changed = await ctx.ask(
    sql<{ id: number }>`select id from erase_from_service_audit(${erasureId}, ${from}, ${last}) as e (id)`,
  )
  const ids = changed.map(({ id }) => id)
  if (ids.length > 0) await ctx.ask(redactions(log, erasureId, ids))
  return ids.length
}

/** Those without a seal are sealed as they are. */
const redactions = (log: AuditLog, erasureId: number, ids: readonly number[]) => sql`
  insert into service_audit_redactions (entry_id, erasure_id, hash)
  select s.entry_id, ${erasureId}, sha256(s.hash || convert_to(${hashedText(log)}, 'UTF8')) from service_audit l
    join service_audit_seals s on s.entry_id = l.id where l.id = any(${ids}::bigint[])
  on conflict (entry_id) do update set erasure_id = excluded.erasure_id, hash = excluded.hash`

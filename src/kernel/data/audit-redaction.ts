// Erases a person from the entries of the audit logs. The seals stay, so that the chains go on, and beside the seal of each
// changed entry comes the hash of what is left of it (docs/decisions/0097).
import { type AuditLog, hashedText } from './audit-chain.ts'
import { one, type SystemContext } from './context.ts'
import { raw, sql } from './sql.ts'

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
  const changed = await ctx.ask(
    log.hasOrganizations
      ? sql<{ id: number }>`select entry_id as id from erase_from_audit_log(${erasureId}, ${from}, ${last})`
      : sql<{ id: number }>`select id from erase_from_service_audit(${erasureId}, ${from}, ${last}) as e (id)`,
  )
  if (changed.length > 0)
    await ctx.ask(
      redactions(
        log,
        erasureId,
        changed.map(({ id }) => id),
      ),
    )
  return changed.length
}

/** Those without a seal are sealed as they are. */
const redactions = (log: AuditLog, erasureId: number, ids: readonly number[]) => {
  const hash = sql`sha256(s.hash || convert_to(${hashedText(log)}, 'UTF8'))`
  return log.hasOrganizations
    ? sql`insert into audit_redactions (organization_id, entry_id, erasure_id, hash)
        select s.organization_id, s.entry_id, ${erasureId}, ${hash} from audit_log l
          join audit_seals s on s.organization_id = l.organization_id and s.entry_id = l.id where l.id = any(${ids}::bigint[])
        on conflict (organization_id, entry_id) do update set erasure_id = excluded.erasure_id, hash = excluded.hash returning 1`
    : sql`insert into service_audit_redactions (entry_id, erasure_id, hash)
        select s.entry_id, ${erasureId}, ${hash} from service_audit l
          join service_audit_seals s on s.entry_id = l.id where l.id = any(${ids}::bigint[])
        on conflict (entry_id) do update set erasure_id = excluded.erasure_id, hash = excluded.hash`
}

// The hash chains over the audit logs, one for each organization and one of the service (docs/decisions/0082): what of
// an entry is hashed, and the seals that are added behind the entries.
import { createHash } from 'node:crypto'
import { one, type SystemContext } from '#kernel/data/context.ts'
import { raw, type Statement, sql } from '#kernel/values/sql.ts'

/**
 * The columns in the order in which they are hashed; those that a migration adds go to the end of a next version. The
 * function `erase_from_audit_log` has the same.
 */
const COMMON = ['id', 'at', 'actor_kind', 'actor_id', 'actor', 'action', 'resource', 'resource_id']
const VERSION = 1

export type AuditLog = {
  readonly name: 'audit_log' | 'service_audit'
  readonly seals: string
  readonly redactions: string
  readonly hasOrganizations: boolean
  readonly hashed: readonly string[]
}
export const AUDIT_LOGS: readonly AuditLog[] = [
  {
    name: 'audit_log',
    seals: 'audit_seals',
    redactions: 'audit_redactions',
    hasOrganizations: true,
    hashed: ['organization_id', ...COMMON, 'before', 'after', 'reason', 'request_id', 'ip'],
  },
  {
    name: 'service_audit',
    seals: 'service_audit_seals',
    redactions: 'service_audit_redactions',
    hasOrganizations: false,
    hashed: [...COMMON, 'details', 'request_id', 'ip'],
  },
]

/** Before the first entry of a chain. */
export const CHAIN_START = '0'.repeat(64)

/** In hexadecimal. */
export const nextHash = (previous: string, entry: string): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(entry).digest('hex')

/**
 * The entry `l` as it is hashed: JSON as PostgreSQL writes it, whose members have one order, with the time to the
 * microsecond.
 */
export const hashedText = ({ name, hashed }: AuditLog): Statement => {
  const time = `to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  const values = hashed.map((column) => (column === 'at' ? time : `l.${column}`))
  return sql`${raw(`jsonb_build_array(${VERSION}, '${name}', ${values.join(', ')})::text`)}`
}

const BATCH = 5000
const BATCHES_AT_ONCE = 10
/** Longer than a statement may take: an id is given a moment before its transaction shows that it is running. */
const REST_MS = 10_000

type Sealing = { sealed_id: number; marked_id: number; rested: boolean; is_over: boolean; is_of_before: boolean }

/** Seals what was marked by an earlier call, and marks what has been written since. */
export async function sealEntries(ctx: SystemContext, log: AuditLog): Promise<void> {
  const sealing = await one(
    ctx,
    sql<Sealing>`
      select sealed_id, marked_id, marked_at <= ${new Date(ctx.now.getTime() - REST_MS)} as rested,
             marked_before <= pg_snapshot_xmin(pg_current_snapshot()) as is_over,
             marked_before > pg_snapshot_xmax(pg_current_snapshot()) as is_of_before
        from audit_sealing where log = ${log.name} for update`,
  )
  let from = sealing.sealed_id
  if (sealing.is_over && sealing.rested)
    for (let batch = 0; batch < BATCHES_AT_ONCE && from < sealing.marked_id; batch++)
      from = await sealBatch(ctx, log, { after: from, upTo: sealing.marked_id })
  // Numbers of transactions begin anew in the database that a backup is restored into.
  const isNext = from === sealing.marked_id || sealing.is_of_before
  ctx.write(
    sql`update audit_sealing set sealed_id = ${from} ${isNext ? marked(log, ctx.now) : raw('')}
      where log = ${log.name}`,
  )
}

const marked = ({ name }: AuditLog, now: Date) => sql`,
  marked_id = greatest(marked_id, (select coalesce(max(id), 0) from ${raw(name)})),
  marked_before = pg_snapshot_xmax(pg_current_snapshot()), marked_at = ${now}`

type Entry = { organization_id: number | null; id: number; text: string }

/** Gives the id up to which all is sealed. */
async function sealBatch(
  ctx: SystemContext,
  log: AuditLog,
  { after, upTo }: { after: number; upTo: number },
): Promise<number> {
  const owner = raw(log.hasOrganizations ? 'l.organization_id' : 'null::bigint as organization_id')
  const entries = await ctx.ask(sql<Entry>`
    select ${owner}, l.id, ${hashedText(log)} as text from ${raw(log.name)} l
     where l.id > ${after} and l.id <= ${upTo} order by l.id limit ${BATCH}`)
  const heads = await headsOf(ctx, log, [...new Set(entries.map((entry) => entry.organization_id))])
  const hashes = entries.map(({ organization_id: id, text }) => {
    const hash = nextHash(heads.get(id) ?? CHAIN_START, text)
    heads.set(id, hash)
    return hash
  })
  const [owners, ids] = [entries.map((entry) => entry.organization_id), entries.map(({ id }) => id)]
  ctx.write(
    log.hasOrganizations
      ? sql`insert into audit_seals (organization_id, entry_id, hash)
          select s.owner, s.id, decode(s.hash, 'hex')
            from unnest(${owners}::bigint[], ${ids}::bigint[], ${hashes}::text[]) s (owner, id, hash)
          returning 1`
      : sql`insert into service_audit_seals (entry_id, hash)
          select s.id, decode(s.hash, 'hex') from unnest(${ids}::bigint[], ${hashes}::text[]) s (id, hash)`,
  )
  return entries.length < BATCH ? upTo : (ids.at(-1) ?? upTo)
}

/** The last hash of each chain. */
async function headsOf(
  ctx: SystemContext,
  log: AuditLog,
  owners: (number | null)[],
): Promise<Map<number | null, string>> {
  type Head = { owner: number | null; hash: string }
  // In one round trip, each from the node that has the organization.
  const heads = await Promise.all(
    log.hasOrganizations
      ? owners.map((owner) =>
          ctx.ask(sql<Head>`
            select organization_id as owner, encode(hash, 'hex') as hash from audit_seals
             where organization_id = ${owner} order by entry_id desc limit 1`),
        )
      : [
          ctx.ask(sql<Head>`
            select null::bigint as owner, encode(hash, 'hex') as hash from service_audit_seals order by entry_id desc
              limit 1`),
        ],
  )
  return new Map(heads.flat().map(({ owner, hash }) => [owner, hash]))
}

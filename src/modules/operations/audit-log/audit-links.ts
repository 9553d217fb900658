// The entries of the audit logs with their seals, in the order of their chains: what is verified, and what is exported.
import { type AuditLog, hashedText } from './audit-chain.ts'
import { nothing, raw, type Statement, sql } from '#kernel/values/sql.ts'

/** A chain of the log: of an organization, or the service's own (null). */
type Chain = { log: AuditLog; owner: number | null }

/**
 * `left`: the hash of what is left of a redacted entry. Of an entry that is not there, or not to be seen, `text` is
 * null.
 */
export type Link<Id = number> = { id: Id; text: string | null; hash: string | null; left: string | null }

/**
 * The links behind the id `after`, entries and seals alike. `more`: columns of the entry `l` besides, each with a comma
 * before it; `text`: what is hashed, unless a reader may not see all of it. `Row` is what the client makes of the
 * columns.
 */
export function chainLinks<Row = Link>(
  { log, owner }: Chain,
  { after, limit }: { after: number; limit: number },
  { more = nothing, text = hashedText(log) }: { more?: Statement; text?: Statement } = {},
): Statement<Row> {
  const of = (alias: 'l' | 's' | 'r') => ofChain({ log, owner }, alias)
  return sql<Row>`
    with ids as (
      select id from (
        (select l.id from ${raw(log.name)} l where ${of('l')} and l.id > ${after} order by l.id limit ${limit}) union
        (select s.entry_id from ${raw(log.seals)} s where ${of('s')} and s.entry_id > ${after} order by s.entry_id
          limit ${limit})
      ) both_sides order by id limit ${limit})
    select i.id, case when l.id is not null then ${text} end as text, encode(s.hash, 'hex') as hash,
           encode(r.hash, 'hex') as left ${more}
      from ids i left join ${raw(log.name)} l on ${of('l')} and l.id = i.id
      left join ${raw(log.seals)} s on ${of('s')} and s.entry_id = i.id
      left join ${raw(log.redactions)} r on ${of('r')} and r.entry_id = i.id order by i.id`
}

/** The last seal up to an id; no row where the chain begins behind it. */
export const sealUpTo = (chain: Chain, id: number) => sql<{ hash: string }>`
  select encode(s.hash, 'hex') as hash from ${raw(chain.log.seals)} s where ${ofChain(chain, 's')}
    and s.entry_id <= ${id}
   order by s.entry_id desc limit 1`

/** The next organization that has a chain, by its id. */
export const nextOwner = (after: number) => sql<{ id: number | null }>`
  select min(organization_id) as id from (
    (select organization_id from audit_log where organization_id > ${after} order by organization_id limit 1) union all
    (select organization_id from audit_seals where organization_id > ${after} order by organization_id
      limit 1)) both_sides`

/** The condition on a log (`l`), its seals (`s`) or its redactions (`r`). */
export const ofChain = ({ log, owner }: Chain, alias: 'l' | 's' | 'r'): Statement =>
  log.hasOrganizations
    ? sql`${raw(alias)}.organization_id = ${owner}`
    : sql`${raw(alias)}.${raw(alias === 'l' ? 'id' : 'entry_id')} > 0`

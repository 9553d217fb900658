// The removal of old entries of the audit logs, and the signed beginning that their chains then have
// (docs/operations.md).
import type { Client } from 'pg'
import { AUDIT_LOGS, type AuditLog } from '#modules/operations/audit-log/audit-chain.ts'
import { prepare, raw, type Statement, sql } from '#kernel/values/sql.ts'
import { asOwner } from '../postgres/login.ts'
import { StartupError } from '../postgres/startup-error.ts'

/** A chain as far as it is sealed, or up to a point. `organization_id` is null for the service's own log. */
export type ChainHead = { organization_id: number | null; entries: number; last_id: number; hash: string }

/** Up to which entry of each chain all were removed; those were from before `removed_before`. */
export type Beginning = { made_at: string; removed_before: string; chains: ChainHead[] }

/** Null for what none of the keys has signed. */
export type ReadBeginning = (jws: string) => Promise<Beginning | null>

export type Ask = <Row>(statement: Statement<Row>) => Promise<Row[]>

export const askerOf =
  (client: Client): Ask =>
  async <Row>(statement: Statement<Row>): Promise<Row[]> => {
    const { text, values } = prepare(statement)
    const { rows } = await client.query(text, values)
    return rows
  }

export const storedBeginning = sql<{ jws: string }>`select jws from audit_beginning`

type Removal = { ownerUrl: string; jws: string; beginning: Beginning; replaces: string | null }

/**
 * Writes the beginning, then removes what is before it, so that a removal that is cut off can be ended (`endRemoval`).
 * The seal of the last removed entry stays: the next entry is sealed from it. Fails when another removal ran meanwhile.
 */
export async function beginAnew({ ownerUrl, jws, beginning, replaces }: Removal): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    const ask = askerOf(client)
    await client.query('begin')
    await client.query('lock table audit_beginning in exclusive mode')
    const [stored] = await ask(storedBeginning)
    if ((stored?.jws ?? null) !== replaces) throw new StartupError('Another removal ran meanwhile; run it again.')
    await ask(sql`
      insert into audit_beginning (id, made_at, removed_before, jws)
      values (1, ${beginning.made_at}::timestamptz, ${beginning.removed_before}::timestamptz, ${jws})
      on conflict (id) do update
        set made_at = excluded.made_at, removed_before = excluded.removed_before, jws = excluded.jws`)
    await client.query('commit')
  })
  await removeBefore(ownerUrl, beginning)
}

const CHAINS_AT_ONCE = 500
const ROWS_AT_ONCE = 10_000

/** Ends a removal that was cut off: its beginning is written, and some entries before it are still there. */
export async function endRemoval(ownerUrl: string, readBeginning: ReadBeginning): Promise<void> {
  const [stored] = await asOwner(ownerUrl, (client) => askerOf(client)(storedBeginning))
  const beginning = stored && (await readBeginning(stored.jws))
  if (beginning) await removeBefore(ownerUrl, beginning)
}

const removeBefore = (ownerUrl: string, { chains }: Beginning): Promise<void> =>
  asOwner(ownerUrl, async (client) => {
    const ask = askerOf(client)
    for (const log of AUDIT_LOGS) {
      const own = chains.filter(({ organization_id: owner }) => (owner !== null) === log.hasOrganizations)
      for (let from = 0; from < own.length; from += CHAINS_AT_ONCE)
        for (const table of tablesOf(log)) await removeAll(ask, table, own.slice(from, from + CHAINS_AT_ONCE))
    }
  })

type Table = { name: string; owner: string; id: string; key: string; isBefore: '<' | '<=' }

const tablesOf = ({ name, seals, redactions, hasOrganizations }: AuditLog): Table[] => {
  const owner = hasOrganizations ? 't.organization_id' : '0'
  const of = (id: string) => ({ owner, id, key: hasOrganizations ? `organization_id, ${id}` : id })
  // An entry goes before what verifies what an erasure has left of it.
  return [
    { ...of('id'), name, isBefore: '<=' },
    { ...of('entry_id'), name: redactions, isBefore: '<=' },
    { ...of('entry_id'), name: seals, isBefore: '<' },
  ]
}

async function removeAll(
  ask: Ask,
  { name, owner, id, key, isBefore }: Table,
  chains: readonly ChainHead[],
): Promise<void> {
  const owners = chains.map((chain) => chain.organization_id ?? 0)
  const ends = chains.map((chain) => chain.last_id)
  for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE;) {
    const rows = await ask(sql`
      delete from ${raw(name)} where (${raw(key)}) in (
        select ${raw(key)} from unnest(${owners}::bigint[], ${ends}::bigint[]) c (owner, last_id)
          join ${raw(name)} t on ${raw(owner)} = c.owner and t.${raw(id)} ${raw(isBefore)} c.last_id
            limit ${ROWS_AT_ONCE}) returning 1`)
    removed = rows.length
  }
}

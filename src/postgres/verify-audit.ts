// Walks the hash chains of the audit logs, as of one moment, and names the first entry of each that does not fit.
import type { Client } from 'pg'
import { AUDIT_LOGS, type AuditLog, CHAIN_START, nextHash } from '#kernel/data/audit-chain.ts'
import { chainLinks, type Link } from '#kernel/data/audit-links.ts'
import { prepare, type Statement, sql } from '#kernel/data/sql.ts'
import { assertSeesAllRows } from './catalogue.ts'
import { asOwner } from './login.ts'

/** A chain as far as it is sealed. `organization_id` is null for the service's own log. */
export type ChainHead = { organization_id: number | null; entries: number; last_id: number; hash: string }

/**
 * `removed`: there is a seal and no entry. `added`: there is an entry without a seal where all are sealed. `changed`: the entry
 * or its seal, or what is missing before it together with its seal. The last two are told by a checkpoint only: `rewritten`,
 * with new seals, at or before this entry; `cut`, with their seals.
 */
export type Finding = 'removed' | 'added' | 'changed' | 'rewritten' | 'cut'
export type Problem = { organization_id: number | null; entry_id: number; finding: Finding }
/** `redacted`: entries from which a person was erased; what is left of them is as the erasure left it. */
export type Verification = {
  made_at: string
  chains: ChainHead[]
  unsealed: number
  redacted: number
  problems: Problem[]
}

type Options = { ownerUrl: string; checkpoint?: readonly ChainHead[] }

export async function verifyAudit({ ownerUrl, checkpoint = [] }: Options): Promise<Verification> {
  return asOwner(ownerUrl, async (client) => {
    await client.query('begin isolation level repeatable read, read only')
    await assertSeesAllRows(client)
    const ask: Ask = (statement) => asked(client, statement)
    const [moment] = await ask(sql<{ at: Date }>`select now() as at`)
    const found: Verification = {
      made_at: moment?.at.toISOString() ?? '',
      chains: [],
      unsealed: 0,
      redacted: 0,
      problems: [],
    }
    for (const log of AUDIT_LOGS) await verifyLog(ask, { log, checkpoint }, found)
    await client.query('commit')
    return found
  })
}

type Ask = <Row>(statement: Statement<Row>) => Promise<Row[]>

async function asked<Row>(client: Client, statement: Statement<Row>): Promise<Row[]> {
  const { text, values } = prepare(statement)
  const { rows } = await client.query(text, values)
  return rows
}

async function verifyLog(
  ask: Ask,
  { log, checkpoint }: { log: AuditLog; checkpoint: readonly ChainHead[] },
  found: Verification,
): Promise<void> {
  const expected = new Map(
    checkpoint
      .filter(({ organization_id: id }) => (id !== null) === log.hasOrganizations)
      .map((head) => [head.organization_id, head]),
  )
  const [sealing] = await ask(sql<{ id: string }>`select sealed_id as id from audit_sealing where log = ${log.name}`)
  const owners = log.hasOrganizations ? await organizationsIn(ask) : [null]
  for (const owner of new Set([...owners, ...expected.keys()])) {
    const { head, unsealed, redacted, problem } = await verifyChain(ask, {
      log,
      owner,
      sealedId: Number(sealing?.id ?? 0),
      expected: expected.get(owner),
    })
    found.unsealed += unsealed
    found.redacted += redacted
    if (problem) found.problems.push({ organization_id: owner, ...problem })
    else if (head.entries > 0) found.chains.push(head)
  }
}

async function organizationsIn(ask: Ask): Promise<number[]> {
  const rows = await ask(sql<{ id: string }>`
    select organization_id as id from audit_log union select organization_id from audit_seals order by 1`)
  return rows.map(({ id }) => Number(id))
}

type Chain = { log: AuditLog; owner: number | null; sealedId: number; expected: ChainHead | undefined }
type Walked = {
  head: ChainHead
  unsealed: number
  redacted: number
  problem: Omit<Problem, 'organization_id'> | null
}

/** Stops at the first entry that does not fit: whether those behind it do, nobody can say. */
async function verifyChain(ask: Ask, chain: Chain): Promise<Walked> {
  const { owner, sealedId, expected } = chain
  const head: ChainHead = { organization_id: owner, entries: 0, last_id: 0, hash: CHAIN_START }
  const waiting: number[] = []
  let redacted = 0
  const found = (finding: Finding, entry_id: number) => ({
    head,
    unsealed: 0,
    redacted,
    problem: { finding, entry_id },
  })
  for await (const { id, text, hash, left } of linksOf(ask, chain)) {
    if (text === null) return found('removed', id)
    if (hash === null && id <= sealedId) return found('added', id)
    if (hash === null) {
      waiting.push(id)
      continue
    }
    if (waiting[0] !== undefined) return found('added', waiting[0])
    if (expected && head.last_id < expected.last_id && id > expected.last_id) return found('cut', expected.last_id)
    // From a redacted entry the chain goes on with its seal, whose entry is gone; what is left has a hash of its own.
    const fits = left === null ? nextHash(head.hash, text) === hash : nextHash(hash, text) === left
    if (!fits) return found('changed', id)
    head.hash = hash
    head.entries++
    head.last_id = id
    if (left !== null) redacted++
    if (expected?.last_id === id && (expected.hash !== hash || expected.entries !== head.entries))
      return found('rewritten', id)
  }
  if (expected && head.last_id < expected.last_id) return found('cut', expected.last_id)
  return { head, unsealed: waiting.length, redacted, problem: null }
}

const BATCH = 5000

/** The entries and the seals of a chain, in the order of their ids. */
async function* linksOf(ask: Ask, { log, owner }: Pick<Chain, 'log' | 'owner'>): AsyncIterable<Link> {
  for (let after = 0, isEnd = false; !isEnd;) {
    const links = await ask(chainLinks<Link<string>>({ log, owner }, { after, limit: BATCH }))
    // This client has no parsers, so that ids are texts.
    for (const { id, ...link } of links) yield { id: Number(id), ...link }
    after = Number(links.at(-1)?.id ?? after)
    isEnd = links.length < BATCH
  }
}

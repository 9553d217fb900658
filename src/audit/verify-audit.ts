// Walks the hash chains of the audit logs, as of one moment, and names the first entry of each that does not fit.
import { AUDIT_LOGS, type AuditLog, CHAIN_START, nextHash } from '#modules/operations/audit-log/audit-chain.ts'
import { chainLinks, type Link, ofChain } from '#modules/operations/audit-log/audit-links.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { type Ask, askerOf, type ChainHead, type ReadBeginning, storedBeginning } from './audit-beginning.ts'
import { assertSeesAllRows } from '../postgres/catalogue.ts'
import { asOwner } from '../postgres/login.ts'

/**
 * `removed`: there is a seal and no entry. `added`: there is an entry without a seal where all are sealed. `changed`:
 * the entry or its seal, or what is missing before it together with its seal. The last two are told by a checkpoint
 * only: `rewritten`, with new seals, at or before this entry; `cut`, with their seals. `unsigned`: none of the keys has
 * signed where the chains begin.
 */
export type Finding = 'removed' | 'added' | 'changed' | 'rewritten' | 'cut' | 'unsigned'
export type Problem = { organization_id: number | null; entry_id: number; finding: Finding }
/**
 * `chains`: their ends, which count removed entries too. `redacted`: entries from which a person was erased; what is
 * left of them is as the erasure left it. `removed`: entries before the signed beginning, all from before
 * `removed_before`. `removable`: how far each chain is older than the asked time.
 */
export type Verification = {
  made_at: string
  chains: ChainHead[]
  unsealed: number
  redacted: number
  removed: number
  removed_before: string | null
  beginning: { jws: string; chains: readonly ChainHead[] } | null
  removable: ChainHead[]
  problems: Problem[]
}

type Options = {
  ownerUrl: string
  checkpoint?: readonly ChainHead[]
  /** Needed once old entries were removed. */
  readBeginning?: ReadBeginning
  /** Asks for `removable`. */
  olderThan?: Date
}

export async function verifyAudit({
  ownerUrl,
  checkpoint = [],
  readBeginning = async () => null,
  olderThan,
}: Options): Promise<Verification> {
  return asOwner(ownerUrl, async (client) => {
    await client.query('begin isolation level repeatable read, read only')
    await assertSeesAllRows(client)
    const ask = askerOf(client)
    const [moment] = await ask(sql<{ at: Date }>`select now() as at`)
    const found: Verification = {
      made_at: moment?.at.toISOString() ?? '',
      chains: [],
      unsealed: 0,
      redacted: 0,
      removed: 0,
      removed_before: null,
      beginning: null,
      removable: [],
      problems: [],
    }
    if (await begins(ask, readBeginning, found))
      for (const log of AUDIT_LOGS) await verifyLog(ask, { log, checkpoint, olderThan }, found)
    await client.query('commit')
    return found
  })
}

/** False when the chains begin somewhere that nobody has signed: what follows then proves nothing. */
async function begins(ask: Ask, readBeginning: ReadBeginning, found: Verification): Promise<boolean> {
  const [stored] = await ask(storedBeginning)
  if (!stored) return true
  const signed = await readBeginning(stored.jws)
  if (!signed) {
    found.problems.push({ organization_id: null, entry_id: 0, finding: 'unsigned' })
    return false
  }
  found.beginning = { jws: stored.jws, chains: signed.chains }
  found.removed = signed.chains.reduce((sum, { entries }) => sum + entries, 0)
  found.removed_before = signed.removed_before
  return true
}

async function verifyLog(
  ask: Ask,
  { log, checkpoint, olderThan }: { log: AuditLog; checkpoint: readonly ChainHead[]; olderThan: Date | undefined },
  found: Verification,
): Promise<void> {
  const [expected, starts] = [checkpoint, found.beginning?.chains ?? []].map((heads) => headsOf(log, heads))
  const [sealing] = await ask(sql<{ id: string }>`select sealed_id as id from audit_sealing where log = ${log.name}`)
  const owners = log.hasOrganizations ? await organizationsIn(ask) : [null]
  for (const owner of new Set([...owners, ...(expected?.keys() ?? []), ...(starts?.keys() ?? [])])) {
    const { head, unsealed, redacted, removable, problem } = await verifyChain(ask, {
      log,
      owner,
      sealedId: Number(sealing?.id ?? 0),
      start: starts?.get(owner) ?? { organization_id: owner, entries: 0, last_id: 0, hash: CHAIN_START },
      expected: expected?.get(owner),
      olderThan,
    })
    found.unsealed += unsealed
    found.redacted += redacted
    if (problem) found.problems.push({ organization_id: owner, ...problem })
    else if (head.entries > 0) found.chains.push(head)
    if (removable) found.removable.push(removable)
  }
}

const headsOf = ({ hasOrganizations }: AuditLog, heads: readonly ChainHead[]) =>
  new Map(
    heads
      .filter(({ organization_id: id }) => (id !== null) === hasOrganizations)
      .map((head) => [head.organization_id, head]),
  )

async function organizationsIn(ask: Ask): Promise<number[]> {
  const rows = await ask(sql<{ id: string }>`
    select organization_id as id from audit_log union select organization_id from audit_seals order by 1`)
  return rows.map(({ id }) => Number(id))
}

type Chain = {
  log: AuditLog
  owner: number | null
  sealedId: number
  start: ChainHead
  expected: ChainHead | undefined
  olderThan: Date | undefined
}
type ChainResult = {
  head: ChainHead
  unsealed: number
  redacted: number
  removable?: ChainHead | undefined
  problem: Omit<Problem, 'organization_id'> | null
}

/** Stops at the first entry that does not fit: whether those behind it do, nobody can say. */
async function verifyChain(ask: Ask, chain: Chain): Promise<ChainResult> {
  const { sealedId, start } = chain
  // What a checkpoint from before the beginning says was proven when its entries were removed.
  const expected = (chain.expected?.last_id ?? 0) < start.last_id ? undefined : chain.expected
  const head: ChainHead = { ...start }
  const waiting: number[] = []
  let redacted = 0
  let removable: ChainHead | undefined
  let isOld = chain.olderThan !== undefined
  const found = (finding: Finding, entry_id: number) => ({
    head,
    unsealed: 0,
    redacted,
    problem: { finding, entry_id },
  })
  const wrong = start.last_id > 0 ? await wrongBeginning(ask, chain) : null
  if (wrong) return found(wrong.finding, wrong.entry_id)
  if (expected?.last_id === start.last_id && !isSame(expected, start)) return found('rewritten', start.last_id)
  for await (const { id, text, hash, left, is_old } of linksOf(ask, chain)) {
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
    if (expected?.last_id === id && !isSame(expected, head)) return found('rewritten', id)
    isOld &&= is_old
    if (isOld) removable = { ...head }
  }
  if (expected && head.last_id < expected.last_id) return found('cut', expected.last_id)
  return { head, unsealed: waiting.length, redacted, removable, problem: null }
}

const isSame = (one: ChainHead, other: ChainHead): boolean => one.hash === other.hash && one.entries === other.entries

/** Before a beginning there is nothing but the seal of the last removed entry. */
async function wrongBeginning(
  ask: Ask,
  { log, owner, start }: Chain,
): Promise<Omit<Problem, 'organization_id'> | null> {
  const [found] = await ask(sql<{ first_id: string | null; hash: string | null }>`
    select (select min(l.id) from ${raw(log.name)} l where ${ofChain({ log, owner }, 'l')}
      and l.id <= ${start.last_id}) as first_id,
           (select encode(s.hash, 'hex') from ${raw(log.seals)} s where ${ofChain({ log, owner }, 's')}
             and s.entry_id = ${start.last_id}) as hash`)
  if (found?.first_id) return { finding: 'added', entry_id: Number(found.first_id) }
  return found?.hash === start.hash ? null : { finding: 'changed', entry_id: start.last_id }
}

const BATCH = 5000
/** Whether the entry is from before the asked time. */
type IsOld = { is_old: boolean }

/** The entries and the seals of a chain behind its beginning, in the order of their ids. */
async function* linksOf(ask: Ask, { log, owner, start, olderThan }: Chain): AsyncIterable<Link & IsOld> {
  const more = sql`, coalesce(l.at < ${olderThan ?? null}::timestamptz, false) as is_old`
  for (let after = start.last_id, isEnd = false; !isEnd;) {
    const links = await ask(chainLinks<Link<string> & IsOld>({ log, owner }, { after, limit: BATCH }, { more }))
    // This client has no parsers, so that ids are texts.
    for (const { id, ...link } of links) yield { id: Number(id), ...link }
    after = Number(links.at(-1)?.id ?? after)
    isEnd = links.length < BATCH
  }
}

// All entries of audit logs with their seals, chain by chain, some at a time inside one transaction.
import { AUDIT_LOGS, type AuditLog, CHAIN_START, hashedText } from './audit-chain.ts'
import { chainLinks, nextOwner, sealUpTo } from './audit-links.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { SealedEntry, SealedFilters } from './sealed-entry.ts'

type Ask = <Row>(statement: Statement<Row>) => Promise<Row[]>

const AT_ONCE = 1000

/** The chains of all organizations, of one, or that of the service. */
export async function* sealedEntries(
  ask: Ask,
  { log: name = 'organizations', organization_id, after_id = 0 }: SealedFilters,
): AsyncGenerator<SealedEntry[]> {
  const log = logOf(name)
  const ofChain = (owner: number | null) => entriesOf(ask, { log, owner }, after_id)
  if (!log.hasOrganizations) return yield* ofChain(null)
  if (organization_id !== undefined) return yield* ofChain(organization_id)
  for (let owner = await ownerAfter(ask, 0); owner !== null; owner = await ownerAfter(ask, owner)) yield* ofChain(owner)
}

/** The organization's own log as its owner sees it: of the rest there are the hashes. */
export const visibleSealedEntries = (ask: Ask, organizationId: number, after: number): AsyncGenerator<SealedEntry[]> =>
  entriesOf(ask, { log: logOf('organizations'), owner: organizationId }, after, OF_OWNER)

function logOf(name: 'organizations' | 'service'): AuditLog {
  const log = AUDIT_LOGS.find(({ hasOrganizations }) => hasOrganizations === (name === 'organizations'))
  if (!log) throw new Error(`there is no log of ${name}`)
  return log
}

async function ownerAfter(ask: Ask, id: number): Promise<number | null> {
  const [next] = await ask(nextOwner(id))
  return next?.id ?? null
}

const ACT = sql`, l.at, l.actor_kind, l.actor_id, l.actor, l.action, l.resource, l.resource_id, l.request_id, l.ip`

/** Customers do not see what an invoice was before it was finalized: a draft. */
const OF_DRAFT = sql`l.resource = 'invoice' and l.action = 'finalized'`

const OF_ALL = {
  audit_log: { more: sql`${ACT}, l.reason, l.before, l.after, null::jsonb as details` },
  service_audit: { more: sql`${ACT}, null::text as reason, null::jsonb as before, null::jsonb as after, l.details` },
}
const OF_OWNER = (log: AuditLog) => ({
  more: sql`${ACT}, l.reason, case when not (${OF_DRAFT}) then l.before end as before, l.after, null::jsonb as details`,
  text: sql`case when not (${OF_DRAFT}) then ${hashedText(log)} end`,
})

type EntryRow = Omit<SealedEntry, 'organization_id' | 'hashed' | 'previous_hash' | 'redacted_hash'> & {
  text: string | null
  left: string | null
}

async function* entriesOf(
  ask: Ask,
  chain: Parameters<typeof sealUpTo>[0],
  after: number,
  columnsOf: (log: AuditLog) => { more: Statement; text?: Statement } = ({ name }) => OF_ALL[name],
): AsyncGenerator<SealedEntry[]> {
  const [before] = after > 0 ? await ask(sealUpTo(chain, after)) : []
  let previous = before?.hash ?? CHAIN_START
  const columns = columnsOf(chain.log)
  for (let from = after, isLast = false; !isLast;) {
    const rows = await ask(chainLinks<EntryRow>(chain, { after: from, limit: AT_ONCE }, columns))
    isLast = rows.length < AT_ONCE
    // Where old entries were removed, the chain begins with the seal of the last one of them, also for whoever asks for
    // what comes behind an older one.
    const [first] = rows
    if (from === after && !before && first?.at === null) previous = rows.shift()?.hash ?? previous
    from = rows.at(-1)?.id ?? from
    yield rows.map(({ text, left, ...entry }) => {
      const previous_hash = entry.hash === null ? null : previous
      previous = entry.hash ?? previous
      return { ...entry, organization_id: chain.owner, hashed: text, previous_hash, redacted_hash: left }
    })
  }
}

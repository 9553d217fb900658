// Reads of an organization on a cluster: the coordinator checks access, the node that has the organization answers the
// rest (docs/scaling.md). Whatever a node cannot answer, the coordinator does.
import { LRUCache } from 'lru-cache'
import { DatabaseError } from 'pg'
import { binding, join, rowsOf, type Statement, sql } from '#kernel/values/sql.ts'
import { isStalePlan } from '#kernel/values/errors.ts'
import { outageLog, type OutageLog, type OutageLogger } from '#kernel/values/outage-log.ts'
import { NoAnswer } from '#kernel/database/answer-timeouts.ts'
import type { StatementKinds } from './statement-kinds.ts'
import type { PooledReads } from './pooled-reads.ts'
import { BOUND, type BoundSettings, BOUND_SETTINGS } from './tell-nodes.ts'
import type { PoolState } from '#kernel/database/pool-state.ts'
import type { SharedConnections } from '#kernel/database/shared-connections.ts'
import type { RunGroup } from '#kernel/database/transaction.ts'
import type { ServerAddress } from '#kernel/database/transport.ts'

/** How many groups of statements each has answered since the start. */
export type NodeReads = { node: number; coordinator: number }
export type ClusterReads = SharedConnections & {
  /**
   * For a transaction in an organization. Once it has locked it, so that nobody else changes it, what only reads is
   * asked of the node, until the transaction itself has changed something there, which nobody else sees.
   */
  forLocked(run: RunGroup, locked: LockedAccess & { answerMs: number }): RunGroup
  answered(): NodeReads
  stateOfNodes(): PoolState
}

/** What the access check has set, and whether the organization is locked meanwhile. */
export type LockedAccess = { bound: BoundSettings; isLocked: () => boolean }

type Options = {
  /** Connections to the coordinator on which nothing reaches the nodes. */
  accessChecks: SharedConnections
  kinds: StatementKinds
  coordinator: SharedConnections
  readsAt: (node: ServerAddress) => PooledReads
  log: OutageLogger
}
type Node = { reads: PooledReads; awayUntil: number; outage: OutageLog }
type Place = ServerAddress & { isCoordinator: boolean }

const AWAY_MS = 5000
/** An organization that was moved is still read: the node where it was asks the one where it is. */
const PLACE_MS = 60_000
const PLACES = 10_000

const boundAgain = (bound: BoundSettings): Statement =>
  binding(
    sql`select ${join(
      BOUND_SETTINGS.map((name) => sql`set_config(${name}, ${bound[name] ?? ''}, true)`),
      ', ',
    )}`,
  )

const placeOf = (organizationId: string) => sql<Place>`
  select n.nodename as host, n.nodeport as port, n.groupid = 0 as "isCoordinator"
    from pg_dist_placement p join pg_dist_node n using (groupid)
   where p.shardid = get_shard_id_for_distribution_column('audit_log', ${organizationId}::bigint)
     and n.noderole = 'primary'
   limit 1`

export function createClusterReads({ accessChecks, kinds, coordinator, readsAt, log }: Options): ClusterReads {
  const places = new LRUCache<string, Place>({ max: PLACES, ttl: PLACE_MS })
  const nodes = new Map<string, Node>()
  const answered: NodeReads = { node: 0, coordinator: 0 }

  async function placeAt(organizationId: string): Promise<Place> {
    const known = places.get(organizationId)
    if (known) return known
    const statement = placeOf(organizationId)
    const [rows] = await accessChecks.read([statement])
    const [place] = rowsOf(statement, rows)
    if (!place) throw new Error(`no node has the organization ${organizationId}`)
    places.set(organizationId, place)
    return place
  }
  function nodeAt({ host, port }: ServerAddress): Node {
    const address = `${host}:${port}`
    const node = nodes.get(address) ?? {
      reads: readsAt({ host, port }),
      awayUntil: 0,
      outage: outageLog(log, {
        failed: `the node ${address} is not read from; the coordinator is asked instead`,
        over: `the node ${address} is read from again`,
      }),
    }
    nodes.set(address, node)
    return node
  }
  async function atCoordinator(statements: readonly Statement[]): Promise<unknown[][]> {
    answered.coordinator++
    return coordinator.read(statements)
  }
  async function atNode(
    node: Node,
    { bound, asked, answerMs }: { bound: BoundSettings; asked: readonly Statement[]; answerMs?: number | undefined },
  ): Promise<unknown[][] | null> {
    if (performance.now() < node.awayUntil) return null
    // One read tries whether it is back; the others do not wait for that.
    if (node.awayUntil > 0) node.awayUntil = performance.now() + AWAY_MS
    try {
      const [, ...rows] = await node.reads.read([boundAgain(bound), ...asked], answerMs)
      answered.node++
      node.awayUntil = 0
      node.outage.succeeded()
      return rows
    } catch (error) {
      const hindrance = hindranceOf(error)
      if (hindrance === null) throw error
      if (hindrance === 'away') {
        node.awayUntil = performance.now() + AWAY_MS
        node.outage.failed(error)
      } else {
        for (const statement of asked) kinds.refuse(statement)
        log.error({ err: error }, 'a node cannot answer a statement; the coordinator is asked from now on')
      }
      return null
    }
  }
  return {
    async read(statements) {
      const [access, ...asked] = statements
      if (!access?.isBinding) return atCoordinator(statements)
      if (asked.length === 0) return accessChecks.read(statements)
      if ((await kinds.of(asked)).some((kind) => kind !== 'node')) return atCoordinator(statements)
      const [checked = [], found] = await accessChecks.read([access, BOUND])
      const [bound] = rowsOf(BOUND, found)
      const organizationId = bound?.['app.organization_id']
      if (!organizationId) return atCoordinator(statements)
      const place = await placeAt(organizationId)
      if (place.isCoordinator) return [checked, ...(await atCoordinator([boundAgain(bound), ...asked])).slice(1)]
      const rows = await atNode(nodeAt(place), { bound, asked })
      return rows ? [checked, ...rows] : atCoordinator(statements)
    },
    forLocked(run, { bound, answerMs, isLocked }) {
      let hasChanged = false
      const there = async (asked: readonly Statement[]) => {
        const place = await placeAt(bound['app.organization_id'] ?? '').catch(() => null)
        return !place || place.isCoordinator ? null : atNode(nodeAt(place), { bound, asked, answerMs })
      }
      return async (statements) => {
        if (hasChanged) return run(statements)
        // The transaction can still answer where the catalogue cannot be read.
        const found = await kinds.of(statements).catch(() => ['change'])
        hasChanged = found.includes('change') || statements.some(({ isBinding }) => isBinding)
        const asked = isLocked() && !hasChanged ? statements.filter((_, index) => found[index] === 'node') : []
        const rows = asked.length > 0 && (await there(asked))
        if (!rows) return run(statements)
        const others = statements.filter((_, index) => found[index] !== 'node')
        const rest = others.length > 0 ? await run(others) : []
        return found.map((kind) => (kind === 'node' ? rows.shift() : rest.shift()) ?? [])
      }
    },
    answered: () => answered,
    state: () => coordinator.state(),
    stateOfNodes() {
      const states = [...nodes.values()].map(({ reads }) => reads.state())
      const sumOf = (key: keyof (typeof states)[number]) => states.reduce((sum, state) => sum + state[key], 0)
      return {
        name: 'reads_nodes',
        size: sumOf('size'),
        open: sumOf('open'),
        idle: sumOf('idle'),
        waiting: sumOf('waiting'),
      }
    },
    async close() {
      const all = [coordinator, ...[...nodes.values()].map(({ reads }) => reads)]
      await Promise.all(all.map((reads) => reads.close()))
    },
  }
}

/**
 * Why a node has not answered what the coordinator may: it is away, or it cannot run the statement. Null for an error
 * that the coordinator would give as well.
 */
function hindranceOf(error: unknown): 'away' | 'cannot' | null {
  if (isStalePlan(error) || error instanceof NoAnswer) return null
  if (!(error instanceof DatabaseError)) return 'away'
  const { code = '' } = error
  // Cancelled by the time-out: it would take as long again.
  if (code === '57014') return null
  if (['08', '28', '53', '57'].includes(code.slice(0, 2))) return 'away'
  return ['0A', '25', '42'].includes(code.slice(0, 2)) ? 'cannot' : null
}

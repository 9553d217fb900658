// Reads of an organization on a cluster: the coordinator checks access, the node that has the organization answers the rest
// (docs/decisions/0126). Whatever a node cannot answer, the coordinator does.
import { LRUCache } from 'lru-cache'
import { DatabaseError } from 'pg'
import { binding, join, prepare, raw, type Statement, sql } from '#kernel/data/sql.ts'
import { isStalePlan } from '#kernel/http/errors.ts'
import { outageLog, type OutageLog, type OutageLogger } from '#kernel/jobs/outage-log.ts'
import { BOUND_SETTINGS } from './distributed.ts'
import type { PoolState } from './pool-state.ts'
import type { SharedConnections } from './shared-connections.ts'

export type NodeAddress = { host: string; port: number }
/** How many groups of statements each has answered since the start. */
export type NodeReads = { node: number; coordinator: number }
export type ClusterReads = SharedConnections & { answered(): NodeReads; stateOfNodes(): PoolState }

type Options = {
  /** Connections to the coordinator on which nothing reaches the nodes. */
  accessChecks: SharedConnections
  coordinator: SharedConnections
  readsAt: (node: NodeAddress) => SharedConnections
  log: OutageLogger
}
type Node = { reads: SharedConnections; awayUntil: number; outage: OutageLog }
type Place = NodeAddress & { isCoordinator: boolean }
type Bound = Record<(typeof BOUND_SETTINGS)[number], string | null>

const AWAY_MS = 5000
/** An organization that was moved is still read: the node where it was asks the one where it is. */
const PLACE_MS = 60_000
const PLACES = 10_000

const BOUND = sql<Bound>`select ${join(
  BOUND_SETTINGS.map((name) => sql`current_setting(${name}, true) as ${raw(`"${name}"`)}`),
  ', ',
)}`
const boundAgain = (bound: Bound): Statement =>
  binding(
    sql`select ${join(
      BOUND_SETTINGS.map((name) => sql`set_config(${name}, ${bound[name] ?? ''}, true)`),
      ', ',
    )}`,
  )

const placeOf = (organizationId: string) => sql<Place>`
  select n.nodename as host, n.nodeport as port, n.groupid = 0 as "isCoordinator"
    from pg_dist_placement p join pg_dist_node n using (groupid)
   where p.shardid = get_shard_id_for_distribution_column('audit_log', ${organizationId}::bigint) and n.noderole = 'primary'
   limit 1`

/** Tables and views that the nodes do not have. */
const OF_COORDINATOR = sql<{ name: string }>`
  select c.relname as name from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
     and not exists (select 1 from pg_dist_partition d where d.logicalrelid = c.oid)`
const WRITES = ['insert', 'update', 'delete', 'nextval', 'share']

export function createClusterReads({ accessChecks, coordinator, readsAt, log }: Options): ClusterReads {
  const places = new LRUCache<string, Place>({ max: PLACES, ttl: PLACE_MS })
  const nodes = new Map<string, Node>()
  const answered: NodeReads = { node: 0, coordinator: 0 }
  /** By the name of the statement. */
  const isForNodes = new Map<string, boolean>()
  let ofCoordinator: Promise<RegExp> | undefined

  async function namesOfCoordinator(): Promise<RegExp> {
    const [rows] = (await accessChecks.read([OF_COORDINATOR])) as [{ name: string }[]]
    return new RegExp(`\\b(?:${[...WRITES, ...rows.map(({ name }) => name)].join('|')})\\b`, 'i')
  }
  async function areForNodes(statements: readonly Statement[]): Promise<boolean> {
    ofCoordinator ??= namesOfCoordinator()
    const names = await ofCoordinator.catch((error: unknown) => {
      ofCoordinator = undefined
      throw error
    })
    return statements.every((statement) => {
      const { name, text } = prepare(statement)
      const known = isForNodes.get(name) ?? (!statement.isBinding && !names.test(text))
      isForNodes.set(name, known)
      return known
    })
  }
  async function placeAt(organizationId: string): Promise<Place> {
    const known = places.get(organizationId)
    if (known) return known
    const [[place]] = (await accessChecks.read([placeOf(organizationId)])) as [[Place]]
    places.set(organizationId, place)
    return place
  }
  function nodeAt({ host, port }: NodeAddress): Node {
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
  async function atNode(node: Node, bound: Bound, asked: readonly Statement[]): Promise<unknown[][] | null> {
    if (performance.now() < node.awayUntil) return null
    // One read tries whether it is back; the others do not wait for that.
    if (node.awayUntil > 0) node.awayUntil = performance.now() + AWAY_MS
    try {
      const [, ...rows] = await node.reads.read([boundAgain(bound), ...asked])
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
        for (const statement of asked) isForNodes.set(prepare(statement).name, false)
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
      if (!(await areForNodes(asked))) return atCoordinator(statements)
      const [checked, [bound]] = (await accessChecks.read([access, BOUND])) as [unknown[], [Bound]]
      const organizationId = bound['app.organization_id']
      if (!organizationId) return atCoordinator(statements)
      const place = await placeAt(organizationId)
      if (place.isCoordinator) return [checked, ...(await atCoordinator([boundAgain(bound), ...asked])).slice(1)]
      const rows = await atNode(nodeAt(place), bound, asked)
      return rows ? [checked, ...rows] : atCoordinator(statements)
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
      const all = [accessChecks, coordinator, ...[...nodes.values()].map(({ reads }) => reads)]
      await Promise.all(all.map((reads) => reads.close()))
    },
  }
}

/**
 * Why a node has not answered what the coordinator may: it is away, or it cannot run the statement. Null for an error that the
 * coordinator would give as well.
 */
function hindranceOf(error: unknown): 'away' | 'cannot' | null {
  if (isStalePlan(error)) return null
  if (!(error instanceof DatabaseError)) return 'away'
  const { code = '' } = error
  // Cancelled by the time-out: it would take as long again.
  if (code === '57014') return null
  if (['08', '28', '53', '57'].includes(code.slice(0, 2))) return 'away'
  return ['0A', '25', '42'].includes(code.slice(0, 2)) ? 'cannot' : null
}

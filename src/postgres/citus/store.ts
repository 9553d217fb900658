// Records of organizations on a cluster (docs/scaling.md).
import { countCodes, inOrder } from '#kernel/data/codes.ts'
import { sql } from '#kernel/values/sql.ts'
import type { TenantStore } from '#kernel/data/tenant-store.ts'
import type { OutageLogger } from '#kernel/values/outage-log.ts'
import { addition, insert, remove, update } from './changes.ts'
import type { NodeReads } from './node-reads.ts'
import { type ClusterTransport, openClusterTransport } from './transport.ts'
import { betweenPhases, isCommitted, writerLock } from './two-phases.ts'

/** `nodeReads()` is null unless the nodes are read from. */
export type CitusStore = TenantStore & { nodeReads(): NodeReads | null }

/** `nodesLog` gets what hinders reads of the nodes; with null they are not read from. */
export function createCitusStore(nodesLog: OutageLogger | null): CitusStore {
  let transport: ClusterTransport | undefined
  return {
    openTransport: (connector) => (transport = openClusterTransport(connector, nodesLog)),
    nodeReads: () => transport?.answered() ?? null,
    // None is kept: the sequence is on the coordinator, and seen there before a node has what it counts
    // (docs/scaling.md).
    totals: { statementsOf: ({ rows, total }) => [rows, total], keep: () => {} },
    // Nothing travels with the lock: the node is asked once it is held.
    locking: (organizationId) => [writerLock(organizationId)],
    entering: (organizationId) => [writerLock(organizationId), betweenPhases(organizationId)],
    insert,
    add: (ctx, table, record) => ctx.write(addition(ctx, table, record)),
    update,
    remove,
    // In two statements: the counters are on the coordinator, and what is wanted is on a node.
    async allocateCodes(io, wanted, unless) {
      const found = await io.read(sql<{ prefix: string }>`select w.prefix from (${wanted}) w order by w.nth`)
      const prefixes = found.map(({ prefix }) => prefix)
      return prefixes.length === 0 ? [] : countCodes(io, inOrder(prefixes), 'month', unless)
    },
    // What the node has still to commit is left for later; only what else could be claimed is asked about.
    ifComplete: (condition) =>
      sql`case when ${condition} then j.organization_id is null or ${isCommitted(sql`j.organization_id`)} end`,
  }
}

// How evenly organizations lie on 1 to 100 nodes (docs/scaling.md): a simulation with the hash that a cluster places them by,
// 10,000 organizations a node and work that few of them do. Nothing of it is timed.
import { ask } from '../test/harness/cluster-nodes.ts'
import type { Report, Run } from './run.ts'

const NODES = [1, 3, 10, 30, 100]
const PER_NODE = 10_000
const SHARDS_PER_NODE = [4, 16, 64]
/** The one of rank n does n^-SKEW of what the largest does: of 10,000, a tenth then does 60 % of the work. */
const SKEW = 0.8
const MORE = 1.2
const HASHES = 2 ** 32

type Organization = { hash: number; work: number }
type Spread = { nodes: number; shards: number; organizations: number; work: number; moves: number | undefined }

export async function measureSpread(run: Run): Promise<Report> {
  const { url } = await run.postgres()
  const spreads: Spread[] = []
  for (const nodes of run.quick ? NODES.slice(0, 3) : NODES) {
    const organizations = await organizationsOf(url, nodes * PER_NODE)
    for (const perNode of SHARDS_PER_NODE) spreads.push(spreadOf(organizations, nodes, perNode * nodes))
  }
  return { verdicts: [], lines: linesOf(spreads), figures: spreads }
}

/** Work does not depend on the id. */
async function organizationsOf(url: string, count: number): Promise<Organization[]> {
  const rows = await ask<{ hash: number }>(
    url,
    `select hashint8(i) as hash from generate_series(1, ${count}) i order by hashint8extended(i, 1)`,
  )
  return rows.map(({ hash }, rank) => ({ hash, work: (rank + 1) ** -SKEW }))
}

/** Shards are equal ranges of the hash, dealt out to the nodes in turn, as `create_distributed_table` does. */
function spreadOf(organizations: readonly Organization[], nodes: number, shards: number): Spread {
  const of: Organization[][] = Array.from({ length: nodes }, () => [])
  const shardOf = ({ hash }: Organization) => Math.floor(((hash + HASHES / 2) / HASHES) * shards)
  for (const organization of organizations) of[shardOf(organization) % nodes]?.push(organization)
  const work = of.map((members) => members.reduce((all, one) => all + one.work, 0))
  return {
    nodes,
    shards,
    organizations: ofMean(of.map((members) => members.length)),
    work: ofMean(work),
    moves: movesOf(of, work),
  }
}

/**
 * How many organizations are moved (`titular organizations move --alone`) until no node does more than its share plus 20 %;
 * undefined where one organization does more by itself.
 */
function movesOf(of: readonly Organization[][], work: number[]): number | undefined {
  const fair = mean(work)
  const members = of.map((ones) => ones.toSorted((one, other) => other.work - one.work))
  for (let moves = 0; ; moves++) {
    const [fullest, emptiest] = [work.indexOf(Math.max(...work)), work.indexOf(Math.min(...work))]
    const excess = (work[fullest] ?? 0) - fair
    if (excess <= (MORE - 1) * fair) return moves
    const from = members[fullest] ?? []
    // The largest that neither leaves this node below its share nor brings the other one above it.
    const index = from.findIndex((one) => one.work <= Math.min(excess, fair - (work[emptiest] ?? 0)))
    const [moved] = index < 0 ? [] : from.splice(index, 1)
    if (moved === undefined) return undefined
    work[fullest] = (work[fullest] ?? 0) - moved.work
    work[emptiest] = (work[emptiest] ?? 0) + moved.work
  }
}

const mean = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0) / values.length
/** The fullest, of the mean. */
const ofMean = (values: readonly number[]): number => Math.max(...values) / mean(values)

const linesOf = (spreads: readonly Spread[]): string[] => [
  'The fullest node, of the mean, and the organizations to move until it does no more than its share plus 20 %:',
  ...spreads.map(
    ({ nodes, shards, organizations, work, moves }) =>
      `${String(nodes).padStart(3)} nodes, ${String(shards).padStart(4)} shards: organizations ${organizations.toFixed(2)}, work ${work.toFixed(2)}, moves ${moves ?? 'do not help'}`,
  ),
]

// The service on one server, on a cluster of one node and on one of three: the CPU time that each node takes for an answer
// (docs/scaling.md). At an even pace, since all nodes share the machine. `CITUS_URL` as the suite has it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, databaseAt, joinNodes, nodesOf } from '../test/harness/cluster-nodes.ts'
import { MIGRATIONS } from '../src/commands/databases.ts'
import { distribute } from '../src/postgres/citus/distribute.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { cpuOfTrees } from './cpu.ts'
import { makeData } from './data.ts'
import { type Scenario, scenariosOf } from './questions.ts'
import { type Verdict, upTo } from './report.ts'
import type { Report, Run } from './run.ts'
import { serviceOn } from './scale.ts'
import { keysOf } from './stages.ts'

const SIZE = { organizations: 300, entitlements: 25, big: 1000, quotes: 4000 }
const PER_SECOND = 40
/** More than its share. */
const MORE = 1.2
const SHARDS = 24
/** What a customer's portal asks: nine reads to a change. */
const MIX: Readonly<Record<string, number>> = { 'list of 20 + total': 9, 'one by code': 9, accept: 1, ticket: 1 }
const MIXED = 'nine reads to a change'
const JOB = 'a job'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

type Shape = { name: string; nodes: string[]; isDistributed: boolean }
type Cost = { scenario: string; shape: string; micros: number[]; p50?: number; p99?: number }

export async function measureCluster(run: Run): Promise<Report> {
  const url = process.env['CITUS_URL']
  const all = url === undefined ? [] : await nodesOf(url)
  if (all.length < 3)
    return { verdicts: [], lines: ['cluster: CITUS_URL names no coordinator with two workers.'], figures: [] }
  const one = all.slice(0, 1)
  const shapes: Shape[] = [
    { name: 'one server', nodes: one, isDistributed: false },
    { name: 'one node', nodes: one, isDistributed: true },
    { name: 'three', nodes: all.slice(0, 3), isDistributed: true },
  ]
  const costs: Cost[] = []
  for (const [index, shape] of shapes.entries()) {
    run.say(shape.name)
    const measured = await costsOf(run, shape, `bench_cluster_${index}`)
    costs.push(...measured, { shape: shape.name, ...mixed(measured) })
  }
  return { verdicts: verdictsOf(costs), lines: linesOf(costs), figures: costs }
}

async function costsOf(run: Run, shape: Shape, name: string): Promise<Cost[]> {
  const [coordinator = '', ...workers] = shape.nodes
  const dataDir = await keysOf(run, coordinator)
  run.undo(() => remove(shape.nodes, name))
  const data = await makeData(coordinator, name, SIZE, dataDir)
  if (shape.isDistributed) {
    for (const worker of workers) await ask(worker, `create database ${name}`)
    await joinNodes(shape.nodes, name)
    // On a cluster the roles log in.
    await migrate({ ownerUrl: data.url, directory: MIGRATIONS, log: quiet })
    await ask(data.url, `alter database ${name} set citus.shard_count = ${SHARDS}`)
    // With others beside it, it has the tables that no node has, and no shards.
    if (workers.length === 0)
      await ask(
        data.url,
        `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', true) from pg_dist_node where groupid = 0`,
      )
    await distribute({ ownerUrl: data.url, log: quiet })
    for (const node of shape.nodes) await ask(databaseAt(node, name), 'vacuum analyze')
  }
  const { url: service } = await serviceOn(run, data, dataDir, { isDistributed: shape.isDistributed })
  const dataFile = join(run.home, `${name}.json`)
  await writeFile(dataFile, JSON.stringify(data))
  const pids = await Promise.all(shape.nodes.map((node) => serverOf(node)))
  const costs: Cost[] = []
  for (const scenario of scenariosOf(data).filter((found) => found.name in MIX))
    costs.push({ shape: shape.name, ...(await costOf(run, { scenario, dataFile, service, pids })) })
  const worker = await serviceOn(run, data, dataDir, { isDistributed: shape.isDistributed, works: true })
  costs.push({ shape: shape.name, scenario: JOB, micros: await costOfJobs(run, data.url, pids) })
  await worker.stop()
  return costs
}

/** Of the jobs that the changes before have left: with everything that they do, and those that they enqueue. */
async function costOfJobs(run: Run, url: string, pids: readonly number[]): Promise<number[]> {
  const done = async () => {
    const [row] = await ask<{ done: number }>(
      url,
      `select pg_stat_get_tuples_deleted('jobs'::regclass)::int as done from pg_stat_force_next_flush()`,
    )
    return row?.done ?? 0
  }
  await sleep(4000)
  const [before, first] = [pids.map((pid) => cpuOfTrees([pid])), await done()]
  await sleep(run.quick ? 3000 : 12_000)
  const [after, last] = [pids.map((pid) => cpuOfTrees([pid])), await done()]
  return after.map((cpu, index) => (cpu - (before[index] ?? 0)) / Math.max(1, last - first))
}

type Measured = { scenario: Scenario; dataFile: string; service: string; pids: number[] }

async function costOf(run: Run, { scenario, dataFile, service, pids }: Measured): Promise<Omit<Cost, 'shape'>> {
  const { name, questions } = scenario
  const source = questions.all ? { all: questions.all } : { dataFile, scenario: name }
  const load = { url: service, seconds: run.quick ? 3 : 12, connections: 8 }
  await run.generator.evenPace(source, PER_SECOND, { ...load, seconds: 4 })
  const before = pids.map((pid) => cpuOfTrees([pid]))
  const { answers, p50, p99 } = await run.generator.evenPace(source, PER_SECOND, load)
  const micros = pids.map((pid, index) => (cpuOfTrees([pid]) - (before[index] ?? 0)) / answers)
  return { scenario: name, micros, p50, p99 }
}

/** The pid of the whole server. */
async function serverOf(node: string): Promise<number> {
  const [row] = await ask<{ pid: number }>(
    node,
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
  )
  if (!row) throw new Error(`${node} does not say its pid`)
  return row.pid
}

async function remove(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) await ask(node, `drop database if exists ${name} with (force)`)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const verdictsOf = (costs: readonly Cost[]): Verdict[] =>
  costs
    .filter(({ micros }) => micros.length === 3)
    .map(({ scenario, micros }) =>
      upTo(`${scenario}, the busiest of three nodes, of its share`, (Math.max(...micros) * 3) / sum(micros), MORE, '×'),
    )

/** What an answer takes where the scenarios come as often as `MIX` says. */
function mixed(costs: readonly Cost[]): Pick<Cost, 'scenario' | 'micros'> {
  const answers = sum(Object.values(MIX))
  const micros = (costs[0]?.micros ?? []).map(
    (_, node) => sum(costs.map((cost) => (cost.micros[node] ?? 0) * (MIX[cost.scenario] ?? 0))) / answers,
  )
  return { scenario: MIXED, micros }
}

const linesOf = (costs: readonly Cost[]): string[] => [
  'µs of CPU that PostgreSQL takes for an answer, the coordinator first:',
  ...costs.map(
    ({ scenario, shape, micros, p50, p99 }) =>
      `${scenario.padEnd(20)} ${shape.padEnd(20)} ${micros.map((one) => Math.round(one)).join(' + ')} = ${Math.round(sum(micros))}${p50 === undefined ? '' : `; p50 ${p50.toFixed(1)} ms, p99 ${p99?.toFixed(1)} ms`}`,
  ),
]

// Alternates rounds of the servers at every size, so that other load on the machine affects all alike, and repeats those in
// which it was too much.
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOfMachine, cpuOfTrees, hasProc } from './cpu.ts'
import type { Generator } from './load/load.ts'
import type { Round } from './load/loader.ts'
import type { Scenario } from './questions.ts'
import type { Kind } from './settings.ts'
import { type Stage, kindsOf } from './stages.ts'

/** CPU time of the server and of PostgreSQL per answer, which varies less than the clock on a busy machine. */
export type Cpu = { serverMicros: number; postgresMicros: number; othersShare: number }
export type Run = Round & { cpu: Cpu | null }
export type Comparison = { label: string; scenario: Scenario; runs: { kind: Kind; rounds: Run[] }[] }

export type Plan = { rounds: number; seconds: number; warmUpSeconds: number; connections: number }
/** `repeats` is how many rounds may still be repeated in this run of the bench. */
export type Tools = { generator: Generator; postgresPid: number; repeats: { left: number } }

/** From here on a round is repeated, and marked when it does not get better. */
export const MUCH = 0.08
const REPEATS_EACH = 2
const SETTLE_MS = 100

/** The scenario at `index` on every stage. */
export async function compare(
  stages: readonly Stage[],
  index: number,
  plan: Plan,
  tools: Tools,
): Promise<Comparison[]> {
  const running = stages.flatMap((stage) => {
    const scenario = stage.scenarios[index]
    if (!scenario) return []
    const runs = kindsOf(scenario).map((kind) => ({ kind, rounds: [] as Run[] }))
    return [{ stage, scenario, runs }]
  })
  const run = (seconds: number, { stage, scenario }: (typeof running)[number], kind: Kind): Promise<Run> => {
    const load = { url: stage.servers[kind].url, seconds, connections: plan.connections }
    const source = stage.sourceOf(scenario)
    return measured({ ...tools, serverPid: stage.servers[kind].pid }, () => tools.generator.fullSpeed(source, load))
  }
  for (const one of running) for (const { kind } of one.runs) await run(plan.warmUpSeconds, one, kind)
  for (let round = 0; round < plan.rounds; round++)
    for (const one of running)
      for (const { kind, rounds } of round % 2 === 0 ? one.runs : one.runs.toReversed())
        rounds.push(await quietest(tools.repeats, () => run(plan.seconds, one, kind)))
  return running.map(({ stage: { label }, scenario, runs }) => ({ label, scenario, runs }))
}

/** Rounds beside too much other work are repeated; the quietest of them counts. */
async function quietest(repeats: Tools['repeats'], run: () => Promise<Run>): Promise<Run> {
  let best = await run()
  for (let again = 0; again < REPEATS_EACH && repeats.left > 0 && othersOf(best) > MUCH; again++) {
    repeats.left--
    const other = await run()
    if (othersOf(other) < othersOf(best)) best = other
  }
  return best
}

const othersOf = ({ cpu }: Run): number => cpu?.othersShare ?? 0

type Pids = { serverPid: number; postgresPid: number }

async function measured(pids: Pids, run: () => Promise<Round>): Promise<Run> {
  const before = hasProc ? cpuNow(pids) : null
  const round = await run()
  if (!before) return { ...round, cpu: null }
  await sleep(SETTLE_MS)
  const after = cpuNow(pids)
  const spent = (name: keyof typeof after) => after[name] - before[name]
  const cpu = {
    serverMicros: spent('server') / round.answers,
    postgresMicros: spent('postgres') / round.answers,
    othersShare: (spent('processes') - spent('ours')) / spent('all'),
  }
  return { ...round, cpu }
}

/** Ours are the servers, PostgreSQL, the load and this process. */
const cpuNow = ({ serverPid, postgresPid }: Pids) => ({
  server: cpuOfTrees([serverPid]),
  postgres: cpuOfTrees([postgresPid]),
  ours: cpuOfTrees([process.pid, postgresPid]),
  ...cpuOfMachine(),
})

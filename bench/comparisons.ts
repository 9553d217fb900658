// The scenarios on every server and size, and the latency of the service at half of its highest rate.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Comparison, type Plan, compare } from './compare.ts'
import { comparisonTable, growthVerdicts, medianOf, ratioVerdicts, roundsOf, upTo, type Verdict } from './report.ts'
import type { Report, Run } from './run.ts'
import { expectSameAnswers } from './stages.ts'

/**
 * Those with a ratio to the limit have the most rounds, and begin when V8 has compiled what the service runs, which takes
 * four seconds of load. wrk takes whole seconds.
 */
const planOf = ({ quick, connections }: Run, hasLimit: boolean): Plan => ({
  connections,
  seconds: quick ? 1 : 2,
  warmUpSeconds: hasLimit ? 5 : 2,
  rounds: quick ? (hasLimit ? 3 : 2) : hasLimit ? 5 : 3,
})
/** So that the whole run stays below ten minutes on a machine that is never quiet. */
const MOST_REPEATS = 60

export async function measureComparisons(run: Run): Promise<Report> {
  const stages = await run.stages()
  const { pid: postgresPid } = await run.postgres()
  for (const stage of stages) await expectSameAnswers(stage)
  const tools = { generator: run.generator, postgresPid, repeats: { left: run.quick ? 0 : MOST_REPEATS } }
  const comparisons: Comparison[] = []
  const paced: Verdict[] = []
  for (const [index, { name, path, ofLimit }] of (stages[0]?.scenarios ?? []).entries()) {
    if (run.only && !run.only.some((word) => name.includes(word))) continue
    run.say(`${name} (${path})`)
    const found = await compare(stages, index, planOf(run, ofLimit !== undefined), tools)
    comparisons.push(...found)
    paced.push(...(await pacedVerdicts(run, found)))
  }
  const verdicts = [...ratioVerdicts(comparisons), ...growthVerdicts(comparisons), ...paced]
  const notes = [
    'Medians of rounds taken in turn. noise: how far a server’s own rounds lie apart. µs: CPU per answer; by CPU: the ratio of its',
    'sums. others: CPU of the machine that none of ours took; ~ marks rounds with more than 8 %, which count too.',
    `${run.connections} connections, PostgreSQL with fsync, one log line a request into a file, rate limits raised.`,
  ]
  return { verdicts, lines: [comparisonTable(comparisons), ...notes], figures: comparisons.map(figuresOf) }
}

const figuresOf = ({ label, scenario, runs }: Comparison) => ({ scenario: scenario.name, organizations: label, runs })

/** Latency at half of the highest rate, which is the intended load; before others write, since PostgreSQL then cleans up. */
async function pacedVerdicts(run: Run, comparisons: readonly Comparison[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const stage = (await run.stages()).at(-1)
  for (const comparison of comparisons) {
    const { name, p99Ms, questions } = comparison.scenario
    if (!stage || stage.label !== comparison.label || p99Ms === undefined || !questions.all) continue
    const source = { all: questions.all }
    await sleep(1000)
    const half = medianOf(roundsOf(comparison, 'service'), ({ rate }) => rate) / 2
    const load = { url: stage.servers.service.url, seconds: run.quick ? 2 : 5, connections: run.connections }
    await run.generator.evenPace(source, half, { ...load, seconds: 1 })
    const { p99, rate, pauseMs } = await run.generator.evenPace(source, half, load)
    const stall = `the generator stalled for ${pauseMs?.toFixed(1)} ms at most`
    verdicts.push(upTo(`${name}, p99 at half of the peak (${Math.round(rate)}/s; ${stall})`, p99, p99Ms, 'ms'))
  }
  return verdicts
}

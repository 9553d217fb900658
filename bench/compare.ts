// Alternates rounds: bare, service, service, bare …, at every size, so that other load on the machine affects both alike.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Round, fullSpeed } from './load.ts'
import type { RunningServer } from './processes.ts'
import type { Question, Scenario } from './questions.ts'
import type { Kind } from './settings.ts'

/** One amount of data with both servers on it. */
export type Stage = {
  label: string
  servers: Record<Kind, RunningServer>
  scenarios: Scenario[]
  /** Requests to the service only: PDFs, and small requests at the same time. */
  documents: Question[]
  small: Question[]
}

/** A round with the CPU time of the server's process per answer, which varies less than the clock on a busy machine. */
export type Run = Round & { cpuMicros: number; rss: number }

export type Comparison = { label: string; scenario: Scenario; bare: Run[]; service: Run[] }

export type Plan = { rounds: number; seconds: number; warmUpSeconds: number; connections: number }

const SETTLE_MS = 100

/** The scenario at `index` on every stage. */
export async function compare(stages: readonly Stage[], index: number, plan: Plan): Promise<Comparison[]> {
  const running = stages.flatMap((stage) => {
    const scenario = stage.scenarios[index]
    if (!scenario) return []
    const result: Comparison = { label: stage.label, scenario, bare: [], service: [] }
    return [{ stage, result }]
  })
  const run = async (seconds: number, { stage, result }: (typeof running)[number], kind: Kind): Promise<Run> => {
    const server = stage.servers[kind]
    const before = await server.usage()
    const load = { url: server.url, seconds, connections: plan.connections }
    const round = await fullSpeed(result.scenario.questions, load)
    await sleep(SETTLE_MS)
    const { cpuMicros, rss } = await server.usage()
    return { ...round, cpuMicros: (cpuMicros - before.cpuMicros) / round.answers, rss }
  }
  for (const one of running) for (const kind of KINDS) await run(plan.warmUpSeconds, one, kind)
  for (let round = 0; round < plan.rounds; round++)
    for (const one of running)
      for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed())
        one.result[kind].push(await run(plan.seconds, one, kind))
  return running.map(({ result }) => result)
}

const KINDS: readonly Kind[] = ['bare', 'service']

/** Throws unless both servers give the same answer. Only for requests that change nothing. */
export async function expectSameAnswers({ servers, scenarios }: Stage): Promise<void> {
  for (const { questions } of scenarios) {
    const [question] = questions.all ?? []
    if (!question || question.method !== 'GET') continue
    const [bare, service] = await Promise.all(
      KINDS.map(async (kind) => {
        const response = await fetch(servers[kind].url + question.path, { headers: question.headers })
        return { status: response.status, body: await response.json() }
      }),
    )
    const same = JSON.stringify(bare) === JSON.stringify(service)
    if (!same)
      throw new Error(`the servers differ at ${question.path}: ${JSON.stringify(bare)} and ${JSON.stringify(service)}`)
  }
}

// What one change costs PostgreSQL, one caller at a time: planning and execution of its statements, and how often the service
// waits for the database, commit included.
import { join } from 'node:path'
import { Client } from 'pg'
import { nodeOptionsOfStart } from './npm-start.ts'
import { type RunningServer, startServer } from './processes.ts'
import { type Question, type Questions, scenariosOf } from './questions.ts'
import { type Verdict, median, upTo } from './report.ts'
import type { Report, Run } from './run.ts'
import { keysOf, type Stage } from './stages.ts'
import { type Wiretap, tap } from './wiretap.ts'

type Target = { scenario: string; milliseconds: number; trips: number }
/** Of all counted requests; `groups` are what travels together, several of which may be on the wire at once. */
type Cost = Target & { planMs: number[]; executionMs: number[]; waits: number[]; groups: number[] }

/** Of a scenario whose sequences have several steps, the first one counts. */
const TARGETS: Target[] = [
  { scenario: 'accept', milliseconds: 4, trips: 5 },
  { scenario: 'ticket', milliseconds: 2.5, trips: 4 },
  { scenario: 'activate', milliseconds: 1.5, trips: 3 },
]
/** So many requests prepare every statement on its connection, and let PostgreSQL choose between its plans. */
const WARM_UPS = 20
/** At the end of the list are those whose PDFs are made; the scenarios accept from its beginning. */
const QUOTES_OF_DOCUMENTS = 200

export async function measureChangeCosts(run: Run): Promise<Report> {
  const [stage] = await run.stages()
  if (!stage) throw new Error('no data')
  const client = new Client({ connectionString: stage.data.url })
  await client.connect()
  try {
    const costs = await withStatistics(client, stage, () => costsOf(run, stage, client))
    return { verdicts: costs.flatMap(verdictsOf), lines: [], figures: costs }
  } finally {
    await client.end()
  }
}

/** For connections that are opened meanwhile, which are those of the service behind the proxy. */
async function withStatistics<Result>(client: Client, { data }: Stage, work: () => Promise<Result>): Promise<Result> {
  const database = new URL(data.url).pathname.slice(1)
  await client.query('create extension if not exists pg_stat_statements')
  await client.query(`alter database ${database} set pg_stat_statements.track = 'top'`)
  await client.query(`alter database ${database} set pg_stat_statements.track_planning = on`)
  try {
    return await work()
  } finally {
    await client.query(`alter database ${database} reset all`)
  }
}

async function costsOf(run: Run, stage: Stage, client: Client): Promise<Cost[]> {
  const { data } = stage
  const wiretap = await tap(data.url)
  const options = { kind: 'service', url: wiretap.url, dataDir: await keysOf(run, data.url) }
  const service = await startServer({
    file: 'server.ts',
    options,
    logFile: join(run.home, 'change-costs.log'),
    nodeOptions: await nodeOptionsOfStart(),
  })
  const quotes = data.quotes.slice(0, -QUOTES_OF_DOCUMENTS).toReversed()
  const scenarios = scenariosOf({ ...data, quotes })
  const costs: Cost[] = []
  try {
    for (const target of TARGETS) {
      const questions = scenarios.find(({ name }) => name === target.scenario)?.questions
      if (!questions) throw new Error(`no scenario ${target.scenario}`)
      const count = run.quick ? 20 : 60
      costs.push({ ...target, ...(await costOf(questions, count, { client, service, wiretap })) })
    }
    return costs
  } finally {
    await service.stop()
    wiretap.close()
  }
}

type Scene = { client: Client; service: RunningServer; wiretap: Wiretap }

async function costOf(questions: Questions, count: number, scene: Scene): Promise<Omit<Cost, keyof Target>> {
  const cost: Omit<Cost, keyof Target> = { planMs: [], executionMs: [], waits: [], groups: [] }
  for (let index = 0; index < WARM_UPS + count; index++) {
    const [first, ...others] = (!questions.all && questions.nextSequence()) || []
    if (!first) throw new Error('no request is left')
    const before = await spentSoFar(scene)
    await ask(scene.service, first)
    const after = await spentSoFar(scene)
    for (const question of others) await ask(scene.service, question)
    if (index < WARM_UPS) continue
    cost.planMs.push(after.planMs - before.planMs)
    cost.executionMs.push(after.executionMs - before.executionMs)
    cost.waits.push(after.waits - before.waits)
    cost.groups.push(after.groups - before.groups)
  }
  return cost
}

async function spentSoFar({ client, wiretap }: Scene) {
  const { rows } = await client.query<{ planMs: number; executionMs: number }>(
    `select coalesce(sum(total_plan_time), 0) as "planMs", coalesce(sum(total_exec_time), 0) as "executionMs"
       from pg_stat_statements`,
  )
  const { planMs, executionMs } = rows[0] ?? { planMs: 0, executionMs: 0 }
  return { planMs, executionMs, ...wiretap.counts() }
}

async function ask({ url }: RunningServer, { method, path, headers, body }: Question): Promise<void> {
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${path}: ${text}`)
}

function verdictsOf({ scenario, milliseconds, trips, planMs, executionMs, waits, groups }: Cost): Verdict[] {
  const [plan, execution] = [median(planMs), median(executionMs)]
  const parts = `plan ${plan.toFixed(1)}, execution ${execution.toFixed(1)}`
  return [
    upTo(`${scenario}, time in PostgreSQL (${parts})`, plan + execution, milliseconds, 'ms'),
    upTo(`${scenario}, round trips (${median(groups)} groups of statements)`, median(waits), trips, 'round trips'),
  ]
}

// `npm run bench`: the service beside a bare `node:http` server that runs the same statements, on the same data, in one
// run (docs/architecture.md, Targets). Loopback only, with time limits; processes and data are removed at the end.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loadSecrets } from '../src/commands/secrets.ts'
import { startEmbedded } from '../src/postgres/embedded.ts'
import { type Comparison, type Plan, type Stage, compare, expectSameAnswers } from './compare.ts'
import { type Data, type Size, makeData } from './data.ts'
import { evenPace } from './load.ts'
import { startServer } from './processes.ts'
import { documentLines, documentVerdicts, measureDocuments } from './documents.ts'
import { documentsOf, scenariosOf, smallOf } from './questions.ts'
import {
  comparisonTable,
  growthVerdicts,
  median,
  rateVerdicts,
  ratioVerdicts,
  startVerdicts,
  upTo,
  type Verdict,
  verdictTable,
} from './report.ts'
import { benchConfig, type Kind } from './settings.ts'
import { measureStartUp } from './start-up.ts'
import { measureWebhooks, webhookLines, webhookVerdicts } from './webhooks.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    connections: { type: 'string', default: '16' },
    /** Only scenarios whose name contains one of these parts (by comma), without start-up times. */
    only: { type: 'string' },
    /** The directory of Node's CPU profiles of each server. */
    profile: { type: 'string' },
  },
})

const { quick } = options
const connections = Number(options.connections)
/** Scenarios with a ratio to the bare server have the longest rounds. */
const ratios: Plan = quick
  ? { rounds: 3, seconds: 0.5, warmUpSeconds: 1, connections }
  : { rounds: 5, seconds: 1.8, warmUpSeconds: 1.5, connections }
const others: Plan = quick
  ? { rounds: 2, seconds: 0.4, warmUpSeconds: 1, connections }
  : { rounds: 3, seconds: 1.6, warmUpSeconds: 1, connections }
const isAsked = (name: string) =>
  options.only === undefined || options.only.split(',').some((part) => name.includes(part))
const SIZES: Size[] = [
  { organizations: 100, entitlements: 25, big: 20_000, quotes: quick ? 6000 : 20_000 },
  { organizations: quick ? 2000 : 10_000, entitlements: 25, big: 20_000, quotes: quick ? 6000 : 20_000 },
]
const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`

const started = performance.now()
const home = await mkdtemp(join(tmpdir(), 'titular-bench-'))
const undo: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true })]
// Ctrl-C cleans up as the end of the run does.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void cleanUp().finally(() => process.exit(1))
  })
try {
  process.exitCode = (await run()) ? 0 : 1
} finally {
  await cleanUp()
}

async function cleanUp(): Promise<void> {
  for (const step of undo.splice(0).toReversed()) await step()
}

async function run(): Promise<boolean> {
  say(
    `Load before: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')} (other work on this machine blurs the figures)`,
  )
  const startUp = options.only === undefined ? await measureStartUp(quick ? 1 : 3) : null
  const postgres = await startEmbedded({ dataDir: join(home, 'postgres'), log: quiet })
  undo.push(() => postgres.stop())
  const stages = options.only === 'webhooks' ? [] : await stagesOf(postgres.url)
  for (const stage of stages) await expectSameAnswers(stage)
  const comparisons: Comparison[] = []
  for (const [index, { name, path, target }] of (stages[0]?.scenarios ?? []).entries()) {
    if (!isAsked(name)) continue
    say(`${seconds()}: ${name} (${path})`)
    comparisons.push(...(await compare(stages, index, target.ratio === undefined ? others : ratios)))
  }
  const verdicts = [
    ...ratioVerdicts(comparisons),
    ...rateVerdicts(comparisons),
    ...growthVerdicts(comparisons),
    ...(await pacedVerdicts(stages.at(-1), comparisons)),
    ...(stages.length > 0 ? await memoryVerdicts(stages, comparisons) : []),
    ...(startUp ? startVerdicts(startUp) : []),
  ]
  // Last, since the rendering thread has memory of its own.
  const last = stages.at(-1)
  const documents = last && isAsked('documents') ? await measureDocuments(last, quick ? 3 : 8) : null
  if (documents) verdicts.push(...documentVerdicts(documents))
  const webhooks = isAsked('webhooks')
    ? await measureWebhooks(postgres.url, quick ? 200 : 1000, join(home, 'webhooks'))
    : null
  if (webhooks) verdicts.push(...webhookVerdicts(webhooks))
  say(`\n${comparisonTable(comparisons)}\n\n${verdictTable(verdicts)}\n`)
  if (documents) say(`${documentLines(documents)}\n`)
  if (webhooks) say(`${webhookLines(webhooks)}\n`)
  say('Ratios are medians of rounds taken in turn; noise: how far the bare server’s own rounds lie apart.')
  say(`${connections} connections, PostgreSQL with fsync, one log line a request into a file, rate limits raised.`)
  say(`${seconds()}; load after: ${loadavg()[0]?.toFixed(1)}`)
  return verdicts.every(({ isMet }) => isMet)
}

async function stagesOf(postgresUrl: string): Promise<Stage[]> {
  const keysDir = join(home, 'keys')
  await loadSecrets(benchConfig({ url: postgresUrl, dataDir: keysDir }))
  if (options.profile !== undefined) await mkdir(options.profile, { recursive: true })
  const stages: Stage[] = []
  for (const size of SIZES) {
    const data = await makeData(postgresUrl, `bench_${size.organizations}`, size, keysDir)
    stages.push({
      label: size.organizations.toLocaleString('en-US'),
      scenarios: scenariosOf(data),
      documents: documentsOf(data),
      small: smallOf(data),
      servers: await bothOn(data, size, keysDir),
    })
    say(
      `${seconds()}: ${size.organizations} organizations with ${size.entitlements} entitlements each, one with ${size.big}`,
    )
  }
  return stages
}

async function bothOn({ url }: Data, { organizations }: Size, dataDir: string): Promise<Stage['servers']> {
  const start = async (kind: Kind) => {
    const profileDir = options.profile === undefined ? undefined : join(options.profile, `${kind}-${organizations}`)
    const server = await startServer({ kind, url, dataDir }, join(home, `${kind}-${organizations}.log`), profileDir)
    undo.push(() => server.stop())
    return server
  }
  return { bare: await start('bare'), service: await start('service') }
}

/** Latency at half of the highest rate, which is the intended load. */
async function pacedVerdicts(stage: Stage | undefined, comparisons: readonly Comparison[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  // Lets the load of the rounds before end: queued password hashes, new connections.
  await sleep(1000)
  for (const { label, scenario, service } of comparisons) {
    const { name, p99Ms, questions } = scenario
    if (!stage || stage.label !== label || p99Ms === undefined || !questions.all) continue
    const half = median(service.map(({ rate }) => rate)) / 2
    const load = { url: stage.servers.service.url, seconds: quick ? 1.5 : 5, connections }
    await evenPace(questions.all, half, { ...load, seconds: 0.5 })
    const { p99, rate } = await evenPace(questions.all, half, load)
    verdicts.push(upTo(`${name}, p99 at half of the peak (${Math.round(rate)}/s)`, p99, p99Ms, 'ms'))
  }
  return verdicts
}

/** Memory after each round of reads, and the highest of the whole run with its logins. */
async function memoryVerdicts(stages: readonly Stage[], comparisons: readonly Comparison[]): Promise<Verdict[]> {
  const used = await Promise.all(stages.map(({ servers }) => servers.service.usage()))
  const underReads = comparisons.filter(({ scenario }) => scenario.kind === 'read').flatMap(({ service }) => service)
  return [
    ...(underReads.length > 0
      ? [
          memory(
            'under reads',
            underReads.map(({ rss }) => rss),
          ),
        ]
      : []),
    memory(
      'its peak',
      used.map(({ peak }) => peak),
    ),
  ]
}

function memory(what: string, bytes: number[]): Verdict {
  return upTo(`memory of the service, ${what}`, Math.max(...bytes) / 1024 ** 2, 200, 'MB')
}

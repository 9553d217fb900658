// The stages: amounts of data, each with all servers on it, and their scenarios.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSecrets } from '../src/commands/secrets.ts'
import { type Data, type Size, makeData } from './data.ts'
import type { Source } from './load/load.ts'
import { nodeOptionsOfStart } from './npm-start.ts'
import { type RunningServer, startServer } from './processes.ts'
import { type Question, type Scenario, documentsOf, scenariosOf, smallOf } from './questions.ts'
import type { Run } from './run.ts'
import { KINDS, type Kind, benchConfig } from './settings.ts'

export type Stage = {
  label: string
  data: Data
  servers: Record<Kind, RunningServer>
  scenarios: Scenario[]
  /** In the processes that make the load. */
  sourceOf(scenario: Scenario): Source
  /** Requests to the service only: PDFs, and small requests at the same time. */
  documents: Question[]
  small: Question[]
}

const sizesOf = (quick: boolean): Size[] => [
  { organizations: 100, entitlements: 25, big: 20_000, quotes: quick ? 6000 : 20_000 },
  { organizations: quick ? 2000 : 10_000, entitlements: 25, big: 20_000, quotes: quick ? 6000 : 20_000 },
]

/** On two cores. One connection was a third slower, three were no faster. */
const LIMIT_CONNECTIONS = 2

export async function makeStages(run: Run): Promise<Stage[]> {
  const stages: Stage[] = []
  for (const size of sizesOf(run.quick)) {
    stages.push(await makeStage(run, size))
    const { organizations, entitlements, big } = size
    run.say(`${organizations} organizations with ${entitlements} entitlements each, one with ${big}`)
  }
  return stages
}

async function makeStage(run: Run, size: Size): Promise<Stage> {
  const { url } = await run.postgres()
  const keysDir = await keysOf(run, url)
  const name = `bench_${size.organizations}`
  const data = await makeData(url, name, size, keysDir)
  const dataFile = join(run.home, `${name}.json`)
  await writeFile(dataFile, JSON.stringify(data))
  return {
    label: size.organizations.toLocaleString('en-US'),
    data,
    servers: await serversOn(run, data, { name, keysDir }),
    scenarios: scenariosOf(data),
    sourceOf: ({ name: scenario, questions }) => (questions.all ? { all: questions.all } : { dataFile, scenario }),
    documents: documentsOf(data),
    small: smallOf(data),
  }
}

/** All servers sign and verify with the same keys. */
export async function keysOf({ home }: Run, url: string): Promise<string> {
  const keysDir = join(home, 'keys')
  await loadSecrets(benchConfig({ url, dataDir: keysDir }))
  return keysDir
}

type Names = { name: string; keysDir: string }

async function serversOn(run: Run, data: Data, { name, keysDir }: Names): Promise<Stage['servers']> {
  const callersFile = join(run.home, `${name}-callers.json`)
  // A user has the id of the organization that it owns.
  const callers = [...data.owners, data.bigOwner].map((one) => ({
    token: one.token,
    userId: String(one.organizationId),
  }))
  await writeFile(callersFile, JSON.stringify(callers))
  const start = async (kind: Kind): Promise<RunningServer> => {
    const profileDir = run.profile && join(run.profile, `${kind}-${name}`)
    if (profileDir) await mkdir(profileDir, { recursive: true })
    const program =
      kind === 'limit'
        ? { file: 'limit/server.ts', options: { url: data.url, callersFile, connections: LIMIT_CONNECTIONS } }
        : {
            file: 'server.ts',
            options: { kind, url: data.url, dataDir: keysDir },
            nodeOptions: await nodeOptionsOfStart(),
          }
    const server = await startServer({ ...program, logFile: join(run.home, `${kind}-${name}.log`), profileDir })
    run.undo(() => server.stop())
    return server
  }
  return { limit: await start('limit'), bare: await start('bare'), service: await start('service') }
}

/** Throws unless the servers give the same answer. Only for requests that change nothing. */
export async function expectSameAnswers({ servers, scenarios }: Stage): Promise<void> {
  for (const scenario of scenarios) {
    const { questions } = scenario
    const [question] = questions.all ?? []
    if (!question || question.method !== 'GET') continue
    const answers = new Set<string>()
    for (const kind of kindsOf(scenario)) {
      const response = await fetch(servers[kind].url + question.path, { headers: question.headers })
      answers.add(`${response.status} ${await response.text()}`)
    }
    const [one, other] = answers
    if (one !== undefined && other !== undefined)
      throw new Error(`the servers differ at ${question.path}: ${firstDifference(one, other)}`)
  }
}

/** What stands around the first difference, since an answer may be long. */
function firstDifference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 60)
  return [one, other].map((text) => `...${text.slice(from, from + 120)}...`).join(' and ')
}

export const kindsOf = ({ ofLimit }: Pick<Scenario, 'ofLimit'>): readonly Kind[] =>
  ofLimit === undefined ? KINDS.filter((kind) => kind !== 'limit') : KINDS

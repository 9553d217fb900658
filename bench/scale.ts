// One organization with a million entitlements, one of which has thousands of tickets: the total, the search, the lineage, each by
// one caller at a time.
import { join } from 'node:path'
import { Client } from 'pg'
import { FILLED_CODE } from './dependents.ts'
import { type Data, type Owner, makeData } from './data.ts'
import { nodeOptionsOfStart } from './npm-start.ts'
import { type RunningServer, startServer } from './processes.ts'
import { headersOf } from './questions.ts'
import { type Verdict, median, upTo } from './report.ts'
import type { Report, Run } from './run.ts'
import type { ServerOptions } from './settings.ts'
import { keysOf } from './stages.ts'

const ENTITLEMENTS = 1_000_000
const TICKETS = 5000
const SIZE = { organizations: 100, entitlements: 25, big: ENTITLEMENTS, quotes: 0 }
/** In the name of one product, far from the newest. */
const RARE = 'zanzibar'
const ASKED = 20
const MILLION = 'of 1,000,000 rows'

export async function measureScale(run: Run): Promise<Report> {
  const { url } = await run.postgres()
  const dataDir = await keysOf(run, url)
  const data = await makeData(url, 'bench_scale', SIZE, dataDir)
  await addRecords(data)
  run.say(`an organization with ${ENTITLEMENTS} entitlements, one of them with ${TICKETS} tickets`)
  const { bigOwner } = data
  const measure = timesOf((await serviceOn(run, data, dataDir)).url, bigOwner)
  const asked: Asked[] = [
    { what: `list of 20 + total ${MILLION}`, path: '/entitlements', ms: 5 },
    { what: `search for a rare word in an organization ${MILLION}`, path: `/entitlements?search=${RARE}`, ms: 50 },
    { what: `lineage with ${TICKETS} tickets`, path: `/entitlements/${bigOwner.entitlementId}/lineage`, ms: 5 },
  ]
  return measured(measure, asked)
}

/** The service on this data. */
export async function serviceOn(
  run: Run,
  data: Data,
  dataDir: string,
  more: Pick<ServerOptions, 'isDistributed' | 'works'> = {},
): Promise<RunningServer> {
  const options = { kind: 'service', url: data.url, dataDir, ...more }
  const logFile = join(run.home, `${new URL(data.url).pathname.slice(1)}.log`)
  const service = await startServer({ file: 'server.ts', options, logFile, nodeOptions: await nodeOptionsOfStart() })
  run.undo(() => service.stop())
  return service
}

export type Asked = { what: string; path: string; ms: number }

/** Each by one caller at a time, after the first answer. */
export async function measured(measure: ReturnType<typeof timesOf>, asked: readonly Asked[]): Promise<Report> {
  const verdicts: Verdict[] = []
  const figures: object[] = []
  for (const { what, path, ms } of asked) {
    const times = await measure(path)
    figures.push({ what, ...times })
    const note = `the first ${times.firstMs.toFixed(1)} ms, ${Math.round(times.bytes / 1000)} kB`
    verdicts.push(upTo(`${what}, after the first (${note})`, times.medianMs, ms, 'ms'))
  }
  return { verdicts, lines: [], figures }
}

/** The first answer, and the median of those after it. */
export const timesOf = (url: string, owner: Pick<Owner, 'token' | 'organizationId'>) => async (path: string) => {
  const times: number[] = []
  let bytes = 0
  for (let asked = 0; asked <= ASKED; asked++) {
    const began = performance.now()
    const response = await fetch(`${url}/api/v1${path}`, { headers: headersOf(owner) })
    bytes = (await response.arrayBuffer()).byteLength
    // The service gives up after five seconds.
    times.push(response.ok ? performance.now() - began : Number.POSITIVE_INFINITY)
  }
  const [firstMs = 0, ...later] = times
  return { firstMs, bytes, later, medianMs: median(later) }
}

async function addRecords({ url, bigOwner }: Data): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into tickets (organization_id, number, title, description, entitlement_id, entitlement_code, created_by)
       select organization_id, 'SR-1999' || lpad(n::text, 6, '0'), 'Request ' || n, 'Since last night', id, code, organization_id
         from entitlements, generate_series(1, $3::int) n where organization_id = $1 and code = $2`,
      [bigOwner.organizationId, FILLED_CODE, TICKETS],
    )
    await client.query(
      `update entitlements set product_name = $2 where organization_id = $1
          and id = (select id from entitlements where organization_id = $1 order by id offset 1000 limit 1)`,
      [bigOwner.organizationId, `Storage in ${RARE}`],
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

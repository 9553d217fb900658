// What the backlog of one organization costs another: how long after a customer accepted a quote its checkout is asked for, with no other
// jobs and beside thousands of due jobs of another organization.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Data, makeData, type Quote } from './data.ts'
import { headersOf } from './questions.ts'
import { median } from './report.ts'
import type { Report, Run } from './run.ts'
import { serviceOn } from './scale.ts'
import { keysOf } from './stages.ts'

const CHECKOUTS = 7
const SIZE = { organizations: 20, entitlements: 25, big: 25, quotes: 200 }
const backlogOf = (quick: boolean): number => (quick ? 2000 : 10_000)
/** The machine does the other jobs beside it. */
const MOST_TIMES = 5
const POLL_MS = 5
const LIMIT_MS = 60_000

export async function measureFairness(run: Run): Promise<Report> {
  const { url } = await run.postgres()
  const dataDir = await keysOf(run, url)
  const data = await makeData(url, 'bench_fairness', SIZE, dataDir)
  const service = await serviceOn(run, data, dataDir, { works: true })
  const client = new Client({ connectionString: data.url })
  await client.connect()
  const backlog = backlogOf(run.quick)
  const checkout = checkoutsOf(service.url, data, client)
  await times(2, checkout)
  const alone = median(await times(CHECKOUTS, checkout))
  await flood(client, data, backlog)
  // The first one of all would wait for the whole backlog, and those after it for nothing.
  const beside = Math.max(...(await times(CHECKOUTS, checkout)))
  const left = await countOf(client, `organization_id = ${data.bigOwner.organizationId} and ${OF_FLOOD}`)
  await client.end()
  await service.stop()
  const ratio = beside / alone
  const figures = { alone, beside, backlog, left }
  return {
    verdicts: [
      {
        what: `slowest checkout beside ${backlog} due jobs of another organization, of which ${left} were left`,
        measured: `${ratio.toFixed(1)} × ${alone.toFixed(0)} ms`,
        target: `≤ ${MOST_TIMES} ×, before they are done`,
        isMet: ratio <= MOST_TIMES && left > 0,
      },
    ],
    lines: [],
    figures,
  }
}

/** Accepts the next quote, and gives the milliseconds until a worker has asked the provider for its checkout. */
function checkoutsOf(url: string, { quotes, owners }: Data, client: Client): () => Promise<number> {
  const byId = new Map(owners.map((owner) => [owner.organizationId, owner]))
  const next = quotes.values()
  return async () => {
    const quote: Quote | undefined = next.next().value
    const owner = quote && byId.get(quote.organizationId)
    if (!owner) throw new Error('there are no more quotes')
    const began = performance.now()
    const headers = headersOf(owner)
    const response = await fetch(`${url}/api/v1/quotes/${quote.id}/accept`, { method: 'POST', headers })
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    while ((await countOf(client, UNTRIED)) > 0) {
      if (performance.now() - began > LIMIT_MS) throw new Error('no worker asked for the checkout')
      await sleep(POLL_MS)
    }
    return performance.now() - began
  }
}

/** No provider listens here, so the first try ends the wait. */
const UNTRIED = `kind = 'payments/open-checkout' and last_error is null`
const OF_FLOOD = `kind = 'notifications/announce' and last_error is null`

async function countOf(client: Client, condition: string): Promise<number> {
  const { rows } = await client.query(`select count(*)::int as count from jobs where ${condition}`)
  return rows[0]?.count
}

async function times(count: number, measure: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let at = 0; at < count; at++) found.push(await measure())
  return found
}

/** Jobs such as those behind new records: each looks who is to learn of an event. */
const flood = (client: Client, { bigOwner }: Data, jobs: number) =>
  client.query(
    `with happened as (
       insert into events (organization_id, sequence, type, resource, resource_id, data, at)
       select $1, 1000000, 'titular/entitlement/created', 'entitlement', $2::bigint, '{}', now() returning id)
     insert into jobs (organization_id, kind, payload)
     select $1, 'notifications/announce', jsonb_build_object('event_id', h.id, 'resource_id', $2::bigint)
       from happened h, generate_series(1, $3::int)`,
    [bigOwner.organizationId, bigOwner.entitlementId, jobs],
  )

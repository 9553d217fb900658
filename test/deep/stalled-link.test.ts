// The connection to the database stops without an error: every request is still answered, and the service recovers
// by itself when there are new connections.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WAITS } from '#kernel/database/answer-timeouts.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { type Link, openLink } from '#test/harness/link.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

let app: TestApp
let link: Link
let acme: Organization
beforeAll(async () => {
  app = await startApp({ hasServedWaits: true, databaseUrl: async (url) => (link = await openLink(url)).url })
  acme = await app.world.organization()
})
afterAll(async () => {
  await app.close()
  await link.close()
})

const rename = (name: string) => acme.owner.put(`/organizations/${acme.id}`, { name })
const ready = async () => {
  const { statusCode, headers } = await app.service.app.inject({ url: '/readyz' })
  return { status: statusCode, retryAfter: headers['retry-after'] }
}

/** A change that waits for a lock in the database. */
async function waitingChange(): Promise<{ change: Promise<Answer>; release: () => Promise<void> }> {
  const client = new Client({ connectionString: app.database.url })
  await client.connect()
  await client.query('begin')
  await client.query('select 1 from event_sequences where organization_id = $1 for update', [acme.id])
  const change = rename('Later')
  const isWaiting = async () =>
    (
      await app.database.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    ).length > 0
  while (!(await isWaiting()));
  return { change, release: () => client.end() }
}

describe('while nothing arrives', () => {
  it('503 with Retry-After for running and new requests; readiness is 503 before', async () => {
    // Opens connections of every kind.
    const before = await Promise.all([rename('Acme'), acme.owner.get('/quotes'), acme.owner.get('/auth/me'), ready()])
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { change, release } = await waitingChange()
    link.stop()
    const order: string[] = []
    const noted = async <Result>(name: string, answer: Promise<Result>): Promise<Result> =>
      answer.finally(() => order.push(name))
    const [readiness, ...answers] = await Promise.all([
      noted('readiness', ready()),
      ...[
        change,
        rename('Acme Ltd'),
        acme.owner.get('/quotes'),
        acme.owner.get('/auth/me'),
        app.world.anonymous.post('/auth/login', { email: acme.owner.email, password: 'not the right one' }),
      ].map((answer) => noted('request', answer)),
    ])
    expect(readiness).toEqual({ status: 503, retryAfter: '2' })
    expect(order[0]).toBe('readiness')
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    for (const { errors, headers } of answers) {
      expect(errors?.code).toBe('SERVICE_UNAVAILABLE')
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    await release()
    // What docs/architecture.md says: a request waits for a connection and then for an answer, together less than ten seconds.
    expect(WAITS).toEqual({ connectMs: 2000, answerMs: 5000 })
  })
  it('200 over new connections, although the older ones stay dead; none of those is kept', async () => {
    link.mend()
    while ((await ready()).status !== 200);
    const answers = await Promise.all([acme.owner.get('/quotes'), rename('Acme again'), acme.owner.get('/auth/me')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await acme.owner.get(`/organizations/${acme.id}`)).data.name).toBe('Acme again')
    const reads = () => Array.from({ length: 4 }, () => [acme.owner.get('/quotes'), acme.owner.get('/auth/me')]).flat()
    while (link.deadEnds() > 0) await Promise.all(reads())
  })
})

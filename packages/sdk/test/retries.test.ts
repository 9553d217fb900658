// What is sent again, when, and how often: over lost connections, 429 and 503. No test waits: the pauses are kept.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { manyEvents } from '../../../test/scenes/events.ts'
import { sentQuote } from '../../../test/scenes/commerce.ts'
import { until } from '../../../test/harness/until.ts'
import {
  acceptQuote,
  adminListEvents,
  bearer,
  ConflictError,
  ConnectionError,
  createSite,
  createTitular,
  requestPasswordReset,
  GoneError,
  listQuotes,
  listSites,
  RateLimited,
  listEvents,
  ServiceUnavailable,
  TimeoutError,
} from '../src/index.ts'
import { clientOf, failureOf, watched } from './client.ts'
import { cutting } from './cutting.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()

/** Answers so before the request goes through. */
function before(...answers: (Response | Error)[]): typeof fetch {
  return async (url, init) => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer ?? fetch(url, init)
  }
}
/** Answers nothing until it is stopped. */
const never: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))))

const refusal = (status: number, retryAfter?: string): Response =>
  new Response(JSON.stringify({ success: false, data: null, meta: null, message: 'later', errors: { code: 'X' } }), {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  })

describe('a write', () => {
  it('whose answer was lost is sent again with its key, and happens once', async () => {
    const network = await cutting(app.url)
    const { titular, sent, pauses } = clientOf(network, acme.owner, acme.id)
    network.loseAnswers(2)
    const site = await titular.answer(createSite, { body: { domain: 'loja.example' } })
    expect(site).toMatchObject({ status: 201, isReplayed: true })
    expect((await titular.answer(listSites)).meta?.total).toBe(1)
    const keys = sent.slice(0, 3).map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[\da-f]{32}$/)
    expect(new Set(keys).size).toBe(1)
    expect(pauses).toEqual([500, 1000])
    await network.close()
  })
  it('has a key for each call, or the one that the caller gives', async () => {
    const { titular, sent } = clientOf(app, acme.owner, acme.id)
    const id = await sentQuote(acme)
    const first = await titular.answer(acceptQuote, { id }, { idempotencyKey: 'accept-1' })
    const second = await titular.answer(acceptQuote, { id }, { idempotencyKey: 'accept-1' })
    expect([first.isReplayed, second.isReplayed, second.data]).toEqual([false, true, first.data])
    expect(await failureOf(titular.call(acceptQuote, { id }))).toBeInstanceOf(ConflictError)
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
  })
  it('that still runs elsewhere with its key is waited for', async () => {
    const running = new Response('{"success":false,"errors":{"code":"CONFLICT","reason":"request_in_progress"}}', {
      status: 409,
    })
    const { titular, pauses } = clientOf(app, acme.owner, acme.id, before(running))
    expect((await titular.answer(createSite, { body: { domain: 'blog.example' } })).status).toBe(201)
    expect(pauses).toEqual([500])
  })
  it('without a key is never sent twice', async () => {
    for (const lost of [new TypeError('cut'), refusal(503, '1'), refusal(429, '1')]) {
      const { titular, sent } = watched(app, {}, before(lost))
      const error = await failureOf(titular.call(requestPasswordReset, { body: { email: 'ana@example.com' } }))
      expect(error).toBeInstanceOf(lost instanceof Error ? ConnectionError : Error)
      expect(sent).toHaveLength(1)
    }
  })
})

describe('a pause', () => {
  it('is as long as the service asks for, in seconds or until a date', async () => {
    const answers = [refusal(429, '7'), refusal(503, new Date(Date.now() + 20_500).toUTCString())]
    const { titular, pauses } = clientOf(app, acme.owner, acme.id, before(...answers))
    await titular.call(listQuotes)
    expect(pauses[0]).toBe(7000)
    expect([20_000, 21_000]).toContain(pauses[1])
  })
  it('that would be too long is the caller’s to decide', async () => {
    const { titular, pauses } = clientOf(app, acme.owner, acme.id, before(refusal(429, '3600')))
    const error = await failureOf(titular.call(listQuotes))
    if (!(error instanceof RateLimited)) throw error
    expect([error.retryAfterSeconds, pauses]).toEqual([3600, []])
  })
  it('doubles without such an answer, by chance from half to the whole, and ends with the last try', async () => {
    const always = before(...Array.from({ length: 9 }, () => refusal(503)))
    const { titular, pauses, sent } = watched(app, { credentials: bearer(acme.owner.token), retries: 6 }, always)
    expect(await failureOf(titular.call(listQuotes))).toBeInstanceOf(ServiceUnavailable)
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 8000])
    expect(sent).toHaveLength(7)
    const lucky = watched(app, { random: () => 0 }, before(new TypeError('cut'), refusal(404)))
    await failureOf(lucky.titular.call(listQuotes))
    expect(lucky.pauses).toEqual([250])
  })
  it('ends when the caller stops the call', async () => {
    const gone = new AbortController()
    const titular = createTitular({
      baseUrl: app.url,
      fetch: async () => {
        queueMicrotask(() => gone.abort(new Error('left')))
        return refusal(503, '30')
      },
    })
    await expect(titular.call(listQuotes, {}, { signal: gone.signal })).rejects.toThrow('left')
  })
})

it('429 of the service itself says how long to wait', async () => {
  const limited = await appOfFile({ listens: true, environment: { LIMIT_REQUESTS: '1/60' } })
  const org = await limited.world.organization()
  const { titular, pauses } = clientOf(limited, org.owner, org.id)
  await titular.call(listQuotes)
  const error = await failureOf(titular.call(listQuotes, {}, { retries: 1 }))
  if (!(error instanceof RateLimited)) throw error
  expect(error.retryAfterSeconds).toBeGreaterThan(0)
  expect(pauses).toEqual([expect.any(Number)])
  expect(pauses[0]).toBeGreaterThan(0)
})

it('a call that takes too long is a TimeoutError, and one that never connects a ConnectionError', async () => {
  const slow = clientOf(app, acme.owner, acme.id, never)
  const late = await failureOf(slow.titular.call(listQuotes, {}, { timeoutMs: 1, retries: 1 }))
  expect(late).toBeInstanceOf(TimeoutError)
  expect(late).toBeInstanceOf(ConnectionError)
  expect(slow.sent).toHaveLength(2)
  const nowhere = createTitular({ baseUrl: 'http://127.0.0.1:9', retries: 0 })
  expect(await failureOf(nowhere.call(listQuotes))).toBeInstanceOf(ConnectionError)
})

describe('the feed', () => {
  const SENT = 'titular/quote/sent'
  const happen = (id: number, count = 1) => manyEvents(app, id, { type: SENT, count, data: { status: 'sent' } })

  it('gives each event once and in order, over a connection that is lost', async () => {
    const org = await app.world.organization()
    await happen(org.id, 3)
    const network = await cutting(app.url)
    const losses: string[] = []
    const { titular } = clientOf(network, org.owner, org.id)
    const enough = new AbortController()
    const feed = titular.follow(
      listEvents,
      { per_page: 2, type: 'quote.sent' },
      { signal: enough.signal, onLoss: ({ name }) => void losses.push(name) },
    )
    const seen: number[] = []
    for await (const event of feed) {
      seen.push(event.sequence)
      if (event.resource === 'quote') expect(event.data?.status).toBe('sent')
      if (seen.length === 2) network.stop()
      if (seen.length === 3) await happen(org.id, 2)
      if (seen.length === 5) enough.abort()
      if (seen.length === 2) void until(() => losses.length > 1).then(network.mend)
    }
    expect(seen).toEqual([1, 2, 3, 4, 5])
    expect(losses).toContain('ConnectionError')
    await network.close()
  })
  it('waits for what happens, and goes on from the cursor of a reader that ended', async () => {
    const org = await app.world.organization()
    const { titular, sent } = clientOf(app, org.owner, org.id)
    const feed = titular.follow(listEvents)
    const seen: number[] = []
    void until(() => sent.length > 0).then(() => happen(org.id, 2))
    for await (const { sequence } of feed) {
      seen.push(sequence)
      if (sequence === 2) break
    }
    // The loop was left while it had the second event: that one is not done.
    expect([seen, feed.cursor]).toEqual([[1, 2], 1])
    for await (const { sequence } of titular.follow(listEvents, { after: feed.cursor ?? 0 })) {
      seen.push(sequence)
      if (sequence === 2) break
    }
    expect(seen).toEqual([1, 2, 2])
  })
  it('of the vendor counts over all organizations', async () => {
    const orgs = [await app.world.organization(), await app.world.organization()]
    for (const { id } of [...orgs, ...orgs]) await happen(id)
    const places: number[] = []
    const { titular } = clientOf(app, acme.staff)
    const feed = titular.follow(adminListEvents, { per_page: 3, type: 'quote.sent' })
    const isOurs = (id: number) => orgs.some((one) => one.id === id)
    for await (const { position, organization_id } of feed) {
      if (isOurs(organization_id)) places.push(position)
      if (places.length === 4) break
    }
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(feed.cursor).toBeLessThan(places.at(-1) ?? 0)
    for await (const { position } of titular.follow(adminListEvents, { after: places[2] ?? 0 })) {
      expect(position).toBe(places[3])
      break
    }
  })
  it('says which events are gone, and stops at what does not pass by itself', async () => {
    const org = await app.world.organization()
    await happen(org.id, 3)
    await app.database.query(`delete from events where organization_id = $1 and sequence < 3`, [org.id])
    const { titular } = clientOf(app, org.owner, org.id)
    const first = async (after: number) => {
      for await (const { sequence } of titular.follow(listEvents, { after })) return sequence
      return null
    }
    const error = await failureOf(first(1))
    if (!(error instanceof GoneError)) throw error
    expect(error.oldest).toBe(3)
    expect(await first(2)).toBe(3)
    expect(await failureOf(first(99))).toMatchObject({ status: 422 })
  })
})

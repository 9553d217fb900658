// Stored events of other systems as administrators have them: listed with their state, shown whole, replayed, and
// removed when they are old.
import { beforeEach, describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'
import { acceptedQuote, buyerOf, deadLetters, paidEvent, signedEvent } from '#test/scenes/commerce.ts'
import { declarations } from '../../../modules.ts'

const DAY_MS = 86_400_000

const app = await appOfFile({ listens: true, environment: { INBOUND_EVENT_DAYS: '30' } })
const acme = await app.world.organization()
const administrator = await app.world.user({ roles: ['customer', 'administrator'] })
beforeEach(() => app.database.query('delete from jobs where every_seconds is null'))

const list = async (query = ''): Promise<Answer['data']> =>
  (await administrator.get(`/admin/inbound-events${query}`)).data
const ids = async (query: string) => (await list(query)).map((one: { id: number }) => one.id)
const detail = async ({ id }: { id: number }) => (await administrator.get(`/admin/inbound-events/${id}`)).data
const replay = ({ id }: { id: number }) => administrator.post(`/admin/inbound-events/${id}/replay`)
const setAside = ({ id }: { id: number }, reason: unknown = 'A test of "theirs" 🧪', by = administrator) =>
  by.post(`/admin/inbound-events/${id}/set-aside`, { reason })
const work = () => app.service.worker.drain()

/** The event as it is listed. */
async function received(event: object): Promise<Answer['data']> {
  const { body, headers } = signedEvent(app, 'entity_br', event)
  expect((await app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)).message).toBe('Event stored')
  return (await list())[0]
}
const ofNobody = () => received(paidEvent('in_of_nobody'))
const ignored = () => received({ ...paidEvent('in_1'), type: 'customer.created' })
const unreadable = () => received({ ...paidEvent('in_1'), data: null })

describe('GET /admin/inbound-events', () => {
  it('200 with the state of each: waiting, failed, handled, ignored, unreadable', async () => {
    const failing = await ofNobody()
    const common = { source: 'sandbox', company: 'entity_br', type: 'invoice.paid' }
    expect(failing).toMatchObject({ ...common, state: 'waiting', error: null })
    await app.database.query(`update jobs set attempts = 9 where payload ? 'provider_event_id'`)
    await work()
    const failed = await detail(failing)
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('in_of_nobody') })
    expect((await administrator.get('/admin/jobs')).data).toMatchObject([{ id: failed.job_id, state: 'dead_letter' }])
    expect((await ignored()).state).toBe('ignored')
    expect(await unreadable()).toMatchObject({ state: 'unreadable', error: expect.stringMatching(/./) })
    await app.database.query('delete from jobs where id = $1', [failed.job_id])
    expect(await detail(failing)).toMatchObject({ state: 'handled', error: null, job_id: null })
  })
  it('200 filtered by source, company, type, state and day', async () => {
    const { id, received_at } = await ignored()
    await unreadable()
    const day = received_at.slice(0, 10)
    for (const query of [
      'source=sandbox',
      'company=entity_br',
      'type=customer.created',
      'state=ignored',
      `date_from=${day}&date_to=${day}`,
    ])
      expect(await ids(`?${query}`), query).toContain(id)
    for (const query of [
      'source=stripe',
      'company=entity_global',
      'type=x',
      'state=handled',
      'state=unreadable',
      'date_from=2999-01-01',
      'date_to=2001-01-01',
    ])
      expect(await ids(`?${query}`), query).not.toContain(id)
    for (const query of ['state=lost', 'date_from=today', 'company=x', 'kind=x'])
      expect((await administrator.get(`/admin/inbound-events?${query}`)).status, query).toBe(422)
  })
  it('403 for others', async () => {
    const event = await ignored()
    for (const path of ['', `/${event.id}`])
      expect((await acme.owner.get(`/admin/inbound-events${path}`)).status).toBe(403)
    expect((await acme.owner.post(`/admin/inbound-events/${event.id}/replay`)).status).toBe(403)
  })
})

describe('GET /admin/inbound-events/{id}', () => {
  it('200 with the body byte by byte, and what was read of it', async () => {
    const event = paidEvent('in_42')
    const found = await detail(await received(event))
    expect(JSON.parse(found.body)).toEqual(event)
    expect(found).toMatchObject({
      body_encoding: 'utf-8',
      size: found.body.length,
      event: { kind: 'paid', reference: 'in_42' },
    })
  })
  it('200 in base64 for bytes that are no text, 404 for an unknown one', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x41])
    const [row] = await app.database.query<{ id: number }>(
      `insert into provider_events (source, company, dedupe_key, type, body, error) values ('x', '', 'k', 't', $1, 'no JSON')
       returning id`,
      [bytes],
    )
    const found = await detail({ id: row?.id ?? 0 })
    expect(found).toMatchObject({ company: null, body: bytes.toString('base64'), body_encoding: 'base64', event: null })
    expect((await administrator.get('/admin/inbound-events/999999')).status).toBe(404)
  })
})

describe('POST /admin/inbound-events/{id}/replay', () => {
  it('200 and a payment whose event failed is settled; again changes nothing', async () => {
    const buyer = await buyerOf(acme)
    const { quote_id, invoice_id } = await acceptedQuote(app, acme, buyer)
    const { payment_invoice_id: reference } = (await buyer.get(`/invoices/${invoice_id}`)).data
    await app.database.query('update payment_references set reference = $2 where reference = $1', [
      reference,
      'in_hidden',
    ])
    const event = await received(paidEvent(reference))
    await app.database.query(`update jobs set attempts = 9 where payload ? 'provider_event_id'`)
    await work()
    expect((await detail(event)).state).toBe('failed')
    await app.database.query('update payment_references set reference = $2 where reference = $1', [
      'in_hidden',
      reference,
    ])
    expect((await replay(event)).status).toBe(200)
    await work()
    expect([(await detail(event)).state, await deadLetters(app)]).toEqual(['handled', []])
    expect((await buyer.get(`/quotes/${quote_id}`)).data.status).toBe('fulfilled')
    const history = async () => (await acme.owner.get(`/audit-log?resource=invoice`)).meta?.total
    const before = await history()
    for (let times = 0; times < 2; times++) expect((await replay(event)).status).toBe(200)
    await work()
    expect([await history(), await deadLetters(app)]).toEqual([before, []])
  })
  it('adds no second job while one waits, and is in the service’s own log', async () => {
    const event = await ofNobody()
    await Promise.all([replay(event), replay(event)])
    const waiting = await app.database.query(`select id from jobs where payload ? 'provider_event_id'`)
    expect(waiting).toHaveLength(1)
    const { data } = await administrator.get('/admin/audit-log?log=service&action=administration')
    const request = 'POST /admin/inbound-events/{id}/replay'
    expect(data[0].changes.after).toEqual({ request, params: { id: String(event.id) } })
  })
  it('409 for what is not used, could not be read, or has a sender that nothing handles; 404 for an unknown one', async () => {
    const event = await ofNobody()
    await app.database.query(`update provider_events set source = 'former-sandbox' where id = $1`, [event.id])
    for (const one of [await ignored(), await unreadable(), event]) expect((await replay(one)).status).toBe(409)
    expect((await replay({ id: 999_999 })).status).toBe(404)
  })
  it('finds the handler of every provider that is configured', () => {
    const handled = declarations.inboundSources.flatMap(({ names }) => names)
    expect(new Set(handled).size).toBe(handled.length)
    for (const payments of Object.values(app.service.ports.payments)) expect(handled).toContain(payments?.provider)
  })
})

describe('POST /admin/inbound-events/{id}/set-aside', () => {
  it('200: the event says so, and leaves the queue with its dead letter', async () => {
    const event = await unreadable()
    await work()
    expect(await deadLetters(app)).toHaveLength(1)
    const waiting = async () =>
      (await administrator.get('/admin/queue?per_page=100')).data.map(({ kind, id }: Answer['data']) => [kind, id])
    expect(await waiting()).toContainEqual(['inbound-events', event.id])
    expect((await waiting()).flat()).not.toContain('dead-letters')
    expect(await setAside(event)).toMatchObject({
      status: 200,
      message: 'Event set aside; it is kept to be read, and cannot be handled again',
    })
    expect(await detail(event)).toMatchObject({
      state: 'set_aside',
      error: event.error,
      set_aside_at: app.clock.now.toISOString(),
      set_aside_reason: 'A test of "theirs" 🧪',
    })
    expect(await waiting()).not.toContainEqual(['inbound-events', event.id])
    expect(await deadLetters(app)).toEqual([])
    expect(await ids('?state=set_aside')).toEqual([event.id])
    const { data } = await administrator.get('/admin/audit-log?log=service&resource=inbound_event')
    expect(data[0]).toMatchObject({ resource_id: event.id, changes: { after: { reason: 'A test of "theirs" 🧪' } } })
    expect((await replay(event)).errors?.reason).toBe('event_unreadable')
  })
  it('200 while a worker runs its job, which leaves no dead letter', async () => {
    const event = await unreadable()
    await app.database.query(
      `update jobs set lease = gen_random_uuid(), leased_until = $1 where payload ->> 'provider_event_id' = $2`,
      [new Date(app.clock.now.getTime() + 60_000), String(event.id)],
    )
    expect((await setAside(event)).status).toBe(200)
    expect((await detail(event)).job_id).toBeNull()
  })
  it('200 once of many at a time, else 409', async () => {
    const event = await unreadable()
    const answers = await Promise.all(Array.from({ length: 16 }, () => setAside(event)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15)
    expect(answers.find(({ status }) => status === 409)?.errors?.reason).toBe('status_not_allowed')
  })
  it('409 for what could be read, 404 for an unknown one, 422 without a reason, 403 for others', async () => {
    for (const event of [await ignored(), await ofNobody()]) expect((await setAside(event)).status).toBe(409)
    expect((await setAside({ id: 999_999 })).status).toBe(404)
    const event = await unreadable()
    for (const reason of ['', ' ', null, 7, 'x'.repeat(256), 'a\nb']) {
      const { status, errors } = await setAside(event, reason)
      expect([status, Object.keys(errors?.fields ?? {})], String(reason)).toEqual([422, ['reason']])
    }
    for (const by of [acme.owner, await acme.staffAs('auditor'), await acme.staffAs('support')])
      expect((await setAside(event, 'x', by)).status).toBe(403)
  })
})

describe('INBOUND_EVENT_DAYS', () => {
  it('removes what is older and has no unfinished job', async () => {
    const [old, failing, recent] = [await ignored(), await ofNobody(), await ignored()]
    const age = (days: number, { id }: { id: number }) =>
      app.database.query('update provider_events set received_at = $2 where id = $1', [
        id,
        new Date(app.clock.now.getTime() - days * DAY_MS),
      ])
    await age(31, old)
    await age(31, failing)
    await age(29, recent)
    await app.database.query(`insert into jobs (kind, run_at) values ('webhooks/prune', $1)`, [app.clock.now])
    await app.database.query(`update jobs set dead_at = now() where payload ? 'provider_event_id'`)
    await work()
    const kept = await ids('?per_page=100')
    expect(kept).not.toContain(old.id)
    expect(kept).toEqual(expect.arrayContaining([failing.id, recent.id]))
  })
})

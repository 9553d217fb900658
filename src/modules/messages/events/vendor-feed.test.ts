import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { manyEvents } from '#test/scenes/events.ts'
import type { Answer } from '#test/harness/world.ts'

const SENT = 'titular/quote/sent'

const app = await appOfFile()
const acme = await app.world.organization()
const beta = await app.world.organization()

const read = async (query = ''): Promise<Answer['data']> => {
  const { status, data } = await acme.staff.get(`/admin/events?per_page=100&${query}`)
  expect(status).toBe(200)
  return data
}
/** Where the feed goes on after everything that there is. */
async function end(): Promise<number> {
  for (let after = 0; ;) {
    const { next, has_more } = await read(`after=${after}`)
    after = next
    if (!has_more) return after
  }
}
const positionsOf = ({ events }: Answer['data']): number[] =>
  events.map(({ position }: { position: number }) => position)

describe('GET /admin/events', () => {
  it('200 with the events of all organizations in one order without gaps, drafts too, with inner columns', async () => {
    const draft = await draftQuote(acme)
    await sentQuote(beta)
    const { events, next, has_more } = await read()
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'quote.created',
      'quote.created',
      'quote.sent',
      'quote_link.created',
    ])
    expect(events[0]).toMatchObject({
      position: 1,
      sequence: 1,
      organization_id: acme.id,
      resource_id: draft.id,
      data: { status: 'draft', created_by: acme.staff.userId },
    })
    expect([positionsOf({ events }), next, has_more]).toEqual([[1, 2, 3, 4], 4, false])
  })
  it('200 from the end on with `latest`', async () => {
    const next = await end()
    expect(await read('after=latest')).toEqual({ events: [], next, has_more: false })
  })
  it('200 without secrets', async () => {
    const [entitlement] = await app.database.query<{ id: number }>(
      `insert into entitlements (organization_id, code, class, product_name, company)
       values ($1, 'PLG-1999010001', 'PLG', 'Backup', 'entity_br') returning id`,
      [acme.id],
    )
    const license = await acme.staff.post('/licenses', { entitlement_id: entitlement?.id, activations_limit: 1 })
    expect(license.status).toBe(201)
    const { events } = await read('type=license.created')
    expect(events).toMatchObject([{ entitlement_codes: ['PLG-1999010001'] }])
    expect(JSON.stringify(events)).not.toContain(license.data.license_key)
  })
  it('200 filtered by organization, type and resource', async () => {
    const ofBeta = await read(`organization_id=${beta.id}`)
    expect(new Set(ofBeta.events.map((one: { organization_id: number }) => one.organization_id))).toEqual(
      new Set([beta.id]),
    )
    expect((await read('type=quote.sent,order.on_hold')).events.length).toBe(1)
    expect((await read('resource=license')).events.length).toBe(1)
  })
  it('200 skips no event of a transaction that commits after a later one', async () => {
    const next = await end()
    const slow = new Client({ connectionString: app.database.url })
    await slow.connect()
    await slow.query('begin')
    await slow.query(
      `with counted as (update event_sequences set last_sequence = last_sequence + 1 where organization_id = $1
         returning last_sequence)
       insert into events (organization_id, sequence, type, resource, resource_id, data, at)
       select $1, last_sequence, $2, 'quote', 1000000001, '{}', now() from counted`,
      [acme.id, SENT],
    )
    await manyEvents(app, beta.id, { type: SENT })
    const first = await read(`after=${next}`)
    expect(first.events).toMatchObject([{ organization_id: beta.id, position: next + 1 }])
    await slow.query('commit')
    await slow.end()
    const second = await read(`after=${first.next}`)
    expect(second.events).toMatchObject([{ organization_id: acme.id, position: next + 2 }])
    expect(second.events[0].id).toBeLessThan(first.events[0].id)
  })
  it('200 to many readers at once, each event with one position', async () => {
    const next = await end()
    await manyEvents(app, acme.id, { type: SENT, count: 40 })
    await manyEvents(app, beta.id, { type: SENT, count: 40 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => read(`after=${next}`)))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(positionsOf(answers[0])).toEqual(Array.from({ length: 80 }, (_, index) => next + index + 1))
  })
  it('200 in parts, whatever waits for a position', async () => {
    const next = await end()
    await manyEvents(app, acme.id, { type: SENT, count: 2300 })
    const seen: number[] = []
    for (let after = next, more = true; more;) {
      const page = await read(`after=${after}&type=quote.sent`)
      seen.push(...positionsOf(page))
      after = page.next
      more = page.has_more
    }
    expect(seen).toEqual(Array.from({ length: 2300 }, (_, index) => next + index + 1))
  })
  it('200 with `wait` as soon as an organization has an event', async () => {
    const next = await end()
    const answer = read(`after=${next}&wait=30`)
    await manyEvents(app, beta.id, { type: SENT })
    expect((await answer).events).toMatchObject([{ organization_id: beta.id, position: next + 1 }])
  })
  it('200 with the events of a deleted organization', async () => {
    const gone = await app.world.organization()
    await draftQuote(gone)
    await gone.owner.delete(`/organizations/${gone.id}`)
    const from = (await end()) - 10
    const { events } = await read(`after=${from}&organization_id=${gone.id}`)
    expect(events.at(-1)).toMatchObject({ type: 'organization.deleted', organization_id: gone.id })
  })
  it('403 for others, 422 beyond the last event', async () => {
    expect((await acme.owner.get('/admin/events')).status).toBe(403)
    expect((await acme.staff.get('/admin/events?after=99999999')).errors?.fields).toHaveProperty('after')
  })
})

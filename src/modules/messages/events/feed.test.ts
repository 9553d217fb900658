import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf, draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { manyEvents } from '#test/scenes/events.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const { invoice_id } = await acceptedQuote(app, acme, await buyerOf(acme))
await acme.staff.post(`/invoices/${invoice_id}/pay`, {})
await app.service.worker.drain()
const { id } = (await acme.owner.get('/entitlements')).data[0]
const ticket = (await acme.staff.post('/tickets', { title: 'Slow', entitlement_id: id })).data
await acme.staff.post(`/tickets/${ticket.id}/comments`, { body: 'Look at the disk', internal: true })
await acme.staff.post(`/tickets/${ticket.id}/comments`, { body: 'We are looking' })
await app.service.worker.drain()

const typesOf = ({ data }: Answer): string[] => data.events.map(({ type }: { type: string }) => type)

/** Reads until there is no more, as a client does. */
async function all(speaker: Speaker, query = ''): Promise<Answer['data'][]> {
  const events: Answer['data'][] = []
  for (let after = 0; ;) {
    const { status, data } = await speaker.get(`/events?after=${after}&${query}`)
    expect(status).toBe(200)
    events.push(...data.events)
    expect(data.next).toBeGreaterThanOrEqual(after)
    after = data.next
    if (!data.has_more) return events
  }
}

describe('GET /events', () => {
  it('200 with the events of a sale, oldest first, with their entitlement codes', async () => {
    const { data } = await acme.owner.get('/events?per_page=100')
    const [first] = data.events
    expect(first).toMatchObject({
      type: 'quote.sent',
      timestamp: app.clock.now.toISOString(),
      organization_id: acme.id,
      resource: 'quote',
      entitlement_codes: [],
      thin: false,
      data: { status: 'sent', organization_id: acme.id },
    })
    const types = typesOf({ data } as Answer)
    const sale = ['quote.accepted', 'order.created', 'invoice.paid', 'quote.paid', 'license.created', 'quote.fulfilled']
    expect(types).toEqual(expect.arrayContaining(sale))
    const sequences: number[] = data.events.map(({ sequence }: { sequence: number }) => sequence)
    expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other))
    const [{ code }] = (await acme.owner.get('/entitlements')).data
    for (const type of ['quote.fulfilled', 'invoice.paid', 'entitlement.created', 'license.created'])
      expect(data.events.find((one: { type: string }) => one.type === type).entitlement_codes, type).toEqual([code])
    const comments = data.events.filter((one: { type: string }) => one.type === 'ticket_comment.created')
    expect(comments).toMatchObject([{ entitlement_codes: [code], data: { body: 'We are looking', internal: false } }])
  })
  it('200 with pages that make the whole, whatever their size', async () => {
    const whole = await all(acme.owner, 'per_page=100')
    expect(whole.length).toBeGreaterThan(12)
    for (const size of [1, 3, 7]) expect(await all(acme.owner, `per_page=${size}`)).toEqual(whole)
  })
  it('200 from the end of the feed on with `latest`, also where there is nothing yet', async () => {
    const { next } = (await acme.owner.get('/events?per_page=100')).data
    const atEnd = await acme.owner.get('/events?after=latest')
    expect([atEnd.status, atEnd.data]).toEqual([200, { events: [], next, has_more: false }])
    const org = await app.world.organization()
    expect((await org.owner.get('/events?after=latest')).data).toEqual({ events: [], next: 0, has_more: false })
    await sentQuote(org)
    expect(typesOf(await org.owner.get('/events?after=0'))).toContain('quote.sent')
    const fields = (await acme.owner.get('/events?after=last')).errors?.fields
    expect(Object.keys(fields ?? {})).toEqual(['after'])
  })
  it('200 without drafts and what staff write to each other, and `next` goes past them', async () => {
    const org = await app.world.organization()
    await draftQuote(org)
    const drafted = await org.owner.get('/events')
    expect(drafted.data).toEqual({ events: [], next: 1, has_more: false })
    await org.staff.post(`/quotes/${(await draftQuote(org)).id}/cancel`)
    const sent = await sentQuote(org)
    const { data } = await org.owner.get('/events?after=1')
    expect(data).toMatchObject({
      events: [{ type: 'quote.sent', resource_id: sent, sequence: 5 }],
      next: 6,
      has_more: false,
    })
    const bodies = (await acme.owner.get('/events?per_page=100')).raw.body
    expect(bodies).not.toContain('Look at the disk')
    expect((await acme.staff.get('/events?per_page=100')).raw.body).not.toContain('Look at the disk')
  })
  it('200 with the events whose scopes the caller holds; `next` is the same for all', async () => {
    const owners = (await acme.owner.get('/events?per_page=100')).data
    const member = await acme.member({ scopes: ['organization', 'quotes'] })
    const { data } = await member.get('/events?per_page=100')
    expect(new Set(data.events.map(({ resource }: { resource: string }) => resource))).toEqual(new Set(['quote']))
    expect(data.next).toBe(owners.next)
    const both = await acme.member({ scopes: ['organization', 'orders'] })
    expect((await both.get('/events?resource=refund')).data.events).toEqual([])
  })
  it('200 for an API key, with its scopes', async () => {
    const made = (await acme.owner.post('/auth/api-keys', { name: 'Feed', scopes: ['organization', 'finances'] })).data
    const pair = Buffer.from(`${made.consumer_key}:${made.consumer_secret}`).toString('base64')
    const { status, data } = await app.world.anonymous.get('/events?per_page=100&resource=invoice', {
      authorization: `Basic ${pair}`,
    })
    expect([status, data.events.length > 0]).toEqual([200, true])
  })
  it('200 filtered by types, resource and entitlement', async () => {
    expect(typesOf(await acme.owner.get('/events?type=quote.paid,invoice.paid')).toSorted()).toEqual([
      'invoice.paid',
      'quote.paid',
    ])
    const tickets = await acme.owner.get('/events?resource=ticket_comment')
    expect(typesOf(tickets)).toEqual(['ticket_comment.created'])
    const none = await acme.owner.get('/events?per_page=100&entitlement_code=PLG-1999010001')
    expect(none.data.events).toEqual([])
    const [{ code }] = (await acme.owner.get('/entitlements')).data
    const touching = await all(acme.owner, `per_page=100&entitlement_code=${code}`)
    expect(touching.map(({ type }) => type)).toEqual(expect.arrayContaining(['quote.paid', 'ticket.created']))
    expect(touching.length).toBeLessThan((await all(acme.owner)).length)
  })
  it('200 looks through a thousand events for one answer, and says that there are more', async () => {
    const org = await app.world.organization()
    await manyEvents(app, org.id, { type: 'titular/quote/created', count: 2300 })
    await sentQuote(org)
    const first = await org.owner.get('/events?per_page=1')
    expect(first.data).toEqual({ events: [], next: 1000, has_more: true })
    expect((await all(org.owner, 'per_page=1')).map(({ type }) => type)).toEqual(['quote.sent'])
  })
  it('403 without the scope, 404 for a deleted organization', async () => {
    expect((await (await acme.member({ scopes: ['finances'] })).get('/events')).status).toBe(403)
    const org = await app.world.organization()
    await org.owner.delete(`/organizations/${org.id}`)
    expect((await org.owner.get('/events')).status).toBe(404)
  })
  it('422 naming the field', async () => {
    const wrong: [string, string][] = [
      ['after', 'after=-1'],
      ['after', 'after=1e3'],
      ['after', 'after=999999'],
      ['per_page', 'per_page=101'],
      ['wait', 'wait=31'],
      ['type', 'type=quote.payed'],
      ['type', 'type=quote'],
      ['type', 'type=quote.created'],
      ['limit', 'limit=5'],
    ]
    for (const [field, query] of wrong) {
      const { status, errors } = await acme.owner.get(`/events?${query}`)
      expect([query, status, Object.keys(errors?.fields ?? {})]).toEqual([query, 422, [field]])
    }
  })
})

describe('GET /event-types', () => {
  it('200 with the types, their scopes and the schema of their data, in pages', async () => {
    const { data, meta } = await acme.owner.get('/event-types?resource=refund&per_page=2')
    expect(meta).toEqual({ page: 1, per_page: 2, total: 6, pages: 3 })
    expect(data[0]).toEqual({
      type: 'refund.created',
      resource: 'refund',
      scopes: ['orders', 'finances'],
      description: 'A refund was requested.',
      schema: expect.objectContaining({ type: 'object', required: expect.arrayContaining(['id', 'amount']) }),
    })
    const types = (await acme.owner.get('/event-types?per_page=100&page=2')).data
    expect(types.length).toBeGreaterThan(20)
    expect((await acme.owner.get('/event-types?page=99')).data).toEqual([])
  })
  it('403 without the scope', async () => {
    expect((await (await acme.member({ scopes: ['finances'] })).get('/event-types')).status).toBe(403)
  })
})

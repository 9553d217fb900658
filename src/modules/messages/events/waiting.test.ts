import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { manyEvents } from '#test/scenes/events.ts'
import { until } from '#test/harness/until.ts'

const SENT = 'titular/quote/sent'
const DRAFTED = 'titular/quote/created'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()

/** Until so many requests wait. */
const waiting = (count: number): Promise<string> =>
  until(
    () => app.service.metrics.text(),
    (text) => text.split('\n').includes(`titular_long_polls ${count}`),
  )

describe('GET /events with `wait`', () => {
  it('200 as soon as another process has committed an event', async () => {
    const answer = acme.owner.get('/events?wait=30')
    await waiting(1)
    const sequence = await manyEvents(app, acme.id, { type: SENT, data: { status: 'sent' } })
    expect((await answer).data).toMatchObject({ events: [{ type: 'quote.sent', sequence }], next: sequence })
  })
  it('200 at once where there are events already', async () => {
    expect((await acme.owner.get('/events?wait=30')).data.events.length).toBe(1)
  })
  it('200 without events when the time is up', async () => {
    const { next } = (await acme.owner.get('/events')).data
    const { status, data } = await acme.owner.get(`/events?after=${next}&wait=1`)
    expect([status, data]).toEqual([200, { events: [], next, has_more: false }])
  })
  it('200 with what happens from now on, after `latest`', async () => {
    const answer = acme.owner.get('/events?after=latest&wait=30')
    await waiting(1)
    const sequence = await manyEvents(app, acme.id, { type: SENT, data: { status: 'sent' } })
    expect((await answer).data).toMatchObject({ events: [{ sequence }], next: sequence })
  })
  it('waits on over events that the caller does not see', async () => {
    const { next } = (await acme.owner.get('/events')).data
    const answer = acme.owner.get(`/events?after=${next}&wait=30&type=quote.paid`)
    await manyEvents(app, acme.id, { type: DRAFTED, count: 3, data: { status: 'draft' } })
    await manyEvents(app, acme.id, { type: SENT, data: { status: 'sent' } })
    await waiting(1)
    const sequence = await manyEvents(app, acme.id, { type: 'titular/quote/paid', data: { status: 'paid' } })
    expect((await answer).data).toMatchObject({ events: [{ type: 'quote.paid', sequence }] })
  })
  it('holds no connection of the database, and the sixth of a caller does not wait', async () => {
    const { next } = (await acme.owner.get('/events')).data
    const path = `/events?after=${next}&wait=30`
    const asked = Array.from({ length: 5 }, () => acme.owner.get(path))
    await waiting(5)
    await until(
      () => app.service.database.pools().filter(({ name }) => name.startsWith('reads_')),
      (pools) => pools.every(({ open, idle }) => open === idle),
    )
    expect((await acme.owner.get(path)).data).toEqual({ events: [], next, has_more: false })
    await manyEvents(app, acme.id, { type: SENT, data: { status: 'sent' } })
    for (const { data } of await Promise.all(asked)) expect(data.events.length).toBe(1)
  })
  it('403 when the caller has lost the scope meanwhile', async () => {
    const member = await acme.member({ scopes: ['organization', 'quotes'] })
    const { next } = (await member.get('/events')).data
    const answer = member.get(`/events?after=${next}&wait=30`)
    await waiting(1)
    await app.database.query('update collaborators set can_manage_org = false where user_id = $1', [member.userId])
    await manyEvents(app, acme.id, { type: SENT, data: { status: 'sent' } })
    expect((await answer).status).toBe(403)
  })
  it('writes one audit entry for staff, however often it looks', async () => {
    const entries = () =>
      app.database.query(`select 1 from audit_log where organization_id = $1 and action = 'staff_entry'`, [acme.id])
    const { next } = (await acme.staff.get('/events')).data
    const before = (await entries()).length
    const answer = acme.staff.get(`/events?after=${next}&wait=30`)
    await waiting(1)
    await manyEvents(app, acme.id, { type: DRAFTED, data: { status: 'draft' } })
    await manyEvents(app, acme.id, { type: SENT, data: { status: 'sent' } })
    expect((await answer).data.events.length).toBe(1)
    expect((await entries()).length).toBe(before + 1)
  })
  it('gives its place free when the client has gone', async () => {
    const { next } = (await acme.owner.get('/events')).data
    const url = `${app.url}/api/v1/events?after=${next}&wait=30`
    for (const _ of ['once', 'again']) {
      const clients = Array.from({ length: 5 }, () => new AbortController())
      const asked = clients.map(({ signal }) => fetch(url, { headers: acme.owner.headers, signal }).catch(() => null))
      await waiting(5)
      for (const client of clients) client.abort()
      expect(await Promise.all(asked)).toEqual([null, null, null, null, null])
      await waiting(0)
    }
  })
  it('200 at once when the service stops', async () => {
    const { next } = (await acme.owner.get('/events')).data
    const url = `${app.url}/api/v1/events?after=${next}&wait=30`
    const asked = fetch(url, { headers: acme.owner.headers })
    await waiting(1)
    await app.service.app.close()
    expect((await asked).status).toBe(200)
  })
})

// Which tickets a member sees: decided once, and the same in every answer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { at, idOf } from '#test/scenes/collaborators.ts'
import { apiKey } from '#test/scenes/records.ts'
import { type Subjects, ticketScene } from '#test/scenes/tickets.ts'

let app: TestApp
let acme: Organization
let sold: Subjects
let colleague: Speaker
let restricted: Speaker

const SCOPES = ['tickets', 'organization'] as const

beforeAll(async () => {
  ;({ app, acme, sold } = await ticketScene())
  colleague = await acme.member({ scopes: [...SCOPES] })
})
beforeEach(async () => {
  restricted = await acme.member({ scopes: [...SCOPES] })
})
afterAll(() => app.close())

const sees = async (ticket_visibility: string, who = restricted) =>
  acme.owner.put(at(acme, await idOf(app, acme, who)), { ticket_visibility })

let words = 0
async function opened(by: Speaker, more: object = {}): Promise<{ id: number; word: string }> {
  const word = `Capivara${++words}`
  const answer = await by.post('/tickets', { title: word, entitlement_id: sold.hosting, ...more })
  expect(answer.status).toBe(201)
  await by.post(`/tickets/${answer.data.id}/comments`, { body: `${word} too` })
  return { id: answer.data.id, word }
}

/** Every answer in which the ticket could appear. */
async function sightings(by: Speaker, { id, word }: { id: number; word: string }): Promise<string[]> {
  const [entitlement] = await app.database.query<{ code: string }>('select code from entitlements where id = $1', [
    sold.hosting,
  ])
  const paths = {
    list: `/tickets?per_page=100`,
    'searched list': `/tickets?search=${word}`,
    'list of the environment': `/environments/${sold.environment}/tickets?per_page=100`,
    detail: `/tickets/${id}`,
    comments: `/tickets/${id}/comments`,
    search: `/search?q=${word}`,
    lineage: `/entitlements/${sold.hosting}/lineage`,
    events: `/events?entitlement_code=${entitlement?.code}&per_page=100`,
    'audit log': '/audit-log?resource=ticket&per_page=100',
    'audit log of comments': '/audit-log?resource=ticket_comment&per_page=100',
  }
  const seen: string[] = []
  for (const [where, path] of Object.entries(paths)) {
    const answer = await by.get(path)
    if (answer.status === 200 && answer.raw.body.includes(word)) seen.push(where)
  }
  return seen
}
const EVERYWHERE = 10
const total = async (by: Speaker): Promise<number> => (await by.get('/tickets')).meta?.total ?? -1

describe('ticket_visibility', () => {
  it('all, unless it is set: every ticket of the organization', async () => {
    expect((await acme.owner.get(at(acme, await idOf(app, acme, restricted)))).data.ticket_visibility).toBe('all')
    expect(await sightings(restricted, await opened(colleague))).toHaveLength(EVERYWHERE)
  })
  it('own: an external id that a hidden ticket has is refused without naming that one', async () => {
    await sees('own')
    const [own, other] = [await opened(restricted), await opened(colleague)]
    expect((await colleague.patch(`/tickets/${other.id}`, { external_id: 'HD-1' })).status).toBe(200)
    for (const answer of [
      await restricted.patch(`/tickets/${own.id}`, { external_id: 'HD-1' }),
      await restricted.post('/tickets', { title: 'x', entitlement_id: sold.hosting, external_id: 'HD-1' }),
    ]) {
      expect([answer.status, answer.errors?.reason]).toEqual([409, 'external_id_taken'])
      expect(answer.message).not.toContain(String(other.id))
    }
    expect((await restricted.patch(`/tickets/${other.id}`, { external_id: 'HD-2' })).status).toBe(404)
  })
  it('own: those that the member opened; others are in no answer, and answer 404', async () => {
    await sees('own')
    const [own, other] = [await opened(restricted), await opened(colleague)]
    expect(await sightings(restricted, own)).toHaveLength(EVERYWHERE)
    expect(await sightings(restricted, other)).toEqual([])
    expect(await total(restricted)).toBe(1)
    const attempts = [
      restricted.get(`/tickets/${other.id}/history`),
      restricted.get(`/tickets/${other.id}/attachments`),
      restricted.get(`/tickets/${other.id}/issue`),
      restricted.patch(`/tickets/${other.id}`, { priority: 'low' }),
      restricted.post(`/tickets/${other.id}/status`, { status: 'closed' }),
      restricted.post(`/tickets/${other.id}/comments`, { body: 'x' }),
      restricted.post(`/tickets/${other.id}/watchers`, { user_id: restricted.userId }),
      restricted.delete(`/tickets/${other.id}/watchers/${colleague.userId}`),
    ]
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(404)
    expect(await sightings(acme.owner, own)).toHaveLength(EVERYWHERE)
    expect(await sightings(acme.staff, other)).toHaveLength(EVERYWHERE)
  })
  it('watched: also those that they watch, until they stop watching', async () => {
    await sees('watched')
    const ticket = await opened(colleague, { watcher_ids: [restricted.userId] })
    expect(await sightings(restricted, ticket)).toHaveLength(EVERYWHERE)
    const stopped = await restricted.delete(`/tickets/${ticket.id}/watchers/${restricted.userId}`)
    expect(stopped).toMatchObject({ status: 200, data: { watcher_ids: [] } })
    expect(await sightings(restricted, ticket)).toEqual([])
    await colleague.post(`/tickets/${ticket.id}/watchers`, { user_id: restricted.userId })
    expect(await sightings(restricted, ticket)).toHaveLength(EVERYWHERE)
  })
  it('restricts an API key of the member in the same way', async () => {
    await sees('own')
    const admin = await acme.member({ role: 'admin', scopes: [...SCOPES, 'licenses'] })
    const key = app.world.speaker(
      await apiKey(app, { ...acme, owner: admin }, { permission: 'read', scopes: ['entitlements'] }),
      admin,
    )
    const ticket = await opened(colleague)
    expect((await key.get(`/tickets/${ticket.id}`)).status).toBe(200)
    await sees('own', admin)
    expect((await key.get(`/tickets/${ticket.id}`)).status).toBe(404)
  })
  it('takes effect with the next request, also for a member who watches: no more mails', async () => {
    const ticket = await opened(colleague, { watcher_ids: [restricted.userId] })
    await sees('own')
    await app.service.worker.drain()
    const before = (await mailsTo(app, restricted.email)).length
    await colleague.post(`/tickets/${ticket.id}/comments`, { body: 'News' })
    await app.service.worker.drain()
    expect((await mailsTo(app, restricted.email)).length).toBe(before)
    expect(await sightings(restricted, ticket)).toEqual([])
  })
  it('422 for a watcher who would not see the ticket', async () => {
    await sees('own')
    const body = { title: 'x', entitlement_id: sold.hosting, watcher_ids: [restricted.userId] }
    expect((await colleague.post('/tickets', body)).errors?.fields).toHaveProperty('watcher_ids')
    expect((await restricted.post('/tickets', body)).status).toBe(201)
  })
  it('403 for an admin who gives more than they see; the owner always sees all', async () => {
    const admin = await acme.member({ role: 'admin', scopes: [...SCOPES] })
    await sees('watched', admin)
    await sees('own')
    const member = at(acme, await idOf(app, acme, restricted))
    expect(await admin.put(member, { ticket_visibility: 'all' })).toMatchObject({ status: 403 })
    expect(await admin.put(member, { ticket_visibility: 'watched' })).toMatchObject({ status: 200 })
    const invite = { email: 'someone@example.com', role: 'member' }
    expect((await admin.post(at(acme), invite)).status).toBe(403)
    expect((await admin.post(at(acme), { ...invite, ticket_visibility: 'own' })).status).toBe(201)
    expect((await sees('own', acme.owner)).status).toBe(409)
  })
  it('422 for another value', async () => {
    expect((await sees('some')).errors?.fields).toHaveProperty('ticket_visibility')
  })
  it('403 for a webhook endpoint with the events of tickets, unless the admin sees all of them', async () => {
    const admin = await acme.member({ role: 'admin', scopes: [...SCOPES] })
    await sees('watched', admin)
    const endpoint = { url: 'https://example.com/hook', events: ['ticket.created'] }
    expect(await admin.post('/webhook-endpoints', endpoint)).toMatchObject({
      status: 403,
      message: 'Scope not authorized: tickets',
    })
    await sees('all', admin)
    expect((await admin.post('/webhook-endpoints', endpoint)).status).toBe(201)
  })
})

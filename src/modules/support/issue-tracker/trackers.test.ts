// Each tracker with its own words, from the ticket to the issue and back; and the events that trackers send.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { type TrackedTickets, trackedTickets } from '#test/scenes/tracked-tickets.ts'
import type { Delivery } from '#test/stand-ins/tracker.ts'

const DONE = { jira: 'Done', github: 'completed', redmine: 'Resolved' } as const
const FIRST = { jira: 'To Do', github: 'open', redmine: 'New' } as const

describe.each(['jira', 'github', 'redmine'] as const)('with %s', (name) => {
  let at: TrackedTickets
  beforeAll(async () => {
    at = await trackedTickets(name)
  })
  afterAll(() => at.close())

  it('a ticket gets an issue, comments and statuses go both ways, and it closes', async () => {
    const id = await at.linked({ title: 'Restore fails' })
    expect(await at.issue(id)).toMatchObject({ tracker: name, status: FIRST[name], sync_state: 'in_sync' })
    await at.agent.post(`/tickets/${id}/comments`, { body: 'It is @slow again' })
    await at.work()
    const stored = at.tracker.issue(1)
    expect(stored.comments).toHaveLength(1)
    at.app.clock.advance(1)
    at.tracker.comment(1, 'chatter')
    at.tracker.comment(1, '/public Repaired.')
    stored.status = DONE[name]
    await at.later(3700)
    expect(await at.status(id)).toBe('resolved')
    expect((await at.comments(id, at.agent)).map(({ body }: { body: string }) => body)).toEqual([
      'It is @slow again',
      'Repaired.',
    ])
    await at.agent.post(`/tickets/${id}/comments`, { body: 'No' })
    await at.work()
    expect([await at.status(id), stored.status]).toEqual(['open', FIRST[name]])
    await at.move(id, 'closed')
    await at.work()
    const ended = { jira: 'Done', github: 'completed', redmine: 'Closed' }[name]
    expect([stored.status, stored.comments.length]).toEqual([ended, 4])
    expect(await at.issue(id)).toMatchObject({ status: ended, sync_state: 'in_sync', sync_error: null })
  })
})

describe.each(['jira', 'github'] as const)('POST /webhooks/issue-tracker from %s', (name) => {
  let at: TrackedTickets
  beforeAll(async () => {
    at = await trackedTickets(name)
  })
  afterAll(() => at.close())
  const deliver = ({ headers, body }: Delivery) =>
    at.app.world.anonymous.post('/webhooks/issue-tracker', body, { 'content-type': 'application/json', ...headers })
  const events = () =>
    at.app.database.query<{ source: string; event: object | null }>('select source, event from provider_events')

  it('200 once, and the ticket follows without waiting for the next look; a repeat does nothing', async () => {
    const id = await at.linked()
    const number = at.tracker.store.issues.length
    at.app.clock.advance(1)
    at.tracker.comment(number, '/public At once.')
    at.tracker.issue(number).status = DONE[name]
    const event = at.tracker.event(number, { id: 'delivery-1' })
    expect(await deliver(event)).toMatchObject({ status: 200, message: 'Event stored' })
    await at.work()
    expect(await at.status(id)).toBe('resolved')
    const before = at.tracker.requests.length
    expect(await deliver(event)).toMatchObject({ status: 200, message: 'Event known already' })
    await at.work()
    expect([at.tracker.requests.length, (await at.comments(id)).length]).toEqual([before, 1])
    expect(await events()).toMatchObject([{ source: name, event: { kind: 'changed' } }])
  })
  it('200 for late and reordered events, which never move the ticket back', async () => {
    const id = await at.linked()
    const number = at.tracker.store.issues.length
    const early = at.tracker.event(number)
    at.tracker.issue(number).status = DONE[name]
    const late = at.tracker.event(number)
    expect([(await deliver(late)).status, (await deliver(early)).status]).toEqual([200, 200])
    await at.work()
    expect(await at.status(id)).toBe('resolved')
    const { data } = await at.acme.staff.get(`/tickets/${id}/history`)
    expect(data.map(({ to_status: to }: { to_status: string }) => to)).toEqual(['open', 'resolved'])
  })
  it('200 for an issue that belongs to no ticket, and nothing is asked', async () => {
    const { number } = at.tracker.store.add({ title: 'Other', text: '', status: FIRST[name] })
    const before = at.tracker.requests.length
    expect((await deliver(at.tracker.event(number))).status).toBe(200)
    await at.work()
    expect([at.tracker.requests.length, await deadLetters(at.app)]).toEqual([before, []])
  })
  it('200 for a type that is not used; what is signed and cannot be read is kept for staff', async () => {
    const number = at.tracker.store.issues.length
    const type = name === 'jira' ? 'jira:worklog_updated' : 'star'
    expect((await deliver(at.tracker.event(number, { type }))).status).toBe(200)
    const broken = name === 'jira' ? 'jira:issue_updated' : 'issues'
    const face = at.tracker.event(number, { type: broken })
    const body = 'not json'
    const signature = `sha256=${createHmac('sha256', 'It is a Secret to Everybody').update(body).digest('hex')}`
    const header = name === 'jira' ? 'x-hub-signature' : 'x-hub-signature-256'
    expect((await deliver({ headers: { ...face.headers, [header]: signature }, body })).status).toBe(200)
    await at.work()
    expect(await deadLetters(at.app)).toMatchObject([
      { kind: 'issue-tracker/handle-event', last_error: expect.stringContaining('cannot be read') },
    ])
  })
  it('401 by another secret, without a signature, or for a body that was serialized anew; nothing is stored', async () => {
    const { number } = at.tracker.store.add({ title: 'Other', text: '', status: FIRST[name] })
    const before = (await events()).length
    const { headers, body } = at.tracker.event(number)
    const forged = [
      at.tracker.event(number, { secret: 'the secret of somebody else' }),
      { headers: {}, body },
      { headers, body: JSON.stringify(JSON.parse(body), null, 1) },
    ]
    for (const one of forged) expect((await deliver(one)).status).toBe(401)
    expect((await events()).length).toBe(before)
  })
})

describe('POST /webhooks/issue-tracker with Redmine', () => {
  it('401: its core sends nothing that is signed', async () => {
    const at = await trackedTickets('redmine')
    const signature = `sha256=${'0'.repeat(64)}`
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': signature,
      'x-hub-signature': signature,
    }
    expect((await at.app.world.anonymous.post('/webhooks/issue-tracker', '{}', headers)).status).toBe(401)
    await at.close()
  })
})

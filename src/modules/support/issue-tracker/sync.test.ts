// A ticket and its issue stay in line: comments and statuses both ways, each once, and never back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TrackedTickets, trackedTickets } from '#test/scenes/tracked-tickets.ts'
import { textOf } from '../../../adapters/jira/document-format.ts'

let at: TrackedTickets
beforeAll(async () => {
  at = await trackedTickets('jira')
})
afterAll(() => at.close())

const say = (id: number, body: string, more: object = {}) =>
  at.acme.staff.post(`/tickets/${id}/comments`, { body, ...more })
/** The number of the ticket's issue in the tracker. */
const numberOf = async (id: number): Promise<number> => Number((await at.issue(id)).key.slice(4))
const storedOf = async (id: number) => at.tracker.issue(await numberOf(id))
const textsOf = async (id: number): Promise<string[]> => (await storedOf(id)).comments.map(({ body }) => textOf(body))
const writes = (): number => at.tracker.requests.filter((request) => !request.startsWith('GET')).length

describe('a comment of the ticket', () => {
  it('goes into the issue once, without names; internal ones and those from before the link do not', async () => {
    const id = await at.ticket()
    await say(id, 'Before the link')
    await at.link(id)
    await at.work()
    await at.agent.post(`/tickets/${id}/comments`, { body: 'It is\nslow again' })
    await say(id, 'For us only', { internal: true })
    await say(id, 'We look at it')
    await at.work()
    const texts = await textsOf(id)
    expect(texts).toEqual([
      expect.stringMatching(/^Customer:\n\nIt is\nslow again\n\ntitular-\w{20}-\d+$/),
      expect.stringMatching(/^Support:\n\nWe look at it\n\ntitular-\w{20}-\d+$/),
    ])
    const before = [writes(), (await at.comments(id)).length]
    await at.later(3700)
    await at.later(3700)
    expect([writes(), (await at.comments(id)).length]).toEqual(before)
  })
  it('waits until the issue is there, and keeps its place', async () => {
    const id = await at.ticket()
    await at.link(id)
    await say(id, 'first')
    await say(id, 'second')
    await at.work()
    expect((await textsOf(id)).map((text) => text.split('\n')[2])).toEqual(['first', 'second'])
  })
})

describe('a comment of the issue', () => {
  it('is shown to the customer when it begins with the prefix, once, with its author, and does not go back', async () => {
    const id = await at.linked()
    const number = await numberOf(id)
    at.app.clock.advance(1)
    at.tracker.comment(number, 'internal chatter')
    at.tracker.comment(number, '/public It was the disk.\nThere is room again.', { author: 'Bia\nDev' })
    at.tracker.comment(number, '/public not for everybody', { isPrivate: true })
    at.tracker.comment(number, '/publicity is not the prefix')
    at.tracker.comment(number, '/public')
    await at.later(3700)
    const shown = await at.comments(id, at.agent)
    const body = 'It was the disk.\nThere is room again.'
    expect(shown).toMatchObject([{ body, author_name: 'Bia Dev', author_id: null, by_staff: true, internal: false }])
    expect((await at.acme.staff.get(`/tickets/${id}`)).data.first_responded_at).not.toBeNull()
    const before = writes()
    await at.later(3700)
    expect([(await at.comments(id)).length, writes()]).toEqual([1, before])
  })
  it('is not taken for ours because it quotes a mark, and not taken twice because one is copied', async () => {
    const id = await at.linked()
    await at.agent.post(`/tickets/${id}/comments`, { body: 'How long?' })
    await at.work()
    const number = await numberOf(id)
    const [ours = ''] = await textsOf(id)
    at.app.clock.advance(1)
    at.tracker.comment(number, `/public > ${ours}\n\nAn hour.`)
    at.tracker.comment(number, `/public ${ours}`)
    await at.later(3700)
    expect((await at.comments(id)).slice(1)).toMatchObject([{ body: expect.stringContaining('An hour.') }])
  })
  it('does not keep a comment of ours away by foretelling its mark', async () => {
    const id = await at.linked()
    const { data: first } = await say(id, 'first')
    await at.work()
    const number = await numberOf(id)
    const [ours = ''] = await textsOf(id)
    const mark = ours.split('\n').at(-1)?.replace(/-\d+$/, '')
    for (const next of [1, 2, 3]) at.tracker.comment(number, `${mark}-${first.id + next}`, { isPrivate: true })
    await say(id, 'second')
    await at.work()
    expect((await textsOf(id)).filter((text) => text.startsWith('Support'))).toHaveLength(2)
  })
  it('may be hostile: it is cut, cleaned and stored as text', async () => {
    const id = await at.linked()
    const number = await numberOf(id)
    at.app.clock.advance(1)
    at.tracker.comment(number, `/public \u0000<script>alert(1)</script>\ud800`, { author: '\u0000\u202e'.repeat(500) })
    at.tracker.comment(number, `/public ${'é'.repeat(30_000)}`, { author: '' })
    await at.later(3700)
    const [first, second] = await at.comments(id)
    expect(first.body).toContain('<script>alert(1)</script>')
    expect(first.author_name.length).toBeLessThanOrEqual(200)
    expect([second.body.length, second.author_name]).toEqual([20_000, 'Issue tracker'])
  })
  it('is not taken by a ticket that has ended: staff see it, and it does not come again', async () => {
    const id = await at.linked()
    await at.move(id, 'closed')
    await at.work()
    const number = await numberOf(id)
    at.app.clock.advance(1)
    at.tracker.comment(number, '/public Too late')
    await at.acme.staff.post(`/tickets/${id}/issue/sync`)
    await at.work()
    expect(await at.issue(id)).toMatchObject({
      sync_state: 'failed',
      sync_error: 'A comment was not taken over: the ticket is closed',
    })
    expect(await at.comments(id)).toEqual([])
    await at.acme.staff.post(`/tickets/${id}/issue/sync`)
    await at.work()
    expect(await at.issue(id)).toMatchObject({ sync_state: 'in_sync', sync_error: null })
  })
})

describe('a status', () => {
  it('of the ticket goes into the issue, of the issue into the ticket, and neither comes back', async () => {
    const id = await at.linked()
    await at.move(id, 'in_progress')
    await at.work()
    const stored = await storedOf(id)
    expect(stored.status).toBe('In Progress')
    stored.status = 'Done'
    const before = writes()
    await at.later(3700)
    expect(await at.status(id)).toBe('resolved')
    expect(await at.issue(id)).toMatchObject({ status: 'Done', sync_state: 'in_sync' })
    const { data: history } = await at.acme.staff.get(`/tickets/${id}/history`)
    expect(history.at(-1)).toMatchObject({ to_status: 'resolved', note: `SUP-${stored.number}: Done` })
    await at.later(3700)
    expect([writes(), stored.status]).toEqual([before, 'Done'])
  })
  it('of a ticket that was in progress when it was linked goes into the new issue', async () => {
    const id = await at.ticket()
    await at.move(id, 'in_progress')
    await at.link(id)
    await at.work()
    expect((await storedOf(id)).status).toBe('In Progress')
  })
  it('without a counterpart stays as it is on both sides', async () => {
    const id = await at.linked()
    await at.move(id, 'waiting')
    await at.work()
    const stored = await storedOf(id)
    expect([stored.status, (await at.issue(id)).sync_state]).toEqual(['To Do', 'in_sync'])
    stored.status = 'Backlog'
    await at.later(3700)
    expect([await at.status(id), (await at.issue(id)).status]).toEqual(['waiting', 'Backlog'])
  })
  it('that the tracker does not allow is shown to staff and not tried again until they ask', async () => {
    const id = await at.linked()
    at.tracker.store.forbidden.add('Done')
    await at.move(id, 'resolved')
    await at.work()
    const failed = {
      sync_state: 'failed',
      sync_error: 'The tracker does not allow Done after To Do, but In Progress',
      status: 'To Do',
    }
    expect(await at.issue(id)).toMatchObject(failed)
    const before = writes()
    await at.later(3700)
    await at.later(3700)
    expect(await at.issue(id)).toMatchObject(failed)
    expect([writes(), await at.status(id)]).toEqual([before, 'resolved'])
    at.tracker.store.forbidden.clear()
    const asked = await at.acme.staff.post(`/tickets/${id}/issue/sync`)
    expect([asked.status, asked.data.sync_state]).toEqual([202, 'pending'])
    await at.work()
    expect(await at.issue(id)).toMatchObject({ sync_state: 'in_sync', sync_error: null, status: 'Done' })
  })
  it('that our table does not allow is shown to staff, and goes neither in nor back', async () => {
    const id = await at.linked()
    await at.move(id, 'closed')
    await at.work()
    const stored = await storedOf(id)
    stored.status = 'In Progress'
    const before = writes()
    await at.app.database.query(`update issue_syncs set next_sync_at = $1 where ticket_issue_id = $2`, [
      at.app.clock.now,
      (await at.issue(id)).id,
    ])
    for (let count = 0; count < 3; count++) await at.later(3700)
    expect(await at.issue(id)).toMatchObject({
      sync_state: 'failed',
      sync_error: 'The issue is In Progress; a ticket that is closed cannot become in_progress',
      status: 'In Progress',
    })
    expect([await at.status(id), stored.status, writes()]).toEqual(['closed', 'In Progress', before])
  })
  it('of the ticket counts when both changed', async () => {
    const id = await at.linked()
    const stored = await storedOf(id)
    stored.status = 'In Progress'
    await at.move(id, 'resolved')
    await at.work()
    expect([await at.status(id), stored.status]).toEqual(['resolved', 'Done'])
  })
  it('of a deleted organization goes nowhere', async () => {
    const id = await at.linked()
    await at.move(id, 'in_progress')
    await say(id, 'Nobody may read this')
    await at.app.database.query('update organizations set deleted_at = now() where id = $1', [at.acme.id])
    const before = at.tracker.requests.length
    await at.later(3700)
    expect(at.tracker.requests.length).toBe(before)
    await at.app.database.query('update organizations set deleted_at = null where id = $1', [at.acme.id])
    await at.later(3700)
    expect((await storedOf(id)).status).toBe('In Progress')
    expect((await textsOf(id)).join()).toContain('Nobody may read this')
  })
})

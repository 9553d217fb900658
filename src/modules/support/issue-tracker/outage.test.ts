// The tracker is away, answers too late, or refuses: nothing is lost and nothing is there twice in the end.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TrackedTickets, trackedTickets } from '#test/scenes/tracked-tickets.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { textOf } from '../../../adapters/jira/document-format.ts'

let at: TrackedTickets
beforeAll(async () => {
  at = await trackedTickets('jira')
})
afterAll(() => at.close())
beforeEach(() => {
  at.tracker.behave('normal')
  at.tracker.behaveOnce()
  at.tracker.store.isBlind = false
})

const numberOf = async (id: number): Promise<number> => Number((await at.issue(id)).key.slice(4))
const say = (id: number, body: string) => at.acme.staff.post(`/tickets/${id}/comments`, { body })
const saidIn = (number: number): string[] =>
  at.tracker.issue(number).comments.map(({ body }) => textOf(body).split('\n')[2] ?? '')

describe('while the tracker is away', () => {
  it('what changes on both sides is carried over afterwards, in order, and the ticket works meanwhile', async () => {
    const id = await at.linked()
    const number = await numberOf(id)
    at.tracker.behave('down')
    const said = await say(id, 'first')
    expect(said.status).toBe(201)
    await at.work()
    expect(await at.issue(id)).toMatchObject({
      sync_state: 'pending',
      sync_error: 'The tracker is not available (503)',
      key: `SUP-${number}`,
    })
    await say(id, 'second')
    await at.move(id, 'in_progress')
    await at.move(id, 'resolved')
    at.tracker.comment(number, '/public from the other side')
    for (let hours = 0; hours < 8; hours++) await at.later(3600)
    expect(await deadLetters(at.app)).toEqual([])
    at.tracker.behave('normal')
    await at.later(3600)
    expect(await at.issue(id)).toMatchObject({ sync_state: 'in_sync', sync_error: null, status: 'Done' })
    expect(saidIn(number).filter((text) => text !== '')).toEqual(['first', 'second'])
    expect((await at.comments(id)).map(({ body }: { body: string }) => body)).toContain('from the other side')
  })
  it('an issue is created when it is back', async () => {
    at.tracker.behave('down')
    const id = await at.linked()
    expect(await at.issue(id)).toMatchObject({ sync_state: 'pending', key: null })
    at.tracker.behave('normal')
    await at.later(60)
    expect(await at.issue(id)).toMatchObject({ sync_state: 'in_sync', key: expect.any(String) })
  })
  it('asks it again when it said', async () => {
    const id = await at.linked()
    at.tracker.behave('limited')
    await say(id, 'x')
    await at.work()
    const before = at.tracker.requests.length
    await say(id, 'y')
    await at.later(60)
    expect(at.tracker.requests.length).toBe(before)
    at.tracker.behave('normal')
    await at.later(20)
    expect((await at.issue(id)).sync_state).toBe('in_sync')
  })
})

describe('an answer that is lost', () => {
  it('of a creation: the issue is found by its mark and not created again', async () => {
    const before = at.tracker.store.issues.length
    at.tracker.behaveOnce('lost')
    const id = await at.linked()
    expect(await at.issue(id)).toMatchObject({ sync_state: 'pending', sync_error: 'The tracker did not answer' })
    await at.later(60)
    expect(await at.issue(id)).toMatchObject({ sync_state: 'in_sync', key: `SUP-${before + 1}` })
    expect(at.tracker.store.issues).toHaveLength(before + 1)
  })
  it('of a creation that the search does not know yet: of the two issues one is closed as a duplicate', async () => {
    const before = at.tracker.store.issues.length
    at.tracker.store.isBlind = true
    at.tracker.behaveOnce('lost')
    const id = await at.linked()
    await say(id, 'only in the one')
    await at.later(60)
    expect(at.tracker.store.issues).toHaveLength(before + 2)
    expect((await at.issue(id)).key).toBe(`SUP-${before + 2}`)
    at.tracker.store.isBlind = false
    await at.later(300)
    expect(at.tracker.issue(before + 1)).toMatchObject({ status: 'Done' })
    expect(textOf(at.tracker.issue(before + 1).comments[0]?.body)).toMatch(
      new RegExp(`^Duplicate of SUP-${before + 2}\n`),
    )
    expect(at.tracker.issue(before + 2).status).toBe('To Do')
    expect(saidIn(before + 2)).toEqual(['only in the one'])
    await at.later(4000)
    expect(at.tracker.issue(before + 1).comments).toHaveLength(1)
    expect(at.tracker.store.issues).toHaveLength(before + 2)
  })
  it('of a creation, by a process that ended meanwhile: the second issue is closed likewise', async () => {
    const id = await at.ticket()
    await at.link(id)
    const [sync] = await at.app.database.query<{ mark: string }>(
      `select s.mark from issue_syncs s join ticket_issues i on i.id = s.ticket_issue_id where i.ticket_id = $1`,
      [id],
    )
    const left = at.tracker.store.add({ title: 'left', text: '', labels: [sync?.mark ?? ''], status: 'To Do' })
    await at.app.database.query(`update jobs set attempts = 1 where kind = 'issue-tracker/sync'`)
    at.tracker.store.isBlind = true
    await at.work()
    at.tracker.store.isBlind = false
    await at.later(300)
    expect([left.status, left.comments.length, (await at.issue(id)).status]).toEqual(['Done', 1, 'To Do'])
  })
  it('of a comment and of a status: neither is written again', async () => {
    const id = await at.linked()
    const number = await numberOf(id)
    await say(id, 'first')
    await say(id, 'second')
    await at.move(id, 'in_progress')
    at.tracker.behaveOnce('normal', 'lost', 'lost')
    await at.work()
    expect(saidIn(number)).toEqual(['first', 'second'])
    await at.later(60)
    await at.later(60)
    expect(saidIn(number)).toEqual(['first', 'second'])
    expect(at.tracker.issue(number).status).toBe('In Progress')
    expect(await at.issue(id)).toMatchObject({ sync_state: 'in_sync', status: 'In Progress' })
    expect(await at.status(id)).toBe('in_progress')
  })
})

describe('a refusal', () => {
  it('of a comment loses nothing of what changed on the other side', async () => {
    const id = await at.linked()
    const number = await numberOf(id)
    at.app.clock.advance(1)
    at.tracker.issue(number).status = 'In Progress'
    at.tracker.comment(number, '/public On it.')
    at.tracker.behaveOnce('refuse')
    await say(id, 'x')
    await at.work()
    expect([await at.status(id), (await at.issue(id)).sync_state]).toEqual(['open', 'failed'])
    await at.later(60)
    expect([await at.status(id), (await at.issue(id)).sync_state]).toEqual(['in_progress', 'in_sync'])
    expect((await at.comments(id)).map(({ body }: { body: string }) => body)).toEqual(['x', 'On it.'])
    expect(saidIn(number).filter((text) => text !== '')).toEqual(['x'])
  })
  it('is shown with its reason, asked again at growing gaps, and heals by itself', async () => {
    const id = await at.linked()
    at.tracker.behave('refuse')
    await say(id, 'x')
    await at.work()
    const refused = 'The tracker refused the request (403: No rights)'
    expect(await at.issue(id)).toMatchObject({ sync_state: 'failed', sync_error: refused })
    for (let minutes = 0; minutes < 120; minutes++) await at.later(60)
    const number = await numberOf(id)
    const requests = () => at.tracker.requests.filter((one) => one.includes(`/issue/${10_000 + number}?`)).length
    const asked = requests()
    for (let minutes = 0; minutes < 30; minutes++) await at.later(60)
    expect(requests() - asked).toBeLessThanOrEqual(1)
    at.tracker.behave('normal')
    await at.later(3600)
    expect(await at.issue(id)).toMatchObject({ sync_state: 'in_sync', sync_error: null })
  })
})

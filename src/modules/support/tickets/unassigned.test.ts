// GET /admin/tickets?assigned=false: the queue of tickets that nobody is assigned to.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Subjects, ticketScene } from '#test/scenes/tickets.ts'
import type { TestApp } from '#test/harness/app.ts'
import { promised } from '#test/scenes/service-levels.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let other: Organization
let foreign: Subjects
let agent: Speaker
let hosting: number
beforeAll(async () => {
  ;({ app, acme, other, foreign, agent } = await ticketScene())
  hosting = await promised(acme, {
    sla_first_response_minutes: { urgent: 10, high: 60 },
    sla_resolution_minutes: { normal: 30 },
  })
})
afterAll(() => app.close())

const open = async (priority: string, more: object = {}) =>
  (await acme.staff.post('/tickets', { title: priority, priority, entitlement_id: hosting, ...more })).data.id as number
const listed = async (query: string) =>
  (await acme.staff.get(`/admin/tickets?${query}`)).data.map(({ id }: { id: number }) => id)

describe('GET /admin/tickets', () => {
  it('200 with the unassigned tickets of all organizations by their next deadline, those without one last', async () => {
    const low = await open('low')
    const [high, urgent, normal] = [await open('high'), await open('urgent'), await open('normal')]
    const waiting = await open('urgent')
    await acme.staff.post(`/tickets/${waiting}/status`, { status: 'waiting' })
    const mine = await open('urgent', { assignee_id: acme.staff.userId })
    const done = await open('urgent')
    await acme.staff.post(`/tickets/${done}/status`, { status: 'resolved' })
    const elsewhere = (await other.staff.post('/tickets', { title: 'x', entitlement_id: foreign.hosting })).data.id
    const queue = [urgent, normal, high, low, waiting, elsewhere]
    expect(await listed('assigned=false')).toEqual(queue)
    expect((await acme.staff.get('/admin/tickets?assigned=false')).meta?.total).toBe(queue.length)
    expect(await listed('assigned=false&per_page=2&page=2')).toEqual(queue.slice(2, 4))
    expect(await listed(`assigned=false&organization_id=${acme.id}&priority=urgent`)).toEqual([urgent, waiting])
    expect(await listed('assigned=true')).toEqual([mine])
    // An answer leaves only the deadline of the resolution.
    await acme.staff.post(`/tickets/${urgent}/comments`, { body: 'We look' })
    expect((await listed('assigned=false'))[0]).toBe(normal)
    await acme.staff.patch(`/tickets/${normal}`, { assignee_id: acme.staff.userId })
    expect((await listed('assigned=false'))[0]).toBe(high)
  })
  it('200 with the right page from the far end of a long queue', async () => {
    await app.database.query(
      `insert into tickets (organization_id, number, title, entitlement_id, entitlement_code, resolution_due_at)
       select organization_id, 'SR-1901' || lpad(n::text, 4, '0'), 'x', entitlement_id, entitlement_code,
              case when n % 2 = 0 then $2::timestamptz + make_interval(mins => n % 700) end
         from tickets, generate_series(1, 2400) n where id = $1`,
      [(await other.staff.get('/tickets')).data[0].id, app.clock.now],
    )
    const all: number[] = []
    for (let page = 1; page <= 25; page++) all.push(...(await listed(`assigned=false&per_page=100&page=${page}`)))
    const expected = await app.database.query<{ id: number }>(
      `select id from tickets where assignee_id is null and status in ('open', 'in_progress', 'waiting') order by next_due_at, id`,
    )
    expect(all).toEqual(expected.map(({ id }) => id))
  })
  it('403 for customers, 422 for another value', async () => {
    expect((await agent.get('/admin/tickets?assigned=false')).status).toBe(403)
    expect((await acme.staff.get('/admin/tickets?assigned=no')).errors?.fields).toHaveProperty('assigned')
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { subjects, type Subjects } from '#test/scenes/tickets.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const sold: Subjects = await subjects(app, acme)
const agent = await acme.member({ scopes: ['tickets'] })
const terms = [
  // Neither a draft nor an older contract is used.
  { status: 'active', first: { high: 1 }, resolution: { high: 2 } },
  { status: 'active', first: { high: 60, urgent: 10 }, resolution: { high: 480 } },
  { status: 'draft', first: { high: 5 }, resolution: { high: 5 } },
]
for (const { status, first, resolution } of terms)
  await app.database.query(
    `insert into contracts (organization_id, title, status, start_date, entitlement_id, entitlement_code,
       sla_first_response_minutes, sla_resolution_minutes) values ($1, 'SLA', $2, '2026-01-01', $3, 'ENV-1', $4, $5)`,
    [acme.id, status, sold.hosting, JSON.stringify(first), JSON.stringify(resolution)],
  )

let start: Date | undefined
// Sessions last for one day.
beforeEach(() => void (app.clock.now = start ??= app.clock.now))

const MINUTE = 60
const open = async (priority = 'high') =>
  (await agent.post('/tickets', { title: 'Down', entitlement_id: sold.hosting, priority })).data
const get = async (id: number) => (await agent.get(`/tickets/${id}`)).data
const move = (by: Speaker, id: number, status: string) => by.post(`/tickets/${id}/status`, { status })
const reply = (id: number, more: object = {}) => acme.staff.post(`/tickets/${id}/comments`, { body: 'Hello', ...more })
const minutesAfter = (ticket: { created_at: string }, due: string | null): number | null =>
  due === null ? null : (Date.parse(due) - Date.parse(ticket.created_at)) / 60_000
const breaches = (id: number) =>
  app.database.query<{ data: Record<string, unknown> }>(
    `select data from events where type = 'titular/ticket/sla_breached' and resource_id = $1 order by id`,
    [id],
  )
/** Runs the job now. */
const tick = async () => {
  await app.database.query(`insert into jobs (kind, run_at) values ('tickets/clock', $1)`, [app.clock.now])
  await app.service.worker.drain()
}

describe('the clock of a ticket', () => {
  it('has the due times of the newest active contract for the priority, and none if it has none', async () => {
    const high = await open()
    expect(minutesAfter(high, high.first_response_due_at)).toBe(60)
    expect(minutesAfter(high, high.resolution_due_at)).toBe(480)
    const urgent = await open('urgent')
    expect(minutesAfter(urgent, urgent.first_response_due_at)).toBe(10)
    expect(urgent.resolution_due_at).toBeNull()
    expect(await open('low')).toMatchObject({ first_response_due_at: null, resolution_due_at: null })
    const changed = await agent.patch(`/tickets/${high.id}`, { priority: 'urgent' })
    expect(minutesAfter(high, changed.data.first_response_due_at)).toBe(10)
  })
  it('stops while the ticket waits, and moves both due times by the pause', async () => {
    const { id, ...ticket } = await open()
    app.clock.advance(10 * MINUTE)
    const stopped = await move(acme.staff, id, 'waiting')
    expect(stopped.data.clock_stopped_at).toBe(app.clock.now.toISOString())
    app.clock.advance(500 * MINUTE)
    await tick()
    expect(await get(id)).toMatchObject({ first_response_breached: false, resolution_breached: false })
    const running = await move(acme.staff, id, 'in_progress')
    expect(running.data).toMatchObject({ clock_stopped_at: null, paused_seconds: 500 * MINUTE })
    expect(minutesAfter(ticket, running.data.first_response_due_at)).toBe(560)
    expect(minutesAfter(ticket, running.data.resolution_due_at)).toBe(980)
    app.clock.advance(49 * MINUTE)
    await tick()
    expect((await get(id)).first_response_breached).toBe(false)
    app.clock.advance(2 * MINUTE)
    await tick()
    expect(await get(id)).toMatchObject({ first_response_breached: true, resolution_breached: false })
    await move(acme.staff, id, 'closed')
  })
  it('stops while it is resolved; a change of priority takes the pause into account', async () => {
    const { id, ...ticket } = await open()
    await reply(id)
    await move(acme.staff, id, 'resolved')
    app.clock.advance(30 * MINUTE)
    await agent.post(`/tickets/${id}/comments`, { body: 'No' })
    const again = await get(id)
    expect(again).toMatchObject({ status: 'open', paused_seconds: 30 * MINUTE })
    expect(minutesAfter(ticket, again.resolution_due_at)).toBe(510)
    // The response is in time, so it does not move any more.
    expect(minutesAfter(ticket, again.first_response_due_at)).toBe(60)
    await agent.patch(`/tickets/${id}`, { priority: 'low' })
    const back = await agent.patch(`/tickets/${id}`, { priority: 'high' })
    expect(minutesAfter(ticket, back.data.resolution_due_at)).toBe(510)
    await move(acme.staff, id, 'closed')
  })
  it('takes the first public reply of staff as the response, not an internal note or one of the customer', async () => {
    const { id } = await open()
    await agent.post(`/tickets/${id}/comments`, { body: 'Hello?' })
    await reply(id, { internal: true })
    expect((await get(id)).first_responded_at).toBeNull()
    app.clock.advance(MINUTE)
    await reply(id)
    const at = app.clock.now.toISOString()
    app.clock.advance(MINUTE)
    await reply(id)
    expect((await get(id)).first_responded_at).toBe(at)
    const quick = await open()
    expect((await move(acme.staff, quick.id, 'resolved')).data.first_responded_at).toBe(app.clock.now.toISOString())
  })
  it('emits each breach once, by the job', async () => {
    const { id } = await open()
    app.clock.advance(61 * MINUTE)
    await tick()
    await tick()
    expect(await breaches(id)).toHaveLength(1)
    app.clock.advance(480 * MINUTE)
    for (let round = 0; round < 3; round++) await tick()
    const breached = await breaches(id)
    expect(breached).toHaveLength(2)
    expect(breached[1]?.data).toMatchObject({ id, first_response_breached: true, resolution_breached: true })
    await move(agent, id, 'closed')
    await tick()
    expect(await breaches(id)).toHaveLength(2)
  })
  it('emits a breach also at a change before the job: a late reply does not hide it', async () => {
    const { id } = await open()
    app.clock.advance(61 * MINUTE)
    await reply(id)
    expect(await get(id)).toMatchObject({
      first_response_breached: true,
      first_responded_at: app.clock.now.toISOString(),
    })
    expect(await breaches(id)).toHaveLength(1)
    await tick()
    expect(await breaches(id)).toHaveLength(1)
    const other = await open()
    app.clock.advance(481 * MINUTE)
    await move(agent, other.id, 'closed')
    expect(await get(other.id)).toMatchObject({ first_response_breached: true, resolution_breached: true })
    expect(await breaches(other.id)).toHaveLength(1)
  })
  it('emits nothing when both are in time', async () => {
    const { id } = await open()
    app.clock.advance(59 * MINUTE)
    await reply(id)
    await move(acme.staff, id, 'resolved')
    app.clock.advance(10_000)
    await move(agent, id, 'closed')
    await tick()
    expect(await breaches(id)).toHaveLength(0)
    expect(await get(id)).toMatchObject({ first_response_breached: false, resolution_breached: false })
  })
  it('uses only contracts in force with service levels, and a renewed one until its successor begins', async () => {
    const { id: hosting } = await entitlement(acme, { class: 'ENV' })
    const ahead = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
    const sign = async (more: object) => {
      const body = { title: 'SLA', start_date: ahead(-30), entitlement_id: hosting, ...more }
      const { id } = (await acme.staff.post('/contracts', body)).data
      await acme.staff.post(`/contracts/${id}/status`, { status: 'active' })
      return id
    }
    const promised = async () => {
      const ticket = (await agent.post('/tickets', { title: 'Down', entitlement_id: hosting })).data
      return minutesAfter(ticket, ticket.first_response_due_at)
    }
    const id = await sign({ end_date: ahead(30), sla_first_response_minutes: { normal: 60 } })
    await sign({ title: 'Data processing' })
    await sign({ start_date: ahead(5), sla_first_response_minutes: { normal: 5 } })
    expect(await promised()).toBe(60)
    const renewal = { end_date: ahead(90), sla_first_response_minutes: { normal: 30 } }
    const { id: successor } = (await acme.staff.post(`/contracts/${id}/renew`, renewal)).data
    expect(await promised()).toBe(60)
    await app.database.query('update contracts set start_date = $1 where id = $2', [ahead(-1), successor])
    expect(await promised()).toBe(30)
    await acme.staff.post(`/contracts/${successor}/status`, { status: 'suspended' })
    expect(await promised()).toBeNull()
  })
})

// Warnings before a deadline and mails about missed ones: once each, to the staff in charge.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { setSettings } from '#test/scenes/settings.ts'
import { deadlineEvents, promised, watchDeadlines } from '#test/scenes/service-levels.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const DESK = 'desk@vendor.example'
const MINUTE = 60
const TERMS = { sla_first_response_minutes: { normal: 60 }, sla_resolution_minutes: { normal: 480 } }

let app: TestApp
let acme: Organization
let agent: Speaker
let colleague: Speaker
let hosting: number
let start: Date

beforeAll(async () => {
  app = await startApp({ environment: { SUPPORT_EMAIL: DESK } })
  acme = await app.world.organization()
  agent = await acme.member({ scopes: ['tickets'] })
  colleague = await app.world.user({ roles: ['customer', 'administrator'] })
  hosting = await promised(acme, TERMS)
  start = app.clock.now
})
afterAll(() => app.close())
// Sessions last for one day.
beforeEach(() => void (app.clock.now = start))

const open = async (more: object = {}, by: Speaker = acme.staff) =>
  (await by.post('/tickets', { title: 'Down', entitlement_id: hosting, ...more })).data as {
    id: number
    number: string
  }
const after = async (minutes: number, schedulers = 1) => {
  app.clock.advance(minutes * MINUTE)
  await watchDeadlines(app, schedulers)
}
/** The subjects of the mails about a ticket's deadlines. */
const subjectsTo = async (address: string, { number }: { number: string }, at = app) =>
  (await mailsTo(at, address))
    .map(({ subject }) => subject)
    .filter((one) => one.startsWith(`${number}: `) && one !== `${number}: Down`)
const near = ({ number }: { number: string }) => `${number}: a deadline is near – Down`
const missed = ({ number }: { number: string }) => `${number}: a deadline was missed – Down`
const get = async (id: number) => (await acme.staff.get(`/tickets/${id}`)).data

describe('a warning', () => {
  it('is sent once for each deadline, after three quarters of the time, also by several schedulers at once', async () => {
    const ticket = await open()
    await after(45)
    expect(await deadlineEvents(app, ticket.id)).toEqual({ warnings: 0, breaches: 0 })
    await after(1, 4)
    await after(1)
    expect(await deadlineEvents(app, ticket.id)).toEqual({ warnings: 1, breaches: 0 })
    expect(await get(ticket.id)).toMatchObject({ first_response_warned: true, resolution_warned: false })
    expect(await subjectsTo(DESK, ticket)).toEqual([near(ticket)])
    await acme.staff.post(`/tickets/${ticket.id}/comments`, { body: 'We look' })
    await after(314, 4)
    expect(await deadlineEvents(app, ticket.id)).toEqual({ warnings: 2, breaches: 0 })
    expect(await subjectsTo(DESK, ticket)).toHaveLength(2)
  })
  it('is for the assignee, and for the others when the assignee is not staff any more', async () => {
    const gone = await app.world.user({ roles: ['customer', 'administrator'] })
    const [mine, theirs] = [await open({ assignee_id: colleague.userId }), await open({ assignee_id: gone.userId })]
    await app.database.query(`update users set roles = '{customer}' where id = $1`, [gone.userId])
    await after(46)
    expect(await subjectsTo(colleague.email, mine)).toEqual([near(mine)])
    expect(await subjectsTo(DESK, mine)).toEqual([])
    expect(await subjectsTo(gone.email, theirs)).toEqual([])
    expect(await subjectsTo(DESK, theirs)).toEqual([near(theirs)])
  })
  it('is not sent after the answer, in a pause, or after the deadline', async () => {
    const [answered, waiting, late] = [await open(), await open(), await open()]
    await acme.staff.post(`/tickets/${answered.id}/comments`, { body: 'Done?' })
    await acme.staff.post(`/tickets/${waiting.id}/status`, { status: 'waiting' })
    await after(61)
    expect(await deadlineEvents(app, answered.id)).toEqual({ warnings: 0, breaches: 0 })
    expect(await deadlineEvents(app, waiting.id)).toEqual({ warnings: 0, breaches: 0 })
    expect(await deadlineEvents(app, late.id)).toEqual({ warnings: 0, breaches: 1 })
  })
  it('moves with the pause, and is not repeated at another priority', async () => {
    const { id } = await open()
    await after(10)
    await acme.staff.post(`/tickets/${id}/status`, { status: 'waiting' })
    await after(100)
    await acme.staff.post(`/tickets/${id}/status`, { status: 'in_progress' })
    await after(35)
    expect(await deadlineEvents(app, id)).toEqual({ warnings: 0, breaches: 0 })
    await after(1)
    expect(await deadlineEvents(app, id)).toEqual({ warnings: 1, breaches: 0 })
    for (const priority of ['low', 'normal']) await acme.staff.patch(`/tickets/${id}`, { priority })
    await after(1)
    expect(await deadlineEvents(app, id)).toEqual({ warnings: 1, breaches: 0 })
  })
  it('that nobody needs any more when it is sent is not mailed', async () => {
    const ticket = await open()
    app.clock.advance(46 * MINUTE)
    await app.database.query(`update tickets set first_response_warned = true, first_responded_at = $2 where id = $1`, [
      ticket.id,
      app.clock.now,
    ])
    await app.database.query(
      `insert into jobs (kind, organization_id, run_at, payload)
       values ('notifications/mail', $1, $2, jsonb_build_object('mail', 'ticket-sla-warning', 'resource_id', $3::bigint, 'user_id', null))`,
      [acme.id, app.clock.now, ticket.id],
    )
    expect(await subjectsTo(DESK, ticket)).toEqual([])
  })
  it('is in the feed of the organization, without the columns of the clock', async () => {
    const { id } = await open()
    await after(46)
    const feed = await acme.owner.get('/events?type=ticket.sla_warning&per_page=100')
    const found = feed.data.events.find((event: { resource_id: number }) => event.resource_id === id)
    expect(found.data).toMatchObject({ id, first_response_warned: true })
    expect(Object.keys(found.data)).not.toContain('business_hours')
  })
})

describe('a missed deadline', () => {
  it('is mailed once to the assignee and once to SUPPORT_EMAIL, not to the customer', async () => {
    const ticket = await open({ assignee_id: colleague.userId }, acme.staff)
    await after(61, 4)
    await after(1)
    expect(await deadlineEvents(app, ticket.id)).toEqual({ warnings: 0, breaches: 1 })
    for (const address of [colleague.email, DESK]) expect(await subjectsTo(address, ticket)).toEqual([missed(ticket)])
    expect(await subjectsTo(agent.email, ticket)).toEqual([])
  })
  it('is mailed when a late answer reveals it, in the language of the assignee', async () => {
    await app.database.query(`update users set language = 'pt-BR' where id = $1`, [colleague.userId])
    const ticket = await open({ assignee_id: colleague.userId })
    app.clock.advance(61 * MINUTE)
    await acme.staff.post(`/tickets/${ticket.id}/comments`, { body: 'Sorry' })
    await after(1)
    const subjects = await subjectsTo(colleague.email, ticket)
    expect(subjects).toContain(`${ticket.number}: prazo vencido – Down`)
    expect(await deadlineEvents(app, ticket.id)).toEqual({ warnings: 0, breaches: 1 })
  })
})

describe('without SUPPORT_EMAIL', () => {
  it('all administrators look after tickets without an assignee; at 100 percent nobody is warned', async () => {
    const other = await startApp()
    for (const [sla_warning_percent, expected] of [
      [50, 1],
      [100, 0],
    ] as const) {
      await setSettings(other, 'vendor', { sla_warning_percent })
      const org = await other.world.organization()
      const entitlement_id = await promised(org, TERMS)
      const ticket = (await org.staff.post('/tickets', { title: 'Down', entitlement_id })).data
      other.clock.advance(59 * MINUTE)
      await watchDeadlines(other)
      expect(await subjectsTo(org.staff.email, ticket, other)).toHaveLength(expected)
      expect(await subjectsTo(org.owner.email, ticket, other)).toEqual([])
    }
    await other.close()
  })
})

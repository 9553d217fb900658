import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const REASON = 'Ticket SR-20260042'

let free: TestApp
let strict: TestApp
let acme: Organization
let other: Organization
let support: Speaker
beforeAll(async () => {
  free = await startApp()
  strict = await startApp({ environment: { STAFF_ENTRY: 'reason', STAFF_ENTRY_MINUTES: '30' } })
  acme = await strict.world.organization()
  other = await strict.world.organization()
  support = await acme.staffAs('support')
})
afterAll(() => Promise.all([free.close(), strict.close()]))

const enter = (who: Speaker, id: number, body: object = { reason: REASON }) =>
  who.post(`/admin/organizations/${id}/entries`, body)

describe('POST /admin/organizations/{id}/entries', () => {
  it('201 for every role of staff, visible to the organization with its reason', async () => {
    const org = await strict.world.organization()
    const auditor = await org.staffAs('auditor')
    const answer = await enter(auditor, org.id, { reason: REASON, minutes: 10 })
    expect(answer.status).toBe(201)
    expect(answer.data).toEqual({
      id: expect.any(Number),
      organization_id: org.id,
      user_id: auditor.userId,
      user_name: expect.any(String),
      reason: REASON,
      ends_at: new Date(strict.clock.now.getTime() + 600_000).toISOString(),
      ended_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    await auditor.get('/invoices')
    const { data } = await org.owner.get('/audit-log')
    expect(data.map((one: Record<string, unknown>) => [one['action'], one['resource'], one['reason']])).toEqual([
      ['staff_entry', 'organization', REASON],
      ['created', 'staff_entry', REASON],
    ])
    const { events } = (await org.owner.get('/events?type=staff_entry.created')).data
    expect(events).toMatchObject([{ data: { reason: REASON, user_id: auditor.userId } }])
  })
  it('422 without a reason that can be read, and for more minutes than the setting allows', async () => {
    for (const reason of [undefined, '', ' ', '\u200b', '\n', 'x'.repeat(501), 7])
      expect((await enter(support, acme.id, { reason })).errors?.fields, String(reason)).toHaveProperty('reason')
    for (const minutes of [0, 31, 1441, 1.5, '10'])
      expect((await enter(support, acme.id, { reason: REASON, minutes })).errors?.fields).toHaveProperty('minutes')
  })
  it('404 for an organization that is not there, or deleted; 403 for customers; 401 without credentials', async () => {
    const gone = await strict.world.organization()
    await gone.owner.delete(`/organizations/${gone.id}`)
    expect((await enter(support, gone.id)).status).toBe(404)
    expect((await enter(support, 999_999)).status).toBe(404)
    expect((await enter(acme.owner, acme.id)).status).toBe(403)
    expect((await enter(strict.world.anonymous, acme.id)).status).toBe(401)
  })
})

describe('STAFF_ENTRY=reason', () => {
  it('403 without an entry, with the way to one, for administrators and collaborators of the organization too', async () => {
    const message = 'Staff enter an organization with a reason: say it with POST /admin/organizations/{id}/entries'
    const org = await strict.world.organization()
    for (const who of [org.staff, await org.staffAs('support')]) {
      expect(await who.get('/tickets')).toMatchObject({ status: 403, message })
      expect(await who.post('/tickets', {})).toMatchObject({ status: 403, message })
    }
    await strict.database.query(
      `insert into collaborators (organization_id, user_id, email, role, invite_status) values ($1, $2, $3, 'admin', 'accepted')`,
      [org.id, org.staff.userId, org.staff.email],
    )
    expect(await org.staff.get('/tickets')).toMatchObject({ status: 403, message })
  })
  it('admits the person who entered, to this organization, until the time is over', async () => {
    await enter(support, acme.id, { reason: REASON, minutes: 5 })
    expect((await support.get('/tickets')).status).toBe(200)
    expect((await support.get('/invoices')).message).toContain('Scope not authorized: finances:read')
    expect((await (await acme.staffAs('support')).get('/tickets')).status).toBe(403)
    expect((await strict.world.inside(support, other.id).get('/tickets')).status).toBe(403)
    strict.clock.advance(299)
    expect((await support.get('/tickets')).status).toBe(200)
    strict.clock.advance(1)
    expect((await support.get('/tickets')).status).toBe(403)
  })
  it('404 for an organization that is not there comes first, and members and /admin are as ever', async () => {
    expect((await strict.world.inside(support, 999_999).get('/tickets')).status).toBe(404)
    expect((await acme.owner.get('/tickets')).status).toBe(200)
    expect((await support.get('/admin/tickets')).status).toBe(200)
  })
  it('counts in real time where the organization has a time of its own', async () => {
    const org = await strict.world.organization()
    const operations = await org.staffAs('operations')
    await operations.post(`/admin/organizations/${org.id}/test-clock`, { now: '2031-05-05T00:00:00Z' })
    const { data } = await enter(operations, org.id, { reason: REASON })
    expect(data.ends_at).toBe(new Date(strict.clock.now.getTime() + 1_800_000).toISOString())
    expect((await operations.get('/environments')).status).toBe(200)
  })
})

describe('STAFF_ENTRY=open', () => {
  it('leaves an entry of each request in the audit log, also of staff who are collaborators of the organization', async () => {
    const org = await free.world.organization()
    const sales = await org.staffAs('sales')
    await free.database.query(
      `insert into collaborators (organization_id, user_id, email, role, invite_status) values ($1, $2, $3, 'guest', 'accepted')`,
      [org.id, sales.userId, sales.email],
    )
    expect((await sales.get('/quotes')).status).toBe(200)
    expect((await sales.post('/quotes', {})).status).toBe(422)
    expect((await org.owner.get('/audit-log?action=staff_entry')).data).toMatchObject([
      { actor_id: sales.userId, changes: { after: { request: 'POST /quotes' } } },
      { actor_id: sales.userId, changes: { after: { request: 'GET /quotes' } } },
    ])
  })
  it('needs no entry; one that is made gives the audit log its reason', async () => {
    const org = await free.world.organization()
    const sales = await org.staffAs('sales')
    expect((await sales.get('/quotes')).status).toBe(200)
    await enter(sales, org.id)
    await sales.get('/quotes')
    const { data } = await org.owner.get('/audit-log?action=staff_entry')
    expect(data.map((one: { reason: string | null }) => one.reason)).toEqual([REASON, null])
  })
})

// Tickets of teams: by default, given and taken; mailed to the team while nobody has them; hidden from customers.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Speaker } from '#test/harness/world.ts'
import { exported, OF_ORGANIZATION, OF_PERSON } from '#test/scenes/exports.ts'
import { subjects } from '#test/scenes/tickets.ts'

const DESK = 'desk@vendor.example'

const app = await appOfFile({ environment: { SUPPORT_EMAIL: DESK, TICKET_CLASSES: 'ENV,none' } })
const acme = await app.world.organization()
const other = await app.world.organization()
const sold = await subjects(app, acme)
const agent = await acme.member({ scopes: ['tickets'] })
const ana = await acme.staffAs('support')
const bia = await acme.staffAs('support')
const team = async (body: object) => (await ana.post('/admin/teams', body)).data.id
const hosting = await team({ name: 'Hosting', default_for: ['ENV'], member_ids: [ana.userId] })
const billing = await team({ name: 'Billing', default_for: ['invoice'], member_ids: [bia.userId] })

const open = async (by: Speaker = agent, more: object = {}) =>
  (await by.post('/tickets', { title: 'Slow', entitlement_id: sold.hosting, ...more })).data
const seen = async (id: number, by: Speaker = acme.staff) => (await by.get(`/tickets/${id}`)).data
const change = (id: number, body: object, by: Speaker = acme.staff) => by.patch(`/tickets/${id}`, body)
const idsIn = (found: { id: number }[]) => found.map(({ id }) => id)
const subjectsTo = async ({ userId }: Speaker, number: string) => {
  const { email } =
    (await app.database.query<{ email: string }>('select email from users where id = $1', [userId]))[0] ?? {}
  return (await mailsTo(app, email ?? '')).filter(({ subject }) => subject.startsWith(number)).length
}

describe('POST /tickets', () => {
  it('201 with the team of what it is about; null for customers', async () => {
    const ticket = await open()
    expect(ticket.team_id).toBeNull()
    expect((await seen(ticket.id)).team_id).toBe(hosting)
    expect((await seen(ticket.id, agent)).team_id).toBeNull()
    // As it was answered: a customer cannot keep a ticket from its team.
    const again = await open(agent, { team_id: ticket.team_id })
    expect((await seen(again.id)).team_id).toBe(hosting)
    const invoice = (await acme.staff.post('/invoices', { currency: 'BRL', total: '50.00', status: 'open' })).data
    const about = (await acme.staff.post('/tickets', { title: 'x', invoice_id: invoice.id })).data
    expect(about.team_id).toBe(billing)
    expect((await agent.post('/tickets', { title: 'About nothing' })).status).toBe(201)
  })
  it('201 with the team or the person that staff give it', async () => {
    expect((await open(acme.staff, { team_id: billing, assignee_id: bia.userId })).team_id).toBe(billing)
    expect((await open(acme.staff, { assignee_id: bia.userId })).team_id).toBeNull()
    expect((await open(acme.staff, { team_id: null })).team_id).toBeNull()
    const place = `/environments/${sold.environment}/tickets`
    expect((await acme.staff.post(place, { title: 'x', team_id: billing })).data.team_id).toBe(billing)
    expect((await acme.staff.post(place, { title: 'x' })).data.team_id).toBe(hosting)
  })
  it('422 for an unknown team and an assignee who is not of it; 403 for customers', async () => {
    const body = { title: 'x', entitlement_id: sold.hosting }
    const wrong = await acme.staff.post('/tickets', { ...body, team_id: 999_999 })
    expect(wrong.errors?.fields).toHaveProperty('team_id')
    const stranger = await acme.staff.post('/tickets', { ...body, team_id: hosting, assignee_id: bia.userId })
    expect(stranger.errors?.fields).toHaveProperty('assignee_id')
    expect((await agent.post('/tickets', { ...body, team_id: hosting })).errors?.reason).toBe('staff_only')
  })
})

describe('PATCH /tickets/{id}', () => {
  it('200 gives it to a person of the team; a new team takes it from one who is not of it', async () => {
    const { id } = await open()
    expect((await change(id, { assignee_id: bia.userId })).errors?.fields).toHaveProperty('assignee_id')
    expect((await change(id, { assignee_id: ana.userId, priority: 'high' })).data).toMatchObject({
      assignee_id: ana.userId,
      priority: 'high',
      team_id: hosting,
    })
    expect((await change(id, { team_id: billing })).data).toMatchObject({ team_id: billing, assignee_id: null })
    const both = await change(id, { team_id: hosting, assignee_id: ana.userId })
    expect(both.data).toMatchObject({ team_id: hosting, assignee_id: ana.userId })
    expect((await change(id, { team_id: null })).data).toMatchObject({ team_id: null, assignee_id: ana.userId })
    expect((await change(id, { assignee_id: bia.userId })).data.assignee_id).toBe(bia.userId)
  })
  it('403 for customers, 422 for an unknown team, 409 once the ticket is closed', async () => {
    const { id } = await open()
    expect((await change(id, { team_id: billing }, agent)).errors?.reason).toBe('staff_only')
    expect((await change(id, { team_id: 999_999 })).errors?.fields).toHaveProperty('team_id')
    await acme.staff.post(`/tickets/${id}/status`, { status: 'closed' })
    expect((await change(id, { team_id: billing })).errors?.reason).toBe('status_not_allowed')
    expect((await change(id, { team_id: billing, metadata: {} })).status).toBe(409)
    expect((await other.staff.patch(`/tickets/${id}`, { team_id: billing })).status).toBe(404)
  })
  it('200 for two at once: an assignee of the team that the ticket has in the end', async () => {
    const { id } = await open()
    await Promise.all([change(id, { team_id: billing }), change(id, { assignee_id: ana.userId })])
    expect(await seen(id)).toMatchObject({ team_id: billing, assignee_id: null })
  })
})

describe('the lists', () => {
  it('200 by team for staff; customers find none', async () => {
    const { id } = await open(acme.staff, { team_id: billing, title: 'By team' })
    const { id: elsewhere } = await open()
    for (const path of ['/tickets', '/admin/tickets']) {
      const found = await acme.staff.get(`${path}?team_id=${billing}&per_page=100`)
      expect(idsIn(found.data)).toContain(id)
      expect(idsIn(found.data)).not.toContain(elsewhere)
      expect(found.data.every((one: { team_id: number }) => one.team_id === billing)).toBe(true)
    }
    const none = await agent.get(`/tickets?team_id=${billing}`)
    expect([none.data, none.meta?.total]).toEqual([[], 0])
    expect((await agent.get('/tickets?per_page=100')).data.some((one: { team_id: unknown }) => one.team_id)).toBe(false)
  })
  it('200 in the queue of staff', async () => {
    const ids = [(await open()).id, (await open(acme.staff, { team_id: billing })).id]
    await app.database.query(
      `update tickets set resolution_warned = true, resolution_due_at = now() where id = any($1::bigint[])`,
      [ids],
    )
    const queued = async (query: string) => idsIn((await acme.staff.get(`/admin/queue?per_page=100${query}`)).data)
    expect(await queued(`&team_id=${billing}`)).toEqual([ids[1]])
    expect(await queued('')).toEqual(expect.arrayContaining(ids))
  })
})

describe('the mails', () => {
  it('go to the team while nobody has the ticket, then to the assignee', async () => {
    const { id, number } = await open()
    await app.service.worker.drain()
    const counts = async () => [await subjectsTo(ana, number), await subjectsTo(bia, number)]
    expect(await counts()).toEqual([1, 0])
    expect((await mailsTo(app, DESK)).filter(({ subject }) => subject.startsWith(number))).toHaveLength(1)
    await change(id, { team_id: billing })
    await agent.post(`/tickets/${id}/comments`, { body: 'Still slow' })
    await app.service.worker.drain()
    expect(await counts()).toEqual([1, 1])
    await change(id, { team_id: hosting, assignee_id: ana.userId })
    await agent.post(`/tickets/${id}/comments`, { body: 'And now?' })
    await app.service.worker.drain()
    expect(await counts()).toEqual([2, 1])
  })
})

describe('customers', () => {
  it('see nothing of teams in events, the audit log and exports', async () => {
    const { id } = await open()
    await change(id, { team_id: billing })
    await app.service.worker.drain()
    const feed = (await acme.owner.get('/events?resource=ticket&per_page=100')).raw.body
    const log = (await acme.owner.get(`/audit-log?resource=ticket&per_page=100`)).raw.body
    for (const text of [feed, log]) expect(text).not.toMatch(/team_changed/)
    expect(feed).not.toContain('team_id')
    const entries = JSON.parse(log).data.filter(({ resource_id }: { resource_id: number }) => resource_id === id)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['created'])
    expect(entries[0].changes.after.team_id).toBeNull()
    const ofStaff = (await acme.staff.get(`/audit-log?resource=ticket&per_page=100`)).raw.body
    expect(ofStaff).toMatch(/team_changed/)
    for (const [by, paths] of [
      [agent, OF_PERSON],
      [acme.owner, OF_ORGANIZATION],
    ] as const) {
      const { text } = await exported(app, by, paths)
      expect(text).toMatch(/"title": ?"Slow"/)
      expect(text).not.toMatch(/"team_id": ?[^n ]|team_changed|"table":"team/)
    }
  })
})

describe('DELETE /admin/teams/{id}', () => {
  it('409 while it has tickets that have not ended', async () => {
    const { id: short } = (await ana.post('/admin/teams', { name: 'Short' })).data
    const { id } = await open(acme.staff, { team_id: short })
    expect((await ana.delete(`/admin/teams/${short}`)).errors?.reason).toBe('team_in_use')
    await acme.staff.post(`/tickets/${id}/status`, { status: 'closed' })
    expect((await ana.delete(`/admin/teams/${short}`)).status).toBe(200)
    expect((await seen(id)).team_id).toBe(short)
    expect((await acme.staff.post('/tickets', { title: 'x', team_id: short })).errors?.fields).toHaveProperty('team_id')
  })
})

// Whether customers are satisfied with tickets: who is asked when, who answers until when, and who sees it.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Speaker } from '#test/harness/world.ts'
import { exported, OF_ORGANIZATION, OF_PERSON } from '#test/scenes/exports.ts'
import { subjects } from '#test/scenes/tickets.ts'

const app = await appOfFile({ environment: { SATISFACTION: 'entity_br', TICKET_CLASSES: 'ENV,none' } })
const acme = await app.world.organization({ country: 'US' })
const other = await app.world.organization()
const sold = await subjects(app, acme)
const agent = await acme.member({ scopes: ['tickets'] })
const reader = await acme.member({ scopes: ['entitlements'] })
const ana = await acme.staffAs('support')
const COMMENT = 'Rápido 🚀 "e" <bom>'

const open = async (by: Speaker = agent, more: object = { entitlement_id: sold.hosting }) =>
  (await by.post('/tickets', { title: 'Slow', ...more })).data
const become = (id: number, status: string, by: Speaker = ana) => by.post(`/tickets/${id}/status`, { status })
const found = (id: number, by: Speaker = ana) => by.get(`/tickets/${id}/satisfaction`)
const rate = (id: number, body: object = { rating: 'good' }, by: Speaker = agent) =>
  by.post(`/tickets/${id}/satisfaction`, body)
const emailOf = async ({ userId }: Speaker) =>
  (await app.database.query<{ email: string }>('select email from users where id = $1', [userId]))[0]?.email ?? ''
const questionsTo = async (by: Speaker, number: string) =>
  (await mailsTo(app, await emailOf(by))).filter(
    ({ subject, text }) => subject.startsWith(number) && text.includes('Are you satisfied'),
  ).length
const resolved = async (by: Speaker = agent, more?: object) => {
  const ticket = await open(by, more)
  await become(ticket.id, 'resolved')
  await app.service.worker.drain()
  return ticket
}

describe('whoever opened a ticket', () => {
  it('is asked once, by mail, when it is resolved or closed', async () => {
    const { id, number } = await open(agent)
    await acme.staff.patch(`/tickets/${id}`, { assignee_id: ana.userId })
    expect((await found(id)).status).toBe(404)
    await become(id, 'resolved')
    await app.service.worker.drain()
    const { data } = await found(id)
    const asked = { ticket_id: id, requester_id: agent.userId, company: 'entity_br', assignee_id: ana.userId }
    expect(data).toMatchObject({ ...asked, rating: null, comment: null, rated_at: null })
    expect(await questionsTo(agent, number)).toBe(1)
    await become(id, 'open', agent)
    await become(id, 'closed')
    await app.service.worker.drain()
    expect((await found(id)).data).toEqual(data)
    expect(await questionsTo(agent, number)).toBe(1)
  })
  it('is not asked where nobody answered, it was cancelled, or reopened at once', async () => {
    const [unanswered, cancelled, reopened] = [await open(), await open(), await open()]
    await become(unanswered.id, 'closed', agent)
    await become(cancelled.id, 'cancelled')
    await become(reopened.id, 'resolved')
    await become(reopened.id, 'open', agent)
    await app.service.worker.drain()
    for (const { id } of [unanswered, cancelled, reopened]) expect((await found(id)).status).toBe(404)
  })
  it('is not asked where staff opened it, or who opened it has left', async () => {
    const ofStaff = await resolved(acme.staff)
    const leaving = await acme.member({ scopes: ['tickets'] })
    const left = await open(leaving)
    const members: { id: number; user_id: number }[] = (
      await acme.owner.get(`/organizations/${acme.id}/collaborators?per_page=100`)
    ).data
    const { id } = members.find(({ user_id }) => user_id === leaving.userId) ?? { id: 0 }
    expect((await acme.owner.delete(`/organizations/${acme.id}/collaborators/${id}`)).status).toBe(200)
    await become(left.id, 'resolved')
    await app.service.worker.drain()
    for (const ticket of [ofStaff, left]) expect((await found(ticket.id)).status).toBe(404)
  })
  it('is not asked about tickets of a legal entity that does not ask', async () => {
    const { id } = await resolved(agent, {})
    expect((await found(id)).status).toBe(404)
  })
})

describe('POST /tickets/{id}/satisfaction', () => {
  it('200 for whoever opened it; a second rating replaces the first', async () => {
    const { id } = await resolved(reader)
    const first = await rate(id, { rating: 'bad', comment: COMMENT }, reader)
    expect([first.status, first.data]).toMatchObject([200, { rating: 'bad', comment: COMMENT }])
    expect((await rate(id, { rating: 'good' }, reader)).data).toMatchObject({ rating: 'good', comment: null })
    expect((await found(id)).data).toEqual((await found(id, reader)).data)
  })
  it('200 for both of two at once, in one row', async () => {
    const { id } = await resolved()
    const answers = await Promise.all([rate(id), rate(id, { rating: 'bad', comment: COMMENT })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { rating, comment } = (await found(id)).data
    expect([[rating, comment]]).toEqual([rating === 'good' ? ['good', null] : ['bad', COMMENT]])
  })
  it('leaves the ticket as it was', async () => {
    const { id } = await resolved()
    const before = (await ana.get(`/tickets/${id}`)).data
    await rate(id)
    expect((await ana.get(`/tickets/${id}`)).data).toEqual(before)
  })
  it('404 for others, for another organization, and where it was not asked; 403 for staff', async () => {
    const { id } = await resolved()
    for (const by of [acme.owner, reader]) {
      expect((await rate(id, undefined, by)).status).toBe(404)
      expect((await found(id, by)).status).toBe(404)
    }
    expect((await rate(id, undefined, other.owner)).status).toBe(404)
    expect((await rate((await open()).id)).status).toBe(404)
    expect((await rate(id, undefined, acme.staff)).errors?.reason).toBe('requester_only')
    expect((await found(id)).data.rating).toBeNull()
  })
  it('422 naming the field', async () => {
    const { id } = await resolved()
    for (const [body, field] of [
      [{ rating: 'meh' }, 'rating'],
      [{}, 'rating'],
      [{ rating: 'good', comment: 'x'.repeat(1001) }, 'comment'],
    ] as const)
      expect((await rate(id, body)).errors?.fields).toHaveProperty(field)
    expect((await rate(id, { rating: 'good', comment: '🚀'.repeat(1000) })).status).toBe(200)
  })
  it('409 more than 14 days after the question', async () => {
    const { id } = await resolved()
    const asked = 'update ticket_ratings set asked_at = $2 where ticket_id = $1'
    const daysAgo = (days: number) => new Date(app.clock.now.getTime() - days * 86_400_000)
    await app.database.query(asked, [id, daysAgo(13.9)])
    expect((await rate(id)).status).toBe(200)
    await app.database.query(asked, [id, daysAgo(14.1)])
    const late = await rate(id, { rating: 'bad' })
    expect([late.status, late.errors?.reason]).toEqual([409, 'rating_ended'])
    expect((await found(id)).data.rating).toBe('good')
  })
})

describe('a rating', () => {
  it('is seen by whoever gave it and staff alone, also in logs, feeds and exports', async () => {
    const { id } = await resolved()
    await rate(id, { rating: 'bad', comment: COMMENT })
    await app.service.worker.drain()
    const log = '/audit-log?resource=ticket_rating&per_page=100'
    expect((await acme.owner.get(log)).data).toEqual([])
    expect((await acme.staff.get(log)).raw.body).toContain('Rápido')
    expect((await acme.owner.get('/events?per_page=100')).raw.body).not.toContain('ticket_rating')
    expect((await exported(app, acme.owner, OF_ORGANIZATION)).text).not.toMatch(/ticket_rating|Rápido/)
    expect((await exported(app, acme.owner, OF_PERSON)).text).not.toMatch(/Rápido/)
    expect((await exported(app, agent, OF_PERSON)).text).toMatch(/Rápido/)
  })
})

describe('GET /admin/reports/ticket-satisfaction', () => {
  it('200 with what was asked and answered, by what the tickets are about and who had them', async () => {
    const beta = await app.world.organization({ country: 'BR' })
    const { hosting } = await subjects(app, beta)
    const bia = await beta.member({ scopes: ['tickets'] })
    const statuses: number[] = []
    for (const [index, rating] of ['good', 'bad', 'none', 'good'].entries()) {
      const { id } = await open(bia, index < 3 ? { entitlement_id: hosting } : {})
      await beta.staff.patch(`/tickets/${id}`, { assignee_id: index < 3 ? ana.userId : null })
      await become(id, 'resolved', beta.staff)
      await app.service.worker.drain()
      if (rating !== 'none') statuses.push((await rate(id, { rating }, bia)).status)
    }
    expect(statuses).toEqual([200, 200, 200])
    const { rows } = (await ana.get(`/admin/reports/ticket-satisfaction?organization_id=${beta.id}`)).data
    const asked = { month: app.clock.now.toISOString().slice(0, 7), company: 'entity_br' }
    const [person] = await app.database.query('select name as assignee_name from users where id = $1', [ana.userId])
    expect(rows).toEqual([
      { ...asked, ...person, ticket_about: 'ENV', asked: 3, rated_good: 1, rated_bad: 1 },
      { ...asked, ticket_about: 'none', assignee_name: '', asked: 1, rated_good: 1, rated_bad: 0 },
    ])
    expect((await ana.get('/admin/reports/ticket-satisfaction?company=entity_global')).data.rows).toEqual([])
    expect((await beta.owner.get('/admin/reports/ticket-satisfaction')).status).toBe(403)
  })
})

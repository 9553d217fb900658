// Changes of tickets: fields, status, watchers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { type Subjects, ticketScene } from '#test/scenes/tickets.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let other: Organization
let sold: Subjects
let member: Speaker
let agent: Speaker

beforeAll(async () => void ({ app, acme, other, sold, member, agent } = await ticketScene()))
afterAll(() => app.close())

const open = async (more: object = {}, by: Speaker = agent) =>
  (await by.post('/tickets', { title: 'It is slow', entitlement_id: sold.hosting, ...more })).data

const to = (by: Speaker, id: number, status: string, more: object = {}) =>
  by.post(`/tickets/${id}/status`, { status, ...more })

describe('PATCH /tickets/{id}', () => {
  it('200 for title and priority; only staff can assign', async () => {
    const { id } = await open()
    const answer = await agent.patch(`/tickets/${id}`, { title: 'Better', priority: 'low' })
    expect(answer.data).toMatchObject({ title: 'Better', priority: 'low' })
    expect((await agent.patch(`/tickets/${id}`, { assignee_id: acme.staff.userId })).status).toBe(403)
    const assigned = await acme.staff.patch(`/tickets/${id}`, { assignee_id: acme.staff.userId })
    expect(assigned.data.assignee_id).toBe(acme.staff.userId)
    expect((await acme.staff.patch(`/tickets/${id}`, { assignee_id: agent.userId })).status).toBe(422)
    expect((await acme.staff.patch(`/tickets/${id}`, { assignee_id: null })).data.assignee_id).toBeNull()
    expect((await agent.patch(`/tickets/${id}`, { status: 'closed' })).status).toBe(422)
    expect((await member.patch(`/tickets/${id}`, { title: 'x' })).message).toBe('Scope not authorized: tickets')
  })
  it('409 when it is closed', async () => {
    const { id } = await open()
    await agent.post(`/tickets/${id}/status`, { status: 'closed' })
    expect((await agent.patch(`/tickets/${id}`, { title: 'x' })).status).toBe(409)
  })
})

describe('POST /tickets/{id}/status', () => {
  it('200 for each move of the table, 409 for any other, with each step in the history', async () => {
    const { id } = await open()
    expect((await to(acme.staff, id, 'open')).status).toBe(409)
    expect((await to(acme.staff, id, 'in_progress', { note: 'Looking' })).data.status).toBe('in_progress')
    expect((await to(acme.staff, id, 'waiting')).data.status).toBe('waiting')
    expect((await to(acme.staff, id, 'resolved')).data.resolved_at).not.toBeNull()
    expect((await to(acme.staff, id, 'in_progress')).status).toBe(409)
    expect((await to(agent, id, 'open')).data).toMatchObject({ status: 'open', resolved_at: null })
    expect((await to(agent, id, 'closed')).data.closed_at).not.toBeNull()
    for (const status of ['open', 'in_progress', 'resolved', 'cancelled', 'closed'])
      expect((await to(acme.staff, id, status)).status, status).toBe(409)
    const history = await member.get(`/tickets/${id}/history`)
    expect(
      history.data.map((one: { from_status: string; to_status: string }) => [one.from_status, one.to_status]),
    ).toEqual([
      [null, 'open'],
      ['open', 'in_progress'],
      ['in_progress', 'waiting'],
      ['waiting', 'resolved'],
      ['resolved', 'open'],
      ['open', 'closed'],
    ])
    expect(history.data[1]).toMatchObject({ changed_by: acme.staff.userId, changed_by_name: 'Staff', note: 'Looking' })
    expect(history.data[0]).toMatchObject({ changed_by: agent.userId })
    expect((await member.get(`/tickets/${id}/history?per_page=2&page=3`)).data).toHaveLength(2)
  })
  it('403 for a customer’s move that only staff can make', async () => {
    const { id } = await open()
    for (const status of ['in_progress', 'waiting', 'resolved'])
      expect((await to(acme.owner, id, status)).status).toBe(403)
    expect((await to(agent, id, 'cancelled')).data.status).toBe('cancelled')
  })
  it('200 for one of several same moves at once, twenty times', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await open()
      const answers = await Promise.all(
        [agent, acme.owner, acme.staff].map((by) => to(by, id, round % 2 ? 'closed' : 'cancelled')),
      )
      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409, 409])
      expect((await member.get(`/tickets/${id}/history`)).meta?.total).toBe(2)
    }
  })
  it('200 for one of two different moves at once with the same `from_status`, 409 for the other', async () => {
    const { id } = await open()
    const answers = await Promise.all([
      to(acme.staff, id, 'in_progress', { from_status: 'open' }),
      to(agent, id, 'closed', { from_status: 'open' }),
    ])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409])
  })
  it('404 for another organization’s, 422 for an unknown status', async () => {
    const { id } = await open()
    expect((await to(other.owner, id, 'closed')).status).toBe(404)
    expect((await to(agent, id, 'done')).status).toBe(422)
  })
})

describe('POST and DELETE /tickets/{id}/watchers', () => {
  it('200, also for a second time; 404 when the user is no watcher', async () => {
    const { id } = await open()
    for (let time = 0; time < 2; time++) {
      const answer = await agent.post(`/tickets/${id}/watchers`, { user_id: member.userId })
      expect(answer.data.watcher_ids).toEqual([member.userId])
    }
    expect((await agent.delete(`/tickets/${id}/watchers/${member.userId}`)).data.watcher_ids).toEqual([])
    expect((await agent.delete(`/tickets/${id}/watchers/${member.userId}`)).status).toBe(404)
  })
  it('422 for a user who may not read the organization’s tickets', async () => {
    const { id } = await open()
    const blind = await acme.member({ scopes: ['quotes'] })
    const gone = await acme.member({ scopes: ['entitlements'], expiredAt: new Date(app.clock.now.getTime() - 1000) })
    for (const { userId } of [blind, gone, other.owner, { userId: 999_999_999 }])
      expect((await agent.post(`/tickets/${id}/watchers`, { user_id: userId })).status).toBe(422)
    expect((await acme.staff.post(`/tickets/${id}/watchers`, { user_id: acme.staff.userId })).status).toBe(200)
  })
  it('422 when a customer names staff, with the same message as for any other user', async () => {
    const { id } = await open()
    const answers = [acme.staff.userId, 999_999_999].map(async (userId) => {
      const { status, errors } = await agent.post(`/tickets/${id}/watchers`, { user_id: userId })
      return { status, fields: errors?.fields }
    })
    const [staff, nobody] = await Promise.all(answers)
    expect(staff).toMatchObject({ status: 422, fields: { user_id: expect.anything() } })
    expect(staff).toEqual(nobody)
    const opened = await agent.post('/tickets', {
      title: 'x',
      entitlement_id: sold.hosting,
      watcher_ids: [acme.staff.userId],
    })
    expect(opened.status).toBe(422)
  })
  it('keeps both when two are added at once', async () => {
    const { id } = await open()
    const people = [member, acme.owner, acme.staff, agent]
    await Promise.all(people.map(({ userId }) => acme.staff.post(`/tickets/${id}/watchers`, { user_id: userId })))
    expect((await agent.get(`/tickets/${id}`)).data.watcher_ids).toHaveLength(people.length)
  })
})

// Tickets: opening, listing and searching.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { type Subjects, ticketScene } from '#test/scenes/tickets.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let other: Organization
let sold: Subjects
let foreign: Subjects
let member: Speaker
let agent: Speaker

beforeAll(async () => void ({ app, acme, other, sold, foreign, member, agent } = await ticketScene()))
afterAll(() => app.close())

const year = (): string => app.clock.now.toISOString().slice(0, 4)

const open = async (more: object = {}, by: Speaker = agent) =>
  (await by.post('/tickets', { title: 'It is slow', entitlement_id: sold.hosting, ...more })).data

describe('POST /tickets', () => {
  it('201 for a customer’s ENV entitlement, with its environment and a number of the year', async () => {
    const answer = await member.post('/tickets', { title: 'Não abre', entitlement_id: sold.hosting })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      status: 'open',
      title: 'Não abre',
      description: null,
      priority: 'normal',
      entitlement_id: sold.hosting,
      environment_id: sold.environment,
      service_id: null,
      organization_id: acme.id,
      created_by: member.userId,
      assignee_id: null,
      watcher_ids: [],
      resolved_at: null,
    })
    expect(answer.data.number).toMatch(new RegExp(`^SR-${year()}\\d{4}$`))
  })
  it('409 for a customer’s entitlement of another class, or a service', async () => {
    for (const body of [{ entitlement_id: sold.license }, { service_id: sold.service }]) {
      const answer = await acme.owner.post('/tickets', { title: 'x', ...body })
      expect(answer.status).toBe(409)
      expect(answer.errors?.reason).toBe('tickets_not_open')
    }
  })
  it('201 for staff with any entitlement, or a service with its entitlement', async () => {
    expect((await open({ entitlement_id: sold.license }, acme.staff)).environment_id).toBeNull()
    const about = await acme.staff.post('/tickets', { title: 'x', service_id: sold.service, organization_id: acme.id })
    expect(about.data).toMatchObject({ service_id: sold.service, entitlement_id: sold.project, environment_id: null })
  })
  it('404 for another organization’s records and unknown ones', async () => {
    const names = [
      { entitlement_id: foreign.hosting },
      { entitlement_id: 999_999_999 },
      { environment_id: foreign.environment },
      { service_id: foreign.service },
      { entitlement_id: sold.hosting, environment_id: foreign.environment },
    ]
    for (const named of names) {
      const answer = await acme.staff.post('/tickets', { title: 'x', ...named })
      expect(answer.status, JSON.stringify(named)).toBe(404)
    }
    expect((await agent.post('/tickets', { title: 'x', entitlement_id: foreign.hosting })).status).toBe(404)
    const [count] = await app.database.query(`select count(*) as n from tickets where organization_id = $1`, [other.id])
    expect(count).toEqual({ n: 0 })
  })
  it('422 for records that do not belong together, and without any', async () => {
    const apart = await acme.staff.post('/tickets', {
      title: 'x',
      entitlement_id: sold.license,
      environment_id: sold.environment,
    })
    expect(apart.errors?.fields).toHaveProperty('environment_id')
    const both = await acme.staff.post('/tickets', {
      title: 'x',
      entitlement_id: sold.hosting,
      service_id: sold.service,
    })
    expect(both.errors?.fields).toHaveProperty('service_id')
    expect((await agent.post('/tickets', { title: 'x' })).errors?.fields).toHaveProperty('entitlement_id')
  })
  it('422 names every bad field', async () => {
    const answer = await agent.post('/tickets', {
      title: ' ',
      priority: 'panic',
      status: 'closed',
      number: 'SR-1',
      created_by: 1,
    })
    expect(Object.keys(answer.errors?.fields ?? {}).toSorted()).toEqual([
      'created_by',
      'number',
      'priority',
      'status',
      'title',
    ])
  })
  it('403 when a customer assigns; 422 when the assignee is not staff or a watcher is not a member', async () => {
    const body = { title: 'x', entitlement_id: sold.hosting }
    expect((await agent.post('/tickets', { ...body, assignee_id: acme.staff.userId })).status).toBe(403)
    const assigned = await acme.staff.post('/tickets', { ...body, assignee_id: agent.userId })
    expect(assigned.errors?.fields).toHaveProperty('assignee_id')
    const watched = await agent.post('/tickets', { ...body, watcher_ids: [other.owner.userId] })
    expect(watched.errors?.fields).toHaveProperty('watcher_ids')
    const right = await acme.staff.post('/tickets', {
      ...body,
      assignee_id: acme.staff.userId,
      watcher_ids: [member.userId],
    })
    expect(right.data).toMatchObject({ assignee_id: acme.staff.userId, watcher_ids: [member.userId] })
  })
  it('403 without the scope', async () => {
    const unscoped = await acme.member({ scopes: ['quotes'] })
    const answer = await unscoped.post('/tickets', { title: 'x', entitlement_id: sold.hosting })
    expect(answer.message).toBe('Scope not authorized: entitlements')
  })
  it('201 with numbers past 9999, from 1 in each year, and never the same', async () => {
    await app.database.query(`update code_counters set last = 9998 where prefix = 'SR'`)
    const numbers = await Promise.all(Array.from({ length: 6 }, async () => (await open()).number))
    expect(numbers.toSorted((one, two) => one.length - two.length || (one < two ? -1 : 1))).toEqual([
      `SR-${year()}9999`,
      ...[0, 1, 2, 3, 4].map((n) => `SR-${year()}1000${n}`),
    ])
    const before = app.clock.now
    app.clock.now = new Date(Date.UTC(before.getUTCFullYear() + 1, 0, 1))
    const later = await acme.member({ scopes: ['entitlements'] })
    expect((await open({}, later)).number).toBe(`SR-${before.getUTCFullYear() + 1}0001`)
    app.clock.now = before
  })
})

describe('POST /environments/{id}/tickets', () => {
  it('201 with the environment of the path', async () => {
    const answer = await member.post(`/environments/${sold.staging}/tickets`, { title: 'x', priority: 'high' })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      environment_id: sold.staging,
      entitlement_id: sold.hosting,
      priority: 'high',
      status: 'open',
    })
  })
  it('404 for another organization’s; 422 for a field that the route does not have', async () => {
    expect((await member.post(`/environments/${foreign.environment}/tickets`, { title: 'x' })).status).toBe(404)
    const answer = await member.post(`/environments/${sold.staging}/tickets`, { title: 'x', entitlement_id: 1 })
    expect(answer.errors?.fields).toEqual({ entitlement_id: 'unknown field' })
  })
})

describe('GET /tickets, /environments/{id}/tickets, /services/{id}/tickets', () => {
  it('200 filtered and searched, newest first', async () => {
    const mine = await open({ title: 'Relatório PARADO', priority: 'urgent' })
    const later = await open({ title: 'Outro relatório 100%', description: 'um resumo', priority: 'low' })
    const found = await member.get('/tickets?search=relatorio')
    expect(found.data.map(({ id }: { id: number }) => id)).toEqual([later.id, mine.id])
    expect((await member.get('/tickets?search=relatorio&priority=urgent')).data).toHaveLength(1)
    expect((await member.get(`/tickets?search=${mine.number}`)).data[0].id).toBe(mine.id)
    expect((await member.get(`/tickets?search=100%25`)).meta?.total).toBe(1)
    expect((await member.get('/tickets?search=resumo')).meta?.total).toBe(0)
    expect((await member.get(`/tickets?entitlement_id=${sold.project}`)).meta?.total).toBe(1)
    expect((await member.get(`/tickets?assignee_id=${acme.staff.userId}`)).meta?.total).toBe(1)
    expect((await member.get('/tickets?status=closed')).meta?.total).toBe(0)
    const staging = await member.get(`/environments/${sold.staging}/tickets?priority=high`)
    expect(staging.meta?.total).toBe(1)
    expect((await member.get(`/services/${sold.service}/tickets`)).meta?.total).toBe(1)
    expect((await member.get(`/tickets?status=weird`)).status).toBe(422)
  })
  it('200 without tickets of other organizations', async () => {
    expect((await other.owner.get('/tickets')).meta?.total).toBe(0)
    expect((await other.owner.get(`/services/${sold.service}/tickets`)).status).toBe(404)
  })
})

describe('GET /admin/tickets', () => {
  it('200 across organizations for administrators, 403 for others', async () => {
    const { data } = await other.owner.post('/tickets', { title: 'Theirs', entitlement_id: foreign.hosting })
    const all = await acme.staff.get('/admin/tickets?per_page=100')
    expect(new Set(all.data.map((one: { organization_id: number }) => one.organization_id))).toEqual(
      new Set([acme.id, other.id]),
    )
    const theirs = await acme.staff.get(`/admin/tickets?organization_id=${other.id}`)
    expect(theirs.data).toHaveLength(1)
    expect(theirs.data[0]).toMatchObject({ id: data.id, organization_name: other.name })
    expect((await acme.owner.get('/admin/tickets')).status).toBe(403)
  })
})

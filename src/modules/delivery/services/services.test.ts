import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Organization } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const member = await acme.member({ scopes: ['entitlements'] })
const project: { id: number; code: string } = await entitlement(acme)

async function entitlement(at: Organization, entitlementClass = 'SVC') {
  const body = { class: entitlementClass, product_name: 'Project', company: 'entity_br', organization_id: at.id }
  return (await at.staff.post('/entitlements', body)).data
}
const migration = () => ({ name: 'Migration', lifecycle: 'project', entitlement_id: project.id })

async function service(...states: string[]): Promise<number> {
  const answer = await acme.staff.post('/services', migration())
  expect(answer.status, answer.raw.body).toBe(201)
  for (const status of states) expect((await move(answer.data.id, status)).status).toBe(200)
  return answer.data.id
}
const move = (id: number, status: string, note?: string) =>
  acme.staff.post(`/services/${id}/status`, { status, ...(note !== undefined && { note }) })
const TO_DELIVERY = ['approved', 'in_progress', 'delivered']
const steps = async (id: number) =>
  (await member.get(`/services/${id}/history`)).data.map((one: Record<string, unknown>) => [
    one['from_status'],
    one['to_status'],
    one['note'],
  ])

describe('POST /services', () => {
  it('201 with a proposal for the entitlement', async () => {
    const answer = await acme.staff.post('/services', { ...migration(), description: 'All of it', metadata: '{}' })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({ ...migration(), status: 'proposal', entitlement_code: project.code })
    expect((await member.get(`/services/${answer.data.id}`)).data).toEqual(answer.data)
    expect(await steps(answer.data.id)).toEqual([[null, 'proposal', null]])
  })
  it('403 for customers; 422 for wrong fields, classes and organizations; 409 for an entitlement that is not active', async () => {
    expect((await acme.owner.post('/services', migration())).status).toBe(403)
    const [foreign, hosting] = [await entitlement(other), await entitlement(acme, 'ENV')]
    for (const entitlement_id of [foreign.id, 999_999_999, hosting.id])
      expect((await acme.staff.post('/services', { ...migration(), entitlement_id })).errors?.fields).toHaveProperty(
        'entitlement_id',
      )
    for (const wrong of [{ name: '' }, { lifecycle: 'x' }, { status: 'closed' }, { metadata: '[' }, { id: 1 }])
      expect((await acme.staff.post('/services', { ...migration(), ...wrong })).status).toBe(422)
    const held = await entitlement(acme)
    await acme.staff.post(`/entitlements/${held.id}/suspend`)
    expect((await acme.staff.post('/services', { ...migration(), entitlement_id: held.id })).status).toBe(409)
  })
})

describe('PATCH /services/{id}', () => {
  it('200, 403, 404, 422', async () => {
    const id = await service()
    const changed = { name: 'Migration 2', lifecycle: 'ongoing', description: null, metadata: null }
    expect((await acme.staff.patch(`/services/${id}`, changed)).data).toMatchObject(changed)
    expect((await acme.owner.patch(`/services/${id}`, changed)).status).toBe(403)
    expect((await other.staff.patch(`/services/${id}`, changed)).status).toBe(404)
    for (const wrong of [{ status: 'closed' }, { metadata: '{' }, { entitlement_id: 1 }])
      expect((await acme.staff.patch(`/services/${id}`, wrong)).status).toBe(422)
  })
})

describe('POST /services/{id}/status', () => {
  it('200 for each move of the table, 409 for any other, all of them in the history', async () => {
    const id = await service()
    for (const wrong of ['proposal', 'in_progress', 'delivered', 'closed', 'on_hold'])
      expect((await move(id, wrong)).status).toBe(409)
    await move(id, 'approved', 'Signed')
    for (const status of ['in_progress', 'on_hold', 'in_progress', 'delivered', 'in_progress', 'delivered', 'closed'])
      expect((await move(id, status)).data.status).toBe(status)
    expect((await move(id, 'in_progress')).status).toBe(409)
    const entries = await steps(id)
    expect(entries).toHaveLength(9)
    expect(entries[1]).toEqual(['proposal', 'approved', 'Signed'])
    const { data, meta } = await member.get(`/services/${id}/history?per_page=2&page=5`)
    expect(data.map(({ to_status: to }: { to_status: string }) => to)).toEqual(['closed'])
    expect(meta).toEqual({ page: 5, per_page: 2, total: 9, pages: 5 })
  })
  it('403, 404, 422', async () => {
    const id = await service()
    expect((await acme.owner.post(`/services/${id}/status`, { status: 'approved' })).status).toBe(403)
    expect((await other.staff.post(`/services/${id}/status`, { status: 'approved' })).status).toBe(404)
    expect((await acme.staff.post(`/services/${id}/status`, { status: 'done' })).status).toBe(422)
    expect((await other.owner.get(`/services/${id}/history`)).status).toBe(404)
    expect((await (await acme.member()).get(`/services/${id}/history`)).status).toBe(403)
  })
})

describe('a delivery', () => {
  it('200 accepted by the customer: the service is closed, with their name in the history', async () => {
    const id = await service(...TO_DELIVERY)
    expect((await member.post(`/services/${id}/accept-delivery`)).data.status).toBe('closed')
    expect((await member.get(`/services/${id}/history`)).data.at(-1)).toMatchObject({
      from_status: 'delivered',
      to_status: 'closed',
      changed_by: member.userId,
      changed_by_name: expect.stringMatching(/^Person/),
    })
  })
  it('200 rejected with a reason: the service is in progress again', async () => {
    const id = await service(...TO_DELIVERY)
    const answer = await member.post(`/services/${id}/reject-delivery`, { reason: 'Two courses are missing' })
    expect(answer.data.status).toBe('in_progress')
    expect((await steps(id)).at(-1)).toEqual(['delivered', 'in_progress', 'Two courses are missing'])
    for (const body of [{}, { reason: ' ' }, { reason: '' }, { reason: 'x', status: 'closed' }])
      expect((await member.post(`/services/${id}/reject-delivery`, body)).status).toBe(422)
  })
  it('409 unless it is delivered; 403 without the scope; 404 for another organization’s', async () => {
    const id = await service('approved', 'in_progress')
    expect((await member.post(`/services/${id}/accept-delivery`)).status).toBe(409)
    expect((await member.post(`/services/${id}/reject-delivery`, { reason: 'x' })).status).toBe(409)
    expect((await (await acme.member()).post(`/services/${id}/accept-delivery`)).status).toBe(403)
    expect((await other.owner.post(`/services/${id}/accept-delivery`)).status).toBe(404)
    expect((await other.owner.post(`/services/${id}/reject-delivery`, { reason: 'x' })).status).toBe(404)
  })
  it('has one decision when two decide at once', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await service(...TO_DELIVERY)
      const answers = await Promise.all([
        member.post(`/services/${id}/accept-delivery`),
        member.post(`/services/${id}/reject-delivery`, { reason: 'No' }),
      ])
      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409])
      expect(await steps(id)).toHaveLength(5)
    }
  })
  it('is mailed with its note to those who may decide, unless it is decided before', async () => {
    const quick = await service('approved', 'in_progress')
    await move(quick, 'delivered', 'Not to be mailed')
    await member.post(`/services/${quick}/accept-delivery`)
    const id = await service('approved', 'in_progress')
    await move(id, 'delivered', 'All courses are there')
    const mine = (await mailsTo(app, member.email)).filter(({ subject }) => /^(Delivered|Entregue)/.test(subject))
    expect(mine.filter((mail) => mail.text.includes('All courses are there'))).toHaveLength(1)
    expect(mine.filter((mail) => mail.text.includes('Not to be mailed'))).toHaveLength(0)
  })
})

describe('milestones', () => {
  it('201 by staff, 200 for changes by staff and for reading by the customer', async () => {
    const id = await service()
    const first = await acme.staff.post(`/services/${id}/milestones`, { title: 'Courses', due_date: '2026-12-18' })
    expect(first.status).toBe(201)
    expect(first.data).toMatchObject({ service_id: id, title: 'Courses', due_date: '2026-12-18', done_at: null })
    const at = `/services/${id}/milestones/${first.data.id}`
    // The present by a clock that is slightly ahead of ours.
    const done_at = new Date(app.clock.now.getTime() + 45_000).toISOString()
    expect((await acme.staff.patch(at, { done_at })).data).toMatchObject({ done_at, title: 'Courses' })
    expect((await acme.staff.patch(at, { done_at: null, title: 'All courses' })).data).toMatchObject({ done_at: null })
    const second = await acme.staff.post(`/services/${id}/milestones`, { title: 'Users' })
    const { data, meta } = await member.get(`/services/${id}/milestones`)
    expect(data.map((one: { id: number }) => one.id)).toEqual([second.data.id, first.data.id])
    expect(meta?.total).toBe(2)
  })
  it('403 for customers, 404 for another’s, 422 for wrong fields, 409 when the service is over', async () => {
    const id = await service('approved')
    const at = `/services/${id}/milestones`
    const { data } = await acme.staff.post(at, { title: 'Courses' })
    const twin = await service()
    expect((await acme.owner.post(at, { title: 'Mine' })).status).toBe(403)
    expect((await acme.owner.patch(`${at}/${data.id}`, { title: 'Mine' })).status).toBe(403)
    expect((await other.staff.post(at, { title: 'Mine' })).status).toBe(404)
    expect((await other.owner.get(at)).status).toBe(404)
    expect((await acme.staff.patch(`/services/${twin}/milestones/${data.id}`, { title: 'x' })).status).toBe(404)
    const future = new Date(app.clock.now.getTime() + 61_000).toISOString()
    for (const wrong of [{ title: ' ' }, { title: 'x', due_date: '2026-02-30' }, { title: 'x', done_at: future }, {}])
      expect((await acme.staff.post(at, wrong)).status, JSON.stringify(wrong)).toBe(422)
    expect((await acme.staff.patch(`${at}/${data.id}`, { done_at: future })).status).toBe(422)
    await move(id, 'cancelled')
    expect((await acme.staff.post(at, { title: 'Late' })).status).toBe(409)
    expect((await acme.staff.patch(`${at}/${data.id}`, { title: 'Late' })).status).toBe(409)
  })
})

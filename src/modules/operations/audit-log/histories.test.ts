// The histories that are read from the audit log: of quotes, orders, invoices and refunds.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const steps = async (who: Speaker, path: string) =>
  (await who.get(path)).data.map((entry: Answer['data']) => [entry.from_status, entry.to_status, entry.note])
const draft = async (org: Organization): Promise<number> => {
  const body = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items: [LICENSE_LINE] }
  return (await org.staff.post('/quotes', body)).data.id
}

describe('GET /quotes/{id}/history', () => {
  it('200 with each status, oldest first, by whom and why', async () => {
    const id = await draft(acme)
    await acme.staff.put(`/quotes/${id}`, { valid_until: '2099-12-30' })
    await acme.staff.post(`/quotes/${id}/send`)
    await acme.owner.get(`/quotes/${id}`)
    await acme.owner.post(`/quotes/${id}/reject`, { reason: 'Too dear' })
    const { data } = await acme.owner.get(`/quotes/${id}/history`)
    expect(data.at(-1)).toEqual({
      id: expect.any(Number),
      from_status: 'viewed',
      to_status: 'rejected',
      note: 'Too dear',
      changed_at: app.clock.now.toISOString(),
      changed_by: acme.owner.userId,
      changed_by_name: expect.any(String),
    })
    expect(await steps(acme.staff, `/quotes/${id}/history`)).toEqual([
      [null, 'draft', null],
      ['draft', 'sent', null],
      ['sent', 'viewed', null],
      ['viewed', 'rejected', 'Too dear'],
    ])
  })
  it('200 without what happened to the draft for customers; 404 for a draft and for another organization', async () => {
    const id = await draft(acme)
    expect((await acme.owner.get(`/quotes/${id}/history`)).status).toBe(404)
    await acme.staff.post(`/quotes/${id}/send`)
    expect(await steps(acme.owner, `/quotes/${id}/history`)).toEqual([['draft', 'sent', null]])
    const other = await app.world.organization()
    expect((await other.owner.get(`/quotes/${id}/history`)).status).toBe(404)
    expect((await other.staff.get(`/quotes/${id}/history`)).status).toBe(404)
  })
})

describe('GET /orders/{id}/history', () => {
  it('200 with the note of a change of status, for members with the scope of orders alone', async () => {
    const id = await draft(acme)
    await acme.staff.post(`/quotes/${id}/send`)
    const { order_id: order } = (await acme.owner.post(`/quotes/${id}/accept`, {})).data
    await acme.staff.post(`/orders/${order}/status`, { status: 'on-hold', note: 'Waits for the purchase order' })
    await acme.staff.post(`/orders/${order}/status`, { status: 'cancelled', note: 'Never came' })
    const member = await acme.member({ scopes: ['orders'] })
    expect(await steps(member, `/orders/${order}/history`)).toEqual([
      [null, 'pending', null],
      ['pending', 'on-hold', 'Waits for the purchase order'],
      ['on-hold', 'cancelled', 'Never came'],
    ])
    const stranger = await acme.member({ scopes: ['quotes'] })
    expect((await stranger.get(`/orders/${order}/history`)).status).toBe(403)
  })
})

describe('GET /invoices/{id}/history', () => {
  it('200 from the finalization on for customers', async () => {
    const { id } = (await acme.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 100 })).data
    expect((await acme.owner.get(`/invoices/${id}/history`)).status).toBe(404)
    await acme.staff.post(`/invoices/${id}/finalize`)
    await acme.staff.post(`/invoices/${id}/void`)
    expect(await steps(acme.owner, `/invoices/${id}/history`)).toEqual([
      ['draft', 'open', null],
      ['open', 'void', null],
    ])
    expect(await steps(acme.staff, `/invoices/${id}/history`)).toHaveLength(3)
  })
})

describe('GET /audit-log of a record', () => {
  it('200 by its id, with and without its kind, and by ranges of the time', async () => {
    const org = await app.world.organization()
    const id = await draft(org)
    const total = async (query: string) => (await org.staff.get(`/audit-log?${query}`)).meta?.total
    const early = app.clock.now.toISOString()
    app.clock.advance(60)
    await org.staff.post(`/quotes/${id}/send`)
    const late = encodeURIComponent(app.clock.now.toISOString())
    expect(await total(`resource_id=${id}&resource=quote`)).toBe(2)
    expect(await total(`resource_id=${id}&resource=order`)).toBe(0)
    const { data } = await org.staff.get(`/audit-log?resource_id=${id}`)
    expect(data.length).toBeGreaterThanOrEqual(2)
    expect(data.filter((entry: Answer['data']) => entry.resource_id !== id)).toEqual([])
    expect(await total(`resource=quote&at[gte]=${late}`)).toBe(1)
    expect(await total(`resource=quote&at[lt]=${late}`)).toBe(1)
    const oldestFirst = (await org.staff.get(`/audit-log?resource=quote&sort=at`)).data
    expect(oldestFirst[0]).toMatchObject({ at: early, action: 'created' })
    for (const wrong of ['resource_id=x', 'resource_id=0', 'at[gte]=yesterday', 'sort=actor'])
      expect((await org.owner.get(`/audit-log?${wrong}`)).status).toBe(422)
  })
})

import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()

describe('GET /audit-log', () => {
  it('200 with the actor and the values before and after each change, newest first', async () => {
    await acme.owner.put(`/organizations/${acme.id}`, { phone: '1' })
    const changed = await acme.owner.put(`/organizations/${acme.id}`, { phone: '2', notes: 'x' })
    const member = await acme.member({ scopes: ['organization'] })
    const { data, meta } = await member.get('/audit-log')
    expect(meta?.total).toBe(2)
    expect(data[0]).toEqual({
      id: expect.any(Number),
      at: app.clock.now.toISOString(),
      actor_kind: 'user',
      actor_id: acme.owner.userId,
      actor: expect.any(String),
      action: 'updated',
      resource: 'organization',
      resource_id: acme.id,
      changes: { before: { phone: '1', notes: null }, after: { phone: '2', notes: 'x' } },
      reason: null,
      request_id: changed.headers['x-request-id'],
      ip: '127.0.0.1',
    })
  })
  it('200 filtered by actor, resource, action and dates, both inclusive', async () => {
    const org = await app.world.organization()
    const total = async (query: string) => (await org.owner.get(`/audit-log?${query}`)).meta?.total
    const write = (at: string, values: unknown[]) =>
      app.database.query(
        `insert into audit_log (organization_id, at, actor_kind, actor_id, actor, action, resource, resource_id, request_id)
         values ($1, $2, 'user', $3, 'x', $4, $5, 1, 'r')`,
        [org.id, at, ...values],
      )
    await write('2026-11-30T23:59:59.999Z', [7, 'updated', 'organization'])
    await write('2026-12-01T00:00:00.000Z', [8, 'created', 'ticket'])
    await write('2026-12-01T23:59:59.999Z', [8, 'updated', 'ticket'])
    await write('2026-12-02T00:00:00.000Z', [8, 'updated', 'ticket'])
    const totals = await Promise.all(
      [
        'date_from=2026-12-01&date_to=2026-12-01',
        'date_to=2026-11-30',
        'date_from=2026-12-02',
        'actor_id=8&action=updated',
        'resource=ticket&date_to=2026-12-01',
        'date_from=2026-12-02&date_to=2026-12-01',
      ].map(total),
    )
    expect(totals).toEqual([2, 1, 1, 2, 2, 0])
    for (const wrong of ['date_from=yesterday', 'date_from=2026-02-30', 'actor_id=me', 'actor=1', 'page=0'])
      expect((await org.owner.get(`/audit-log?${wrong}`)).status).toBe(422)
  })
  it('200 with the access by staff, and nothing of another organization', async () => {
    const org = await app.world.organization()
    await org.staff.get('/audit-log')
    const { data } = await org.owner.get('/audit-log')
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ action: 'staff_entry', resource: 'organization', resource_id: org.id })
    expect((await org.owner.get(`/audit-log?actor_id=${acme.owner.userId}`)).data).toEqual([])
  })
  it('200 with the access by staff, also where their request was refused', async () => {
    const org = await app.world.organization()
    const refusals = await Promise.all([
      org.staff.post('/quotes/999/send'),
      org.staff.post('/quotes', { currency: 'x' }),
      org.staff.post(`/organizations/${org.id}/collaborators`, { email: 'no address' }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([404, 422, 422])
    const { data } = await org.owner.get('/audit-log')
    const requests = data.map(({ action, changes }: Answer['data']) => [action, changes.after.request]).toSorted()
    expect(requests).toEqual([
      ['staff_entry', 'POST /organizations/{id}/collaborators'],
      ['staff_entry', 'POST /quotes'],
      ['staff_entry', 'POST /quotes/{id}/send'],
    ])
  })
  it('200 with the access by staff, once for each request with an Idempotency-Key, also where it was refused', async () => {
    const org = await app.world.organization()
    const quote = (currency: string, key = 'once') =>
      org.staff.post(
        '/quotes',
        { currency, company: 'entity_br', valid_until: '2099-12-31', line_items: [LICENSE_LINE] },
        { 'idempotency-key': key },
      )
    const answers = [await quote('BRL'), await quote('BRL'), await quote('USD'), await quote('BRL', 'two keys')]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 422, 400])
    const { data } = await org.owner.get('/audit-log?per_page=100')
    expect(data.filter(({ action }: Answer['data']) => action === 'staff_entry')).toHaveLength(4)
  })
  it('200 with drafts and internal notes for staff, without them for customers', async () => {
    const org = await app.world.organization()
    const write = (resource: string, action: string, before: object | null, after: object) =>
      app.database.query(
        `insert into audit_log (organization_id, at, actor_kind, actor, action, resource, resource_id, before, after, request_id)
         values ($1, now(), 'user', 'staff', $2, $3, 1, $4, $5, 'r')`,
        [org.id, action, resource, before, after],
      )
    await write('quote', 'created', null, { status: 'draft', total: '1.00' })
    await write('quote', 'updated', { total: '1.00' }, { total: '2.00' })
    await write('quote', 'sent', { status: 'draft' }, { status: 'sent' })
    await write('quote', 'cancelled', { status: 'draft' }, { status: 'cancelled' })
    await write('quote', 'cancelled', { status: 'sent' }, { status: 'cancelled' })
    await write('comment', 'created', null, { body: 'secret', internal: true })
    await write('comment', 'created', null, { body: 'public', internal: false })
    const { data, meta } = await org.owner.get('/audit-log')
    expect(data.map((one: { action: string; changes: { after: object } }) => [one.action, one.changes.after])).toEqual([
      ['created', { body: 'public', internal: false }],
      ['cancelled', { status: 'cancelled' }],
      ['sent', { status: 'sent' }],
    ])
    expect(meta?.total).toBe(3)
    expect((await org.staff.get('/audit-log?resource=quote')).meta?.total).toBe(5)
  })
  it('200 without the draft values of an invoice, such as its number, for customers', async () => {
    const body = { currency: 'BRL', company: 'entity_br', total: 100, notes: 'Not for the customer yet' }
    const { id } = (await acme.staff.post('/invoices', body)).data
    await acme.staff.patch(`/invoices/${id}`, { notes: 'Thank you' })
    await acme.staff.post(`/invoices/${id}/finalize`)
    const path = '/audit-log?resource=invoice'
    const [entry, ...others] = (await acme.owner.get(path)).data
    expect(others).toEqual([])
    expect(entry).toMatchObject({ action: 'finalized', changes: { before: null, after: { number: 'BR-000001' } } })
    const entries = (await acme.staff.get(path)).data
    expect(entries).toHaveLength(3)
    expect(entries[0].changes.before.number).toBe(`DRAFT-${id}`)
  })
  it('200 with amounts as decimal strings, as in events', async () => {
    const { id } = (await acme.staff.post('/invoices', { currency: 'BRL', total: 10_050, status: 'open' })).data
    await acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'Too much', amount: '0.5' })
    const [entry] = (await acme.owner.get('/audit-log?resource=invoice&action=credited')).data
    expect(entry.changes).toEqual({
      before: { amount_due: '100.50', amount_credited: '0.00' },
      after: { amount_due: '100.00', amount_credited: '0.50' },
    })
    const [event] = await app.database.query(
      `select data ->> 'total' as total, jsonb_typeof(data -> 'total') as type from events where resource = 'credit_note'`,
    )
    expect(event).toEqual({ total: '0.50', type: 'string' })
  })
  it('403 without the scope', async () => {
    const member = await acme.member({ scopes: ['quotes'] })
    expect((await member.get('/audit-log')).message).toBe('Scope not authorized: organization')
  })
})

// Why something was done (X-Reason), and whoever asks for ids that are not there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { setSettings } from '#test/scenes/settings.ts'
import { until } from '#test/harness/until.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const entriesOf = async (org: Organization, query = ''): Promise<Answer['data']> =>
  (await org.owner.get(`/audit-log?per_page=100${query}`)).data
const because = (text: string) => ({ 'x-reason': encodeURIComponent(text) })

describe('X-Reason', () => {
  it('is the reason of the change, and of the access of staff', async () => {
    const org = await app.world.organization()
    await org.owner.put(`/organizations/${org.id}`, { phone: '1' }, because('Novo número “fixo” 😀'))
    await org.staff.put(`/organizations/${org.id}`, { phone: '2' }, because('Asked for by phone'))
    const entries = await entriesOf(org)
    expect(entries.map(({ action, reason }: Answer['data']) => [action, reason])).toEqual([
      ['updated', 'Asked for by phone'],
      ['staff_entry', 'Asked for by phone'],
      ['updated', 'Novo número “fixo” 😀'],
    ])
  })
  it('400 when it is unreadable, after the access check, and nothing is changed', async () => {
    const org = await app.world.organization()
    const stranger = await app.world.user()
    for (const wrong of ['%E0%A4', '%00', '%E2%80%8B', '%0A', '', 'x'.repeat(501)]) {
      const headers = { 'x-reason': wrong }
      expect((await org.owner.put(`/organizations/${org.id}`, { phone: '1' }, headers)).status, wrong).toBe(400)
      expect((await org.owner.get(`/organizations/${org.id}`, headers)).status, wrong).toBe(400)
      const outside = app.world.inside(stranger, org.id)
      expect((await outside.put(`/organizations/${org.id}`, { phone: '1' }, headers)).status, wrong).toBe(403)
    }
    expect((await entriesOf(org)).filter(({ action }: Answer['data']) => action === 'updated')).toEqual([])
  })
})

describe('the setting reasons as required', () => {
  it('422 for dangerous acts and for acts of staff without one; 200 with it', async () => {
    await setSettings(app, 'vendor', { reasons: 'required' })
    try {
      const org = await app.world.organization()
      const create = (headers = {}) =>
        org.owner.post('/auth/api-keys', { name: 'ERP', permission: 'read', scopes: ['orders'] }, headers)
      const refused = await create()
      expect([refused.status, Object.keys(refused.errors?.fields ?? {})]).toEqual([422, ['X-Reason']])
      expect((await create(because('For the ERP'))).status).toBe(201)
      expect((await org.owner.put(`/organizations/${org.id}`, { phone: '1' })).status).toBe(200)
      const byStaff = (headers = {}) => org.staff.put(`/organizations/${org.id}`, { phone: '2' }, headers)
      expect((await byStaff()).status).toBe(422)
      expect((await byStaff(because('Called back'))).status).toBe(200)
      const line = { class: 'PLG', product_name: 'Backup', company: 'entity_br', organization_id: org.id }
      const { id } = (await org.staff.post('/entitlements', line, because('Sold by phone'))).data
      const previewed = async (headers = {}) =>
        (await org.staff.post(`/entitlements/${id}/suspend?dry_run=true`, {}, headers)).status
      expect([await previewed(), await previewed({ 'x-reason': '%zz' })]).toEqual([422, 400])
      expect(await previewed(because('Does not pay'))).toBe(200)
      expect((await org.staff.get('/quotes')).status).toBe(200)
      const entry = await org.staff.post(`/admin/organizations/${org.id}/entries`, { reason: 'Ticket SR-1' })
      expect(entry.status).toBe(201)
      expect((await byStaff()).status).toBe(200)
    } finally {
      await setSettings(app, 'vendor', { reasons: null })
    }
  })
})

describe('asking for ids that are not there', () => {
  it('is one entry of the organization after an hour, from twenty on, and the answers are as ever', async () => {
    const org = await app.world.organization()
    const other = await app.world.organization()
    const draft = { currency: 'BRL', company: 'entity_br', total: 100, status: 'open' }
    const { id: foreign } = (await other.staff.post('/invoices', draft)).data
    const answers = []
    for (let count = 0; count < 19; count++) answers.push(await org.owner.get(`/invoices/${foreign}`))
    answers.push(await org.owner.get('/invoices/999999999'))
    expect(new Set(answers.map(({ raw }) => raw.body)).size).toBe(1)
    for (let count = 0; count < 19; count++) await other.owner.get('/quotes/999999999')
    app.clock.advance(3601)
    const [entry] = await until(
      () => entriesOf(org, '&action=records_not_found'),
      (found) => found.length > 0,
    )
    expect(entry).toMatchObject({
      actor_id: org.owner.userId,
      changes: { after: { count: 20, requests: ['GET /invoices/{id}'] } },
    })
    expect(await entriesOf(other, '&action=records_not_found')).toEqual([])
  })
})

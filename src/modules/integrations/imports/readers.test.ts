// Who sees an import: those of staff who may read what its lines become.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { imported, outcomes, sendImport } from '#test/scenes/imports.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const staff = app.world.speaker({ authorization: acme.staff.headers['authorization'] ?? '' }, acme.staff)
const finance = await app.world.user({ roles: ['customer', 'finance'] })
const support = await app.world.user({ roles: ['customer', 'support'] })
const nobody = await app.world.user({ roles: ['customer'] })

const { id: invoices } = await imported(
  app,
  staff,
  { kind: 'invoices', source: 'books' },
  `external_id,organization_id,number,currency,total\n1,${acme.id},NF "9" 🧾,BRL,wrong\n`,
)
const { id: tickets } = await imported(
  app,
  staff,
  { kind: 'tickets', source: 'desk' },
  `external_id,organization_id,title\n1,${acme.id},Slow\n`,
)
const BELOW = ['', '/rows', '/report']

describe('an import of invoices', () => {
  it('200 for finance, who has no import of tickets in the list', async () => {
    for (const below of BELOW) expect((await finance.get(`/admin/imports/${invoices}${below}`)).status, below).toBe(200)
    const { data, meta } = await finance.get('/admin/imports')
    expect([data.map(({ id }: { id: number }) => id), meta?.total]).toEqual([[invoices], 1])
  })
  it('404 for support, and for a key without the permission; they have that of tickets', async () => {
    const key = await vendorKey(app, { permissions: ['tickets:read'] })
    for (const reader of [support, key]) {
      for (const below of BELOW) {
        expect((await reader.get(`/admin/imports/${invoices}${below}`)).status, below).toBe(404)
        expect((await reader.get(`/admin/imports/${tickets}${below}`)).status, below).toBe(200)
      }
      const { data } = await reader.get('/admin/imports?kind=invoices,tickets')
      expect(data.map(({ id }: { id: number }) => id)).toEqual([tickets])
    }
  })
  it('403 for who is no staff', async () => {
    for (const below of BELOW) expect((await nobody.get(`/admin/imports/${invoices}${below}`)).status).toBe(403)
  })
})

it('403 for an import of subscriptions by finance, who may not change what they would extend', async () => {
  const { status, message } = await sendImport(finance, { kind: 'subscriptions', source: 'books' }, 'external_id\n1\n')
  expect({ status, message }).toEqual({ status: 403, message: 'Scope not authorized: entitlements:write' })
})

it('403 for a key of the vendor, whose import would be made with all roles of whoever made the key', async () => {
  const key = await vendorKey(app, { permissions: ['organization:read', 'organization:write'] })
  const line = { external_id: '1', organization_id: acme.id, email: 'key@acme.example', can_manage_orders: true }
  const direct = await app.world.inside(key, acme.id).post(`/organizations/${acme.id}/collaborators`, {
    email: line.email,
    can_manage_orders: true,
  })
  expect([direct.status, direct.errors?.reason]).toEqual([403, 'more_than_own'])
  const sent = await sendImport(key, { kind: 'members', source: 'desk' }, [line])
  expect([sent.status, sent.errors?.reason]).toEqual([403, 'person_needed'])
  const { id } = await imported(app, staff, { kind: 'members', source: 'desk' }, [line])
  const invited = await key.post(`/admin/imports/${id}/invite`)
  expect([invited.status, invited.errors?.reason]).toEqual([403, 'person_needed'])
})

it('refuses contacts of organizations to staff who may not change what is mailed to them', async () => {
  const sales = await app.world.user({ roles: ['customer', 'sales'] })
  const line = { external_id: '1', name: 'Acme', contacts_payment: 'pay@acme.example' }
  const done = await imported(app, sales, { kind: 'organizations', source: 'crm' }, [line])
  expect(outcomes(done)).toEqual(['refused'])
  expect(done.lines[0].errors.row).toContain('Scope not authorized: finances:write')
})

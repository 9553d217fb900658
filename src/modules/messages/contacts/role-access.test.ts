// Who may say where the mails of a subject go: whoever has the scope of these mails.
import { describe, expect, it } from 'vitest'
import { announcements } from '../../../modules.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { apiKey } from '#test/scenes/records.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'
import { SCOPES_OF_ROLE } from './contact.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const contacts: string = `/organizations/${acme.id}/contacts`

it('the scopes of a role are those of all mails that its contacts draw', () => {
  const drawn = announcements.flatMap(({ mail, contact, needs }) =>
    contact ? [{ mail, contact, scope: needs?.members?.scope }] : [],
  )
  // Without a scope it is for a role that may name contacts.
  expect(drawn.length).toBeGreaterThan(10)
  expect(
    drawn.filter(({ contact, scope }) => scope !== null && !SCOPES_OF_ROLE[contact].some((one) => one === scope)),
  ).toEqual([])
})

const callers: [string, () => Promise<Speaker>][] = [
  ['sales', () => acme.staffAs('sales')],
  ['an admin without the scope', () => acme.member({ role: 'admin', scopes: ['organization'] })],
  [
    'a key of the vendor',
    async () =>
      app.world.inside(await vendorKey(app, { permissions: ['organization:read', 'organization:write'] }), acme.id),
  ],
  [
    'a key of the customer',
    async () =>
      app.world.inside(
        app.world.speaker(await apiKey(app, acme, { permission: 'read_write', scopes: ['organization'] }), acme.owner),
        acme.id,
      ),
  ],
]

describe.each(callers)('403 for %s', (_, speaker) => {
  it('who names or removes a contact for billing, or changes contacts_payment', async () => {
    const who = await speaker()
    const named = await acme.owner.post(contacts, { role: 'billing', email: 'contas@acme.example' })
    const asked = [
      await who.post(contacts, { role: 'billing', email: 'eve@evil.example' }),
      await who.delete(`${contacts}/${named.data.id}`),
      await who.put(`/organizations/${acme.id}`, { contacts_payment: 'eve@evil.example' }),
    ]
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 403])
    const { data } = await acme.owner.get(contacts)
    expect(data.contacts.map(({ email }: { email: string }) => email)).toEqual(['contas@acme.example'])
    expect((await acme.owner.delete(`${contacts}/${named.data.id}`)).status).toBe(200)
  })
})

it('200 for an admin with the scope, and for what stays as it was without it', async () => {
  const admin = await acme.member({ role: 'admin', scopes: ['organization', 'finances'] })
  expect((await admin.post(contacts, { role: 'billing', email: 'contas@acme.example' })).status).toBe(201)
  expect((await admin.put(`/organizations/${acme.id}`, { contacts_payment: 'caixa@acme.example' })).status).toBe(200)
  const plain = await acme.member({ role: 'admin', scopes: ['organization'] })
  const same = { contacts_payment: 'caixa@acme.example', phone: '1' }
  expect((await plain.put(`/organizations/${acme.id}`, same)).status).toBe(200)
})

const create = async (roles: Parameters<Organization['staffAs']>, field: string) => {
  const staff = await acme.staffAs(...roles)
  const body = { name: `For ${roles.join(' and ')}`, owner_email: 'owner@new.example', [field]: 'eve@evil.example' }
  return staff.post('/admin/organizations', body)
}
describe('POST /admin/organizations', () => {
  it.each(['contacts_payment', 'org_contacts_payment', 'contacts_support'])(
    '403 with %s for staff without its scope, and nothing is created or mailed',
    async (field) => {
      const counted = `select (select count(*) from organizations) as organizations, (select count(*) from mails) as mails`
      const before = await app.database.query(counted)
      const { status, errors } = await create(['sales'], field)
      expect([status, errors?.reason]).toEqual([403, 'scope_missing'])
      expect(await app.database.query(counted)).toEqual(before)
    },
  )
  it('201 with the scope', async () => {
    expect((await create(['sales', 'finance'], 'contacts_payment')).status).toBe(201)
  })
})

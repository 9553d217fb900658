// Contacts of an organization: who gets the notices of a subject.
import { describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { appOfFile, type TestApp } from '#test/harness/app.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { confirmed } from '#test/scenes/contacts.ts'
import { deadLetters } from '#test/scenes/commerce.ts'

const app = await appOfFile()
const administrator: Awaited<ReturnType<TestApp['world']['user']>> = await app.world.user({
  roles: ['customer', 'administrator'],
})

const pathOf = ({ id }: Organization) => `/organizations/${id}/contacts`
const name = (org: Organization, body: object) => org.owner.post(pathOf(org), body)
const listOf = async (org: Organization): Promise<Answer['data']> => (await org.owner.get(pathOf(org))).data.contacts
const billed = async (org: Organization): Promise<number> => {
  const { id } = (await org.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 100 })).data
  expect((await org.staff.post(`/invoices/${id}/finalize`)).status).toBe(200)
  return id
}
const OF_CONTACTS = /conta(?:ct|to)s? (?:of|de) /
/** Without those about being a contact. */
const countTo = async (email: string): Promise<number> =>
  (await mailsTo(app, email)).filter(({ subject }) => !OF_CONTACTS.test(subject)).length
const verify = (org: Organization) => administrator.post(`/admin/organizations/${org.id}/verify`)

describe('contacts', () => {
  it('get the notices of their subject instead of the members with the scope', async () => {
    const org = await app.world.organization()
    const clerk = await org.member({ scopes: ['finances'] })
    const named = await name(org, { role: 'billing', user_id: clerk.userId })
    expect(named.status, named.raw.body).toBe(201)
    expect(named.data).toMatchObject({ role: 'billing', user_id: clerk.userId, email: clerk.email, gets_mail: true })
    expect(named.data.is_confirmed).toBe(true)
    await billed(org)
    expect([await countTo(clerk.email), await countTo(org.owner.email)]).toEqual([1, 0])
    await app.database.query(`update collaborators set expired_at = '2020-01-01' where user_id = $1`, [clerk.userId])
    expect(await listOf(org)).toMatchObject([{ gets_mail: false }])
    await billed(org)
    expect([await countTo(clerk.email), await countTo(org.owner.email)]).toEqual([1, 1])
    expect(await deadLetters(app)).toEqual([])
  })
  it('without an account get mail once the organization is verified, each its own', async () => {
    const org = await app.world.organization()
    const [one, two] = [`one-${org.id}@pay.example`, `two-${org.id}@pay.example`]
    expect((await name(org, { role: 'billing', email: one, name: 'Contas “a” pagar 😀' })).data.gets_mail).toBe(false)
    await name(org, { role: 'billing', email: two })
    await billed(org)
    expect([await countTo(one), await countTo(two), await countTo(org.owner.email)]).toEqual([0, 0, 1])
    expect((await verify(org)).status).toBe(200)
    for (const email of [one, two]) await confirmed(app, email)
    await billed(org)
    expect([await countTo(one), await countTo(two), await countTo(org.owner.email)]).toEqual([1, 1, 1])
  })
  it('are also the addresses in contacts_payment and contacts_support', async () => {
    const org = await app.world.organization()
    const address = `field-${org.id}@pay.example`
    await verify(org)
    const text = `Contas <${address}>, ramal 22; ${address.toUpperCase()}`
    await org.owner.put(`/organizations/${org.id}`, { contacts_payment: text, contacts_support: 'phone only' })
    await confirmed(app, address.toUpperCase())
    expect(await listOf(org)).toEqual([
      {
        id: null,
        role: 'billing',
        user_id: null,
        email: address.toUpperCase(),
        name: null,
        attachments: true,
        gets_mail: true,
        is_confirmed: true,
        switched_off: [],
      },
    ])
    await name(org, { role: 'billing', email: address })
    expect(await listOf(org)).toMatchObject([{ id: expect.any(Number), email: address }])
    await billed(org)
    expect(await countTo(address)).toBe(1)
  })
  it('are not mailed any more when they were removed before the mail is sent', async () => {
    const org = await app.world.organization()
    const clerk = await org.member({ scopes: [] })
    const { id } = (await name(org, { role: 'billing', user_id: clerk.userId })).data
    await confirmed(app, clerk.email)
    await billed(org)
    expect((await org.owner.delete(`${pathOf(org)}/${id}`)).status).toBe(200)
    expect(await countTo(clerk.email)).toBe(0)
    expect(await listOf(org)).toEqual([])
  })
})

describe('POST /organizations/{id}/contacts', () => {
  it('409 for the same twice, also at once, and for more than ten', async () => {
    const org = await app.world.organization()
    const body = { role: 'legal', email: 'legal@acme.example' }
    const answers = await Promise.all([name(org, body), name(org, { ...body, email: 'LEGAL@acme.example' })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)?.errors?.reason).toBe('already_named')
    for (let count = 1; count < 10; count++) await name(org, { ...body, email: `legal${count}@acme.example` })
    expect((await name(org, { ...body, email: 'more@acme.example' })).errors?.reason).toBe('limit_reached')
    expect((await name(org, { ...body, role: 'billing' })).status).toBe(201)
  })
  it('422 for neither or both, for a stranger, and for what only an address has', async () => {
    const org = await app.world.organization()
    const stranger = await app.world.user()
    const fieldsOf = async (body: object) => Object.keys((await name(org, body)).errors?.fields ?? {})
    expect(await fieldsOf({ role: 'billing' })).toEqual(['email'])
    expect(await fieldsOf({ role: 'billing', user_id: org.owner.userId, email: 'a@b.example', name: 'x' })).toEqual([
      'email',
      'name',
    ])
    expect(await fieldsOf({ role: 'billing', user_id: stranger.userId })).toEqual(['user_id'])
    expect(await fieldsOf({ role: 'sales', email: 'a@b.example' })).toEqual(['role'])
  })
  it('403 for a member, and 404 for the contact of another organization', async () => {
    const [org, other] = [await app.world.organization(), await app.world.organization()]
    const member = await org.member({ scopes: ['organization'] })
    expect((await member.post(pathOf(org), { role: 'legal', email: 'a@b.example' })).status).toBe(403)
    const { id } = (await name(other, { role: 'legal', email: 'a@b.example' })).data
    expect((await org.owner.delete(`${pathOf(org)}/${id}`)).status).toBe(404)
  })
})

// A new contact is asked by mail, the members go on getting the mails until it has confirmed, and the owner is told.
import { describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { askedToken, confirmed } from '#test/scenes/contacts.ts'
import { deadLetters } from '#test/scenes/commerce.ts'

const app = await appOfFile()
const administrator = await app.world.user({ roles: ['customer', 'administrator'] })

const pathOf = ({ id }: Organization) => `/organizations/${id}/contacts`
const name = (org: Organization, body: object) => org.owner.post(pathOf(org), body)
const listOf = async (org: Organization): Promise<Answer['data']> => (await org.owner.get(pathOf(org))).data.contacts
const verify = ({ id }: Organization) => administrator.post(`/admin/organizations/${id}/verify`)
async function verified(of: { name?: string } = {}): Promise<Organization> {
  const org = await app.world.organization(of)
  expect((await verify(org)).status).toBe(200)
  return org
}
async function billed(org: Organization): Promise<void> {
  const { id } = (await org.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 100 })).data
  expect((await org.staff.post(`/invoices/${id}/finalize`)).status).toBe(200)
}
const invoicesTo = async (...emails: string[]): Promise<number[]> => {
  const counts: number[] = []
  for (const email of emails)
    counts.push((await mailsTo(app, email)).filter(({ subject }) => /invoice|fatura/i.test(subject)).length)
  return counts
}
const questionsTo = async (email: string): Promise<number> =>
  (await mailsTo(app, email)).filter(({ text }) => text.includes('/confirm-contact/')).length
const visit = (method: 'GET' | 'POST', url: string, language = 'en') =>
  app.service.app.inject({
    method,
    url,
    headers: {
      'accept-language': language,
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
  })

/** A contact who was asked, and the link that it got. */
async function asked() {
  const org = await verified({ name: 'Açaí & “Cia”' })
  const email = `link-${org.id}@pay.example`
  const { id } = (await name(org, { role: 'billing', email, language: 'en' })).data
  const token = await askedToken(app, email)
  return { org, id, token, page: `/confirm-contact/${token}`, api: `/public/contacts/${token}` }
}

describe('a contact', () => {
  it('gets no mails before it has confirmed, and those with the scope go on getting them', async () => {
    const org = await verified()
    const email = `contas-${org.id}@pay.example`
    expect((await name(org, { role: 'billing', email })).data).toMatchObject({ gets_mail: false, is_confirmed: false })
    await billed(org)
    expect(await invoicesTo(email, org.owner.email)).toEqual([0, 1])
    await confirmed(app, email)
    expect(await listOf(org)).toMatchObject([{ email, gets_mail: true, is_confirmed: true }])
    await billed(org)
    expect(await invoicesTo(email, org.owner.email)).toEqual([1, 1])
    expect(await deadLetters(app)).toEqual([])
  })
  it('in contacts_payment is asked too, once for each address that is new', async () => {
    const org = await verified()
    const [one, two] = [`one-${org.id}@pay.example`, `two-${org.id}@pay.example`]
    await org.owner.put(`/organizations/${org.id}`, { contacts_payment: one })
    await org.owner.put(`/organizations/${org.id}`, { contacts_payment: `${one}, ${two}`, phone: '1' })
    await org.owner.put(`/organizations/${org.id}`, { phone: '2' })
    expect([await questionsTo(one), await questionsTo(two)]).toEqual([1, 1])
    await billed(org)
    expect(await invoicesTo(one, two, org.owner.email)).toEqual([0, 0, 1])
    await confirmed(app, two)
    await billed(org)
    expect(await invoicesTo(one, two, org.owner.email)).toEqual([0, 1, 1])
  })
  it('is asked once the organization is verified, not before', async () => {
    const org = await app.world.organization()
    const email = `later-${org.id}@pay.example`
    await name(org, { role: 'billing', email })
    expect(await questionsTo(email)).toBe(0)
    await verify(org)
    expect(await questionsTo(email)).toBe(1)
  })
  it('need not confirm who is a member with a verified account and the scope', async () => {
    const org = await verified()
    const clerk = await org.member({ scopes: ['finances'] })
    expect((await name(org, { role: 'billing', email: clerk.email.toUpperCase() })).data.is_confirmed).toBe(true)
    const other = await org.member({ scopes: ['quotes'] })
    expect((await name(org, { role: 'billing', user_id: other.userId })).data.is_confirmed).toBe(false)
    expect([await questionsTo(clerk.email), await questionsTo(other.email)]).toEqual([0, 1])
    await confirmed(app, other.email)
    expect((await listOf(org)).map(({ gets_mail }: Answer['data']) => gets_mail)).toEqual([true, true])
    await app.database.query(`update users set status = 'PENDING' where id = $1`, [clerk.userId])
    await app.database.query(`update collaborators set expired_at = '2020-01-01' where user_id = $1`, [other.userId])
    expect((await listOf(org)).map(({ gets_mail }: Answer['data']) => gets_mail)).toEqual([false, false])
  })
  it('named again has confirmed already; another organization asks anew', async () => {
    const [org, other] = [await verified(), await verified()]
    const email = `again-${org.id}@pay.example`
    const { id } = (await name(org, { role: 'billing', email })).data
    await confirmed(app, email)
    expect((await org.owner.delete(`${pathOf(org)}/${id}`)).status).toBe(200)
    expect((await name(org, { role: 'legal', email })).data.is_confirmed).toBe(true)
    expect((await name(other, { role: 'billing', email })).data.is_confirmed).toBe(false)
    expect(await questionsTo(email)).toBe(2)
  })
  it('that is removed before the mail is sent is not asked any more', async () => {
    const org = await verified()
    const email = `gone-${org.id}@pay.example`
    const { id } = (await name(org, { role: 'billing', email })).data
    await org.owner.delete(`${pathOf(org)}/${id}`)
    expect(await questionsTo(email)).toBe(0)
  })
  it('429 for the sixth question to an address in a day, without a contact that nobody asked', async () => {
    const org = await verified()
    const email = `often-${org.id}@pay.example`
    for (let times = 0; times < 5; times++) {
      const { id } = (await name(org, { role: 'billing', email })).data
      expect((await org.owner.delete(`${pathOf(org)}/${id}`)).status).toBe(200)
    }
    const late = await name(org, { role: 'billing', email })
    expect([late.status, late.errors?.code]).toEqual([429, 'RATE_LIMIT'])
    expect(await listOf(org)).toEqual([])
  })
})

describe('the owner', () => {
  it('is told of a new contact and of a changed field, by whomever, with all contacts as they are', async () => {
    const org = await verified({ name: 'Padaria' })
    const admin = await org.member({ role: 'admin', scopes: ['organization', 'finances'] })
    const told = async () =>
      (await mailsTo(app, org.owner.email)).filter(({ subject }) => subject === 'The contacts of Padaria were changed')
    await admin.post(pathOf(org), { role: 'billing', email: 'eve@evil.example' })
    expect((await told())[0]?.text).toContain('eve@evil.example')
    await org.staff.put(`/organizations/${org.id}`, { contacts_payment: 'caixa@acme.example' })
    expect(await told()).toHaveLength(2)
    expect((await told()).some(({ text }) => text.includes('caixa@acme.example'))).toBe(true)
    await org.staff.put(`/organizations/${org.id}`, { contacts_payment: 'caixa@acme.example', phone: '1' })
    expect(await told()).toHaveLength(2)
    const { data } = await org.owner.get('/me/inbox')
    expect(data.filter(({ kind }: Answer['data']) => kind === 'contacts-changed')).toHaveLength(2)
  })
})

describe('the link', () => {
  it('200: a page in both languages, whose GET confirms nothing and whose POST does, also at once', async () => {
    const { org, page } = await asked()
    for (const [language, words] of [
      ['en', 'Contact of Açaí &amp; “Cia”'],
      ['pt-BR', 'Contato de Açaí &amp; “Cia”'],
    ] as const) {
      const shown = await visit('GET', page, language)
      expect([shown.statusCode, shown.body.includes(words), shown.body.includes('<form method="post"')]).toEqual([
        200,
        true,
        true,
      ])
    }
    expect(await listOf(org)).toMatchObject([{ is_confirmed: false }])
    const posts = await Promise.all([visit('POST', page), visit('POST', page), visit('POST', page, 'pt-BR')])
    expect(posts.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(posts[0]?.body).toContain('Confirmed')
    expect(await listOf(org)).toMatchObject([{ is_confirmed: true }])
    expect((await visit('GET', page)).body).not.toContain('<form')
  })
  it('200 of the endpoints, with what it was named for and without the address', async () => {
    const { org, api } = await asked()
    const expected = { organization_name: 'Açaí & “Cia”', roles: ['billing'], is_confirmed: false }
    expect((await app.world.anonymous.get(api)).data).toEqual(expected)
    expect(await listOf(org)).toMatchObject([{ is_confirmed: false }])
    expect((await app.world.anonymous.post(`${api}/confirm`)).data).toEqual({ ...expected, is_confirmed: true })
  })
  it('404 for a forged or foreign token, a contact that was removed, and an organization that is gone', async () => {
    const [one, other] = [await asked(), await asked()]
    const [org = '', id = '', mac = ''] = (one.token ?? '').split('.')
    const [otherOrg = '', otherId = ''] = (other.token ?? '').split('.')
    for (const forged of [
      `${otherOrg}.${id}.${mac}`,
      `${org}.${otherId}.${mac}`,
      `${otherOrg}.${otherId}.${mac}`,
      `${org}.${id}.${'x'.repeat(43)}`,
      `999999999999999.${id}.${mac}`,
      'nonsense',
    ]) {
      expect((await app.world.anonymous.get(`/public/contacts/${forged}`)).status).toBe(404)
      expect((await app.world.anonymous.post(`/public/contacts/${forged}/confirm`)).status).toBe(404)
      const page = await visit('POST', `/confirm-contact/${forged}`)
      expect([page.statusCode, page.body.includes('Nothing was confirmed')]).toEqual([404, true])
    }
    expect([await listOf(one.org), await listOf(other.org)]).toMatchObject([
      [{ is_confirmed: false }],
      [{ is_confirmed: false }],
    ])
    await one.org.owner.delete(`${pathOf(one.org)}/${one.id}`)
    expect((await app.world.anonymous.post(`${one.api}/confirm`)).status).toBe(404)
    await app.database.query('update organizations set deleted_at = now() where id = $1', [other.org.id])
    expect((await visit('POST', other.page)).statusCode).toBe(404)
    expect((await app.world.anonymous.get(`/public/contacts/${'x'.repeat(101)}`)).status).toBe(404)
  })
})

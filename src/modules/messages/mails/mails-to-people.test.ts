// The organization's own list of the mails to its people.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { entitlement } from '#test/scenes/licenses.ts'

const app = await appOfFile({ environment: { SUPPORT_EMAIL: 'support@vendor.example' } })
const acme = await app.world.organization()
const admin = await acme.member({ role: 'admin', scopes: ['organization', 'quotes'] })

const listOf = async (who: Speaker, query = ''): Promise<Answer['data']> => {
  await app.service.worker.drain()
  const { status, data, raw } = await who.get(`/mails${query}`)
  expect(status, raw.body).toBe(200)
  return data
}
const kindsOf = async (who: Speaker, query = '') =>
  (await listOf(who, query)).map(({ kind }: Answer['data']) => kind).toSorted()

describe('GET /mails', () => {
  it('200 with recipient, subject and status, without text, error and what staff did', async () => {
    const quote = await sentQuote(acme)
    const listed = await listOf(admin, `?email=${admin.email.toUpperCase()}&kind=quote-sent&status=sent`)
    expect(listed).toEqual([
      {
        id: expect.any(Number),
        kind: 'quote-sent',
        resource_id: quote,
        user_id: admin.userId,
        email: admin.email.toLowerCase(),
        status: 'sent',
        subject: expect.stringContaining('uote'),
        attempts: 1,
        created_at: app.clock.now.toISOString(),
        sent_at: app.clock.now.toISOString(),
      },
    ])
    expect(await listOf(admin, '?status=refused')).toEqual([])
    expect(await listOf(admin, '?kind=invoice-open')).toEqual([])
  })
  it('200 only of kinds whose records the caller may read', async () => {
    const org = await app.world.organization()
    const money = await org.member({ role: 'admin', scopes: ['organization', 'finances'] })
    await org.owner.post(`/organizations/${org.id}/collaborators`, { email: 'new@x.example', role: 'member' })
    await sentQuote(org)
    await org.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 100, status: 'open' })
    expect(await kindsOf(money)).toEqual(expect.arrayContaining(['invite', 'invoice-open']))
    expect(await kindsOf(money)).not.toContain('quote-sent')
    expect(await kindsOf(org.owner)).toEqual(expect.arrayContaining(['invite', 'invoice-open', 'quote-sent']))
  })
  it('200 without mails to staff and to the support desk, and about tickets for who sees their own only', async () => {
    const org = await app.world.organization()
    const all = await app.world.user({ roles: ['customer', 'administrator'] })
    const hosting = await entitlement(org, { class: 'ENV' })
    const opened = await org.owner.post('/tickets', { title: 'Slow', entitlement_id: hosting.id })
    expect(opened.status).toBe(201)
    await org.staff.post(`/tickets/${opened.data.id}/comments`, { body: 'We look at it' })
    expect(await kindsOf(org.owner)).toEqual(['ticket-commented'])
    const ofStaff = await all.get(`/admin/mails?organization_id=${org.id}&kind=ticket-opened`)
    expect(ofStaff.data).toMatchObject([{ email: 'support@vendor.example' }])
    const careful = await org.member({ role: 'admin', scopes: ['organization', 'tickets'] })
    expect(await kindsOf(careful)).toEqual(['ticket-commented'])
    await app.database.query(`update collaborators set ticket_visibility = 'own' where user_id = $1`, [careful.userId])
    expect(await kindsOf(careful)).toEqual([])
  })
  it('200 with mails to addresses that the organization has named, once it is verified', async () => {
    const org = await app.world.organization()
    const email = 'accounts@acme.example'
    const named = await org.owner.post(`/organizations/${org.id}/contacts`, { role: 'billing', email, language: 'en' })
    expect(named.status).toBe(201)
    await app.database.query(`update organizations set verification_status = 'verified' where id = $1`, [org.id])
    await app.database.query(
      `insert into contact_confirmations (organization_id, email, asked_at, confirmed_at) values ($1, $2, now(), now())`,
      [org.id, email],
    )
    await org.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 100, status: 'open' })
    expect(await listOf(org.owner, `?status=sent&email=${email}`)).toMatchObject([
      { kind: 'invoice-open', email, user_id: null, status: 'sent' },
    ])
  })
  it('200 with nothing of another organization, nor about accounts', async () => {
    const other = await app.world.organization()
    await app.world.anonymous.post('/auth/forgot-password', { email: other.owner.email })
    await sentQuote(acme)
    expect(await listOf(other.owner)).toEqual([])
  })
  it('403 below admin, and without the scope', async () => {
    const member = await acme.member({ scopes: ['organization'] })
    expect((await member.get('/mails')).errors?.reason).toBe('role_too_low')
    const other = await acme.member({ role: 'admin', scopes: ['quotes'] })
    expect((await other.get('/mails')).errors).toMatchObject({ missing: { scopes: ['organization'] } })
  })
})

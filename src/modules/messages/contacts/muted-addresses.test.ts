// The link in a mail to a contact without an account: what it switches off, and for whom.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailMessage } from '#ports/mail.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let administrator: Speaker
let nobody: Speaker
const sent: MailMessage[] = []
beforeAll(async () => {
  app = await startApp({ ports: { mail: { send: async (message: MailMessage) => void sent.push(message) } } })
  administrator = await app.world.user({ roles: ['customer', 'administrator'] })
  nobody = app.world.anonymous
})
afterAll(() => app.close())

const mailsTo = async (email: string) => {
  await app.service.worker.drain()
  return sent.filter(({ to, subject }) => to === email && !/contacts? of /.test(subject))
}
const contactsOf = async ({ id, owner }: Organization) =>
  (await owner.get(`/organizations/${id}/contacts`)).data.contacts
const later = (hours: number): string => new Date(app.clock.now.getTime() + hours * 3_600_000).toISOString()

/** A verified organization with an environment, and what plans a maintenance of it. */
async function hosted() {
  const org = await app.world.organization({ name: 'Açaí & “Cia”' })
  await administrator.post(`/admin/organizations/${org.id}/verify`)
  const product = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', organization_id: org.id }
  const { id: entitlement_id } = (await org.staff.post('/entitlements', product)).data
  const campus = { name: 'Campus', platform: 'moodle', environment_type: 'production', status: 'active' }
  const { id } = (await org.staff.post('/environments', { ...campus, entitlement_id })).data
  let planned = 0
  const plan = async () => {
    const window = { starts_at: later(++planned * 4), ends_at: later(planned * 4 + 1) }
    expect((await org.staff.post(`/environments/${id}/maintenance-windows`, window)).status).toBe(201)
  }
  const address = `hosting-${org.id}@acme.example`
  const name = async (email: string, role = 'technical') => {
    const named = await org.owner.post(`/organizations/${org.id}/contacts`, { role, email, language: 'en' })
    await confirm(org, email)
    return named
  }
  return { org, plan, name, address }
}
/** The question is not in a mailbox of the sandbox here. */
const confirm = ({ id }: Organization, email: string) =>
  app.database.query(
    `update contact_confirmations set confirmed_at = now() where organization_id = $1 and email = lower($2)`,
    [id, email],
  )
/** The contact has got a mail. */
async function mailed() {
  const scene = await hosted()
  expect((await scene.name(scene.address)).status).toBe(201)
  await scene.plan()
  const [mail] = await mailsTo(scene.address)
  const path = new URL(mail?.unsubscribeUrl ?? 'none:').pathname
  return { ...scene, mail, path, token: path.split('/').at(-1) ?? '' }
}
const windowsOf = async ({ owner }: Organization) =>
  `/environments/${(await owner.get('/environments')).data[0].id}/maintenance-windows`
const windowOf = async (org: Organization): Promise<number> => (await org.owner.get(await windowsOf(org))).data[0].id
/** As the job that finds the recipients leaves it behind. */
const enqueue = ({ id }: Organization, mail: string, resourceId: number) =>
  app.database.query(
    `insert into jobs (organization_id, kind, payload, run_at) values ($1, 'notifications/mail', $2, $3)`,
    [id, JSON.stringify({ mail, resource_id: resourceId, user_id: null }), app.clock.now],
  )
const click = (path: string, payload = 'List-Unsubscribe=One-Click') =>
  app.service.app.inject({
    method: 'POST',
    url: path,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const put = (token: string, mail = false) => nobody.put(`/public/notices/${token}`, { mail })

describe('a mail to a contact without an account', () => {
  it('has the link in its header and in its footer', async () => {
    const { mail } = await mailed()
    expect(mail?.text).toContain(`No more e-mails of this kind:\n${mail?.unsubscribeUrl}`)
    expect(mail?.html).toContain(`href="${mail?.unsubscribeUrl}"`)
  })
  it('has none where it is mandatory, or for legal matters', async () => {
    const { org, name } = await hosted()
    const [billing, legal] = [`billing-${org.id}@acme.example`, `legal-${org.id}@acme.example`]
    await name(billing, 'billing')
    await name(legal, 'legal')
    await org.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 100, status: 'open' })
    const terms = { title: 'Hosting', start_date: '2026-01-01', end_date: '2098-12-31' }
    const { id } = (await org.staff.post('/contracts', terms)).data
    expect((await org.staff.post(`/contracts/${id}/status`, { status: 'active' })).status).toBe(200)
    await enqueue(org, 'contract-ending', id)
    for (const email of [billing, legal]) {
      const mails = await mailsTo(email)
      expect(mails).toHaveLength(1)
      expect(mails[0]?.unsubscribeUrl).toBeUndefined()
      expect(mails[0]?.text).not.toContain('unsubscribe')
    }
  })
})

describe('the link', () => {
  it('200 by one click: no more mails of the kind, which go to the members; the list says so; on again by the page', async () => {
    const { org, plan, path, address } = await mailed()
    expect(await mailsTo(org.owner.email)).toEqual([])
    expect((await click(path)).statusCode).toBe(200)
    await plan()
    expect([(await mailsTo(address)).length, (await mailsTo(org.owner.email)).length]).toEqual([1, 1])
    expect(await contactsOf(org)).toMatchObject([
      { email: address, gets_mail: true, switched_off: ['maintenance-scheduled'] },
    ])
    expect((await click(path, 'mail=on')).statusCode).toBe(200)
    await plan()
    expect([(await mailsTo(address)).length, (await mailsTo(org.owner.email)).length]).toEqual([2, 1])
    expect(await contactsOf(org)).toMatchObject([{ switched_off: [] }])
  })
  it('switches off for its address only, and leaves the other kinds', async () => {
    const { org, plan, name, path, address } = await mailed()
    const other = `other-${org.id}@acme.example`
    await name(other)
    await click(path)
    await plan()
    expect([(await mailsTo(address)).length, (await mailsTo(other)).length]).toEqual([1, 1])
    const cancel = `${await windowsOf(org)}/${await windowOf(org)}/cancel`
    expect((await org.staff.post(cancel)).status).toBe(200)
    expect((await mailsTo(address)).at(-1)?.unsubscribeUrl).toContain('.maintenance-cancelled.')
  })
  it('a mail that was queued before is not sent any more', async () => {
    const { org, path, address } = await mailed()
    await click(path)
    await enqueue(org, 'maintenance-scheduled', await windowOf(org))
    await enqueue(org, 'maintenance-changed', await windowOf(org))
    expect((await mailsTo(address)).map(({ unsubscribeUrl: url }) => /maintenance-\w+/.exec(url ?? '')?.[0])).toEqual([
      'maintenance-scheduled',
      'maintenance-changed',
    ])
  })
  it('counts for an address in contacts_support, in whatever case it is written', async () => {
    const { org, plan } = await hosted()
    const address = `Field-${org.id}@Acme.example`
    await org.owner.put(`/organizations/${org.id}`, { contacts_support: `Help <${address}>` })
    await confirm(org, address)
    await plan()
    const [mail] = await mailsTo(address)
    expect((await click(new URL(mail?.unsubscribeUrl ?? 'none:').pathname)).statusCode).toBe(200)
    await plan()
    expect(await mailsTo(address)).toHaveLength(1)
    await org.owner.put(`/organizations/${org.id}`, { contacts_support: address.toLowerCase() })
    expect(await contactsOf(org)).toMatchObject([{ switched_off: ['maintenance-scheduled'] }])
  })
  it('stays off when the contact is removed and named again', async () => {
    const { org, plan, name, path, address } = await mailed()
    await click(path)
    const [{ id }] = await contactsOf(org)
    expect((await org.owner.delete(`/organizations/${org.id}/contacts/${id}`)).status).toBe(200)
    expect((await click(path, 'mail=on')).statusCode).toBe(404)
    await name(address)
    await plan()
    expect(await mailsTo(address)).toHaveLength(1)
  })
  it('opens a page that speaks of a contact, and switches nothing off', async () => {
    const { org, path } = await mailed()
    for (const [language, words] of [
      ['en', 'as a contact of Açaí &amp; “Cia”'],
      ['pt-BR', 'como contato de Açaí &amp; “Cia”'],
    ]) {
      const page = await app.service.app.inject({ url: path, headers: { 'accept-language': language } })
      expect([page.statusCode, page.body.includes(words ?? '')]).toEqual([200, true])
    }
    expect(await contactsOf(org)).toMatchObject([{ switched_off: [] }])
  })
  it('200 of many at once', async () => {
    const { org, token } = await mailed()
    const answers = await Promise.all(Array.from({ length: 32 }, () => put(token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers[0]?.data).toEqual({
      kind: 'maintenance-scheduled',
      name: 'Announced maintenance',
      organization_name: 'Açaí & “Cia”',
      mail: false,
      has_inbox: false,
    })
    expect(await contactsOf(org)).toMatchObject([{ switched_off: ['maintenance-scheduled'] }])
  })
  it('404 once the address is no contact, the organization is gone, or for another organization, kind or account in it', async () => {
    const [one, other] = [await mailed(), await mailed()]
    const [org, account, kind, mac] = one.token.split('.')
    expect(account).toBe('0')
    for (const forged of [
      [other.org.id, account, kind, mac],
      [org, one.org.owner.userId, kind, mac],
      [org, account, 'maintenance-cancelled', mac],
      [org, account, 'invoice-open', mac],
      [org, account, 'contract-ending', mac],
      [org, account, 'quote-sent', mac],
      [org, account, kind, 'x'.repeat(43)],
      ['999999999999999', account, kind, mac],
    ])
      expect((await put(forged.join('.'))).status).toBe(404)
    expect(await contactsOf(one.org)).toMatchObject([{ switched_off: [] }])
    await app.database.query('update organizations set deleted_at = now() where id = $1', [other.org.id])
    expect((await put(other.token)).status).toBe(404)
  })
})

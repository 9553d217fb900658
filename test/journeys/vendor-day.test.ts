// An hour of a vendor's day: each role of staff does its work over HTTP, and is refused what is not theirs.
import { describe, expect, it } from 'vitest'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import { appOfFile } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Speaker } from '#test/harness/world.ts'
import type { StaffRoleName } from '#kernel/values/staff-roles.ts'

const PASSWORD = 'um cavalo correto'
const PEOPLE = ['support', 'sales', 'finance', 'operations', 'auditor'] as const

let people: Record<(typeof PEOPLE)[number], Speaker>
/** Made on the way: each person works on what the one before has left. */
const made = { quote: 0, order: 0, invoice: 0, license: 0, hosting: 0, ticket: 0 }

const app = await appOfFile()
const boss = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })
const acme = await app.world.organization({ name: 'Acme' })

/** Appointed by mail, verified by the link, and signed in with a password of their own. */
async function hired(role: StaffRoleName): Promise<Speaker> {
  const email = `${role}@vendor.example`
  const { anonymous, speaker, inside } = app.world
  const { data } = await boss.post('/admin/staff', { email, name: role, roles: [role], reason: 'Starts today' })
  const link = await mailboxOf(app).link(email, '/verify-account')
  const { data: verified } = await anonymous.post('/auth/verify-account', link)
  await anonymous.post('/auth/reset-password', { email, key: verified.reset_key, password: PASSWORD })
  const { data: tokens } = await anonymous.post('/auth/login', { email, password: PASSWORD })
  const token: string = tokens.access_token
  return inside(speaker({ authorization: `Bearer ${token}` }, { userId: data.id, email, token }), acme.id)
}

/** Refused with the scope that is missing, and those who can help. */
async function expectRefused(answer: ReturnType<Speaker['get']>, scope: string, roles: string): Promise<void> {
  const { status, message, errors } = await answer
  expect([status, errors?.code]).toEqual([403, 'AUTHORIZATION_ERROR'])
  expect(message).toBe(`Scope not authorized: ${scope}. An administrator of the vendor can grant the role ${roles}`)
}

const doneBy = async (answer: ReturnType<Speaker['get']>, status = 200) => {
  const { data, raw, ...rest } = await answer
  expect(rest.status, raw.body).toBe(status)
  return data
}

const invite = (scopes: object, role = 'member') =>
  people.sales.post(`/organizations/${acme.id}/collaborators`, { email: 'friend@example.com', role, ...scopes })

describe('the day of the vendor', () => {
  it('begins with the administrator, who appoints five people', async () => {
    const hires = await Promise.all(PEOPLE.map(async (role) => [role, await hired(role)] as const))
    people = Object.fromEntries(hires) as typeof people
    const staff = await doneBy(boss.get('/admin/staff'))
    const roles = staff.map((one: { roles: string[] }) => one.roles.join())
    expect(roles).toEqual(expect.arrayContaining(['administrator', ...PEOPLE]))
    expect((await doneBy(people.sales.get('/auth/me'))).roles).toEqual(['customer', 'sales'])
  })

  it('sales offer, and bill nothing', async () => {
    const { sales } = people
    const hosting = { ...LICENSE_LINE, product_name: 'Campus', entitlement_class: 'ENV' }
    const line_items = [LICENSE_LINE, hosting]
    const quote = await doneBy(sales.post('/quotes', { currency: 'BRL', valid_until: '2099-12-31', line_items }), 201)
    made.quote = quote.id
    await doneBy(sales.post(`/quotes/${quote.id}/send`))
    await doneBy(sales.put(`/organizations/${acme.id}`, { phone: '+55 11 5555 0100' }))
    await expectRefused(sales.get('/invoices'), 'finances:read', 'finance or auditor')
    await expectRefused(sales.get('/admin/invoices'), 'finances:read', 'finance or auditor')
    await expectRefused(sales.post('/invoices', {}), 'finances:write', 'finance')
    await expectRefused(sales.post('/entitlements', {}), 'entitlements:write', 'operations')
    await expectRefused(sales.post('/admin/products', {}), 'catalogue:write', 'administrator')
  })

  it('the customer accepts; what a cancellation would bring about is for whoever may do all of it', async () => {
    made.order = (await doneBy(acme.owner.post(`/quotes/${made.quote}/accept`))).order_id
    const path = `/quotes/${made.quote}/cancel?dry_run=true`
    const { records } = await doneBy(acme.staff.post(path))
    expect(records.map(({ resource }: { resource: string }) => resource)).toContain('invoice')
    await expectRefused(people.sales.post(path), 'orders:write', 'finance')
  })

  it('finance take the money', async () => {
    const { finance } = people
    const [invoice] = await doneBy(finance.get(`/invoices/order/${made.order}`))
    made.invoice = invoice.id
    await doneBy(finance.post(`/invoices/${invoice.id}/pay`, {}))
    await app.service.worker.drain()
    // The archived documents follow some seconds later.
    app.clock.advance(6)
    await app.service.worker.drain()
    expect((await doneBy(finance.get('/admin/invoices'))).map(({ id }: { id: number }) => id)).toEqual([invoice.id])
    expect((await doneBy(finance.get(`/quotes/${made.quote}`))).status).toBe('fulfilled')
    await expectRefused(finance.post('/quotes', {}), 'quotes:write', 'sales')
    await expectRefused(finance.get('/tickets'), 'tickets:read', 'support or sales or operations or auditor')
    await expectRefused(finance.get('/admin/users'), 'users:read', 'support or sales or operations or auditor')
  })

  it('operations deliver, and see no figures', async () => {
    const { operations } = people
    const entitlements = await doneBy(operations.get('/entitlements'))
    made.hosting = entitlements.find((one: { class: string }) => one.class === 'ENV').id
    const [environment] = await doneBy(operations.get('/environments'))
    await doneBy(operations.patch(`/environments/${environment.id}`, { url: 'https://campus.example' }))
    await doneBy(operations.get('/admin/jobs'))
    await expectRefused(operations.get('/orders'), 'orders:read', 'sales or finance or auditor')
    await expectRefused(operations.get('/account-statement'), 'finances:read', 'finance or auditor')
    await expectRefused(operations.put('/admin/business-hours/entity_br', {}), 'settings:write', 'administrator')
  })

  it('support help, and see neither orders nor invoices, whatever they look through', async () => {
    const { support } = people
    const ticket = await doneBy(
      support.post('/tickets', { title: 'The campus is slow', entitlement_id: made.hosting }),
      201,
    )
    made.ticket = ticket.id
    await doneBy(support.post(`/tickets/${ticket.id}/comments`, { body: 'Disk is full', internal: true }), 201)
    const [license] = await doneBy(support.get('/licenses'))
    made.license = license.id
    await doneBy(support.post(`/licenses/${license.id}/activate`, { domain: 'https://acme.example' }))
    for (const path of ['/invoices', '/payments', '/credit-notes', '/account-statement', '/affiliates'])
      await expectRefused(support.get(path), 'finances:read', 'finance or auditor')
    await expectRefused(support.get('/orders'), 'orders:read', 'sales or finance or auditor')
    await expectRefused(support.get('/quotes'), 'quotes:read', 'sales or finance or auditor')
    await expectRefused(
      support.get(`/entitlements/${license.entitlement_id}/orders`),
      'orders:read',
      'sales or finance or auditor',
    )
    await expectRefused(support.post(`/entitlements/${made.hosting}/suspend`, {}), 'entitlements:write', 'operations')
  })

  it('support find no money by search, lineage, events, audit log and documents either', async () => {
    const { support } = people
    const { number } = await doneBy(people.finance.get(`/invoices/${made.invoice}`))
    expect(await doneBy(people.finance.get(`/search?q=${number}`))).toMatchObject([{ kind: 'invoice' }])
    expect(await doneBy(support.get(`/search?q=${number}`))).toEqual([])
    expect((await doneBy(people.finance.get(`/entitlements/${made.hosting}/lineage`))).invoices).toHaveLength(1)
    const lineage = await doneBy(support.get(`/entitlements/${made.hosting}/lineage`))
    expect([lineage.order, lineage.invoices, lineage.quote]).toEqual([null, null, null])
    expect((await support.get(`/lineage?invoice=${number}`)).status).toBe(404)
    const kindsIn = async (who: Speaker, path: string, field: 'events' | null) => {
      const data = await doneBy(who.get(path))
      return new Set((field ? data[field] : data).map((one: { resource: string }) => one.resource))
    }
    const MONEY = ['invoice', 'order', 'quote', 'payment']
    for (const [path, field] of [
      ['/events?per_page=100', 'events'],
      ['/audit-log?per_page=100', null],
    ] as const) {
      const [seen, all] = [await kindsIn(support, path, field), await kindsIn(people.auditor, path, field)]
      expect(
        MONEY.filter((kind) => seen.has(kind)),
        path,
      ).toEqual([])
      expect(seen.has('ticket'), path).toBe(true)
      expect(all.has('invoice'), path).toBe(true)
    }
    const filed = async (who: Speaker) =>
      (await doneBy(who.get('/documents?source=archived&per_page=100'))).map(
        (one: { record: { resource: string } }) => one.record.resource,
      )
    expect(await filed(people.auditor)).toContain('invoice')
    expect(await filed(support)).not.toContain('invoice')
  })

  it('the auditor sees everything and changes nothing', async () => {
    const { auditor } = people
    for (const path of [
      `/invoices/${made.invoice}`,
      `/orders/${made.order}`,
      `/tickets/${made.ticket}/comments`,
      `/licenses/${made.license}`,
      '/admin/audit-log?log=service',
      '/admin/events',
      '/admin/staff',
      '/admin/webhook-endpoints',
    ])
      await doneBy(auditor.get(path))
    await expectRefused(auditor.post(`/tickets/${made.ticket}/comments`, {}), 'tickets:write', 'support or operations')
    await expectRefused(auditor.post(`/invoices/${made.invoice}/void`, {}), 'finances:write', 'finance')
    await expectRefused(auditor.put(`/organizations/${acme.id}`, {}), 'organization:write', 'sales')
    await expectRefused(auditor.post('/admin/staff', {}), 'staff:write', 'administrator')
  })

  it('nobody gives away what they lack', async () => {
    expect((await invite({ can_manage_finances: true })).message).toBe('The scope finances is not yours to grant')
    expect((await invite({ can_manage_orders: true })).message).toBe('The scope orders is not yours to grant')
    expect((await invite({}, 'owner')).status).toBe(403)
    await doneBy(invite({ can_manage_quotes: true }), 201)
  })

  it('the day ends: support leave, at once, and the customer reads who was there', async () => {
    await doneBy(boss.delete(`/admin/staff/${people.support.userId}?reason=End of the contract`))
    expect((await people.support.get('/tickets')).status).toBe(403)
    const entries = await doneBy(acme.owner.get('/audit-log?action=staff_entry&per_page=100'))
    const visitors = new Set(entries.map((one: { actor_id: number }) => one.actor_id))
    for (const { userId } of Object.values(people)) expect(visitors).toContain(userId)
  })
})

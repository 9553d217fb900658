// Accounts of affiliates: how they are opened, changed by staff, and follow their entitlement.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'
import { affiliateIn } from '#test/scenes/affiliates.ts'
import { acceptedQuote, buyerOf, eventually } from '#test/scenes/commerce.ts'

const app = await appOfFile()
const partner = await app.world.organization()
const acme = await app.world.organization()

const NO_MONEY = { earned: '0.00', reversed: '0.00', paid_out: '0.00', reserved: '0.00', balance: '0.00' }
const account = async (id: number) => (await partner.owner.get(`/affiliates/${id}`)).data
const entitlementOf = async ({ entitlement_id }: { entitlement_id: number }) =>
  (await partner.owner.get(`/entitlements/${entitlement_id}`)).data

describe('POST /affiliates', () => {
  const BODY = { company: 'entity_global', currency: 'USD', commission_rate: '7.50' }

  it('201 with an AFL entitlement of the same code', async () => {
    const { status, data } = await partner.staff.post('/affiliates', { ...BODY, organization_id: partner.id })
    expect([status, data]).toEqual([201, { ...data, ...BODY, ...NO_MONEY, available: '0.00', status: 'active' }])
    expect(data.code).toMatch(/^AFL-\d{10,}$/)
    const about = { class: 'AFL', code: data.code, product_name: 'Affiliate program', company: 'entity_global' }
    expect(await entitlementOf(data)).toMatchObject(about)
    expect((await partner.staff.post('/affiliates', { ...BODY, currency: 'JPY' })).data.balance).toBe('0')
  })
  it('403 for customers; 422 names every bad field', async () => {
    expect((await partner.owner.post('/affiliates', BODY)).status).toBe(403)
    const bad = { company: 'entity_xx', currency: 'REAL', commission_rate: '101', product_name: '', rate: '1' }
    const refused = await partner.staff.post('/affiliates', bad)
    expect([refused.status, Object.keys(refused.errors?.fields ?? {}).toSorted()]).toEqual([
      422,
      Object.keys(bad).toSorted(),
    ])
    expect((await partner.staff.post('/affiliates', { ...BODY, organization_id: acme.id })).status).toBe(422)
  })
})

async function created(company: string): Promise<Answer['data']> {
  const body = { class: 'AFL', product_name: 'Partner', organization_id: partner.id, company }
  return (await partner.staff.post('/entitlements', body)).data
}
const accountOf = async ({ code }: { code: string }) =>
  (await partner.owner.get('/affiliates')).data.find((one: { code: string }) => one.code === code)

describe('an AFL entitlement', () => {
  it.each([
    ['entity_br', 'BRL'],
    ['entity_global', 'USD'],
  ])('by hand opens an account that earns nothing yet, in the currency of %s', async (company, currency) => {
    const { id, code } = await created(company)
    const opened = { entitlement_id: id, company, currency, commission_rate: '0.00', status: 'active', ...NO_MONEY }
    expect(await accountOf({ code })).toMatchObject(opened)
  })
  it('that was bought opens one in the currency of the quote', async () => {
    const buyer = await buyerOf(partner)
    const line = { product_name: 'Partner', quantity: 1, unit_price: '10.00', entitlement_class: 'AFL' }
    const sale = await acceptedQuote(app, partner, buyer, { currency: 'EUR', line_items: [line] })
    await partner.staff.post(`/invoices/${sale.invoice_id}/pay`, {})
    const look = async () => (await buyer.get(`/orders/${sale.order_id}`)).data
    const order = await eventually(app, look, ({ status }) => status === 'completed')
    expect(await accountOf(order.entitlements[0])).toMatchObject({ currency: 'EUR', company: 'entity_br' })
  })
  it('suspends and resumes its account, and closes it when it is cancelled', async () => {
    const { id, entitlement_id } = await affiliateIn(partner)
    const act = (name: string) => partner.staff.post(`/entitlements/${entitlement_id}/${name}`)
    for (const [name, status] of [
      ['suspend', 'suspended'],
      ['resume', 'active'],
      ['suspend', 'suspended'],
      ['cancel', 'closed'],
    ] as const) {
      expect((await act(name)).status, name).toBe(200)
      expect((await account(id)).status, name).toBe(status)
    }
  })
  it('suspends its account at its end, and resumes it when it is renewed', async () => {
    const { id, entitlement_id } = await affiliateIn(partner)
    const ended = new Date(app.clock.now.getTime() - 1000).toISOString()
    await partner.staff.patch(`/entitlements/${entitlement_id}`, { expires_at: ended })
    await app.database.query(`insert into jobs (kind, run_at) values ('entitlements/expire', $1)`, [app.clock.now])
    await app.service.worker.drain()
    expect((await account(id)).status).toBe('suspended')
    await partner.staff.post(`/entitlements/${entitlement_id}/renew`, { expires_at: null })
    expect((await account(id)).status).toBe('active')
  })
  it('does not resume an account that staff suspended', async () => {
    const { id, entitlement_id } = await affiliateIn(partner)
    await partner.staff.patch(`/affiliates/${id}`, { status: 'suspended' })
    await partner.staff.post(`/entitlements/${entitlement_id}/suspend`)
    await partner.staff.post(`/entitlements/${entitlement_id}/resume`)
    expect((await account(id)).status).toBe('suspended')
  })
})

describe('an account whose entitlement is not active', () => {
  it('409 for making it active, until the entitlement is', async () => {
    const { id, entitlement_id } = await affiliateIn(partner)
    await partner.staff.post(`/entitlements/${entitlement_id}/suspend`)
    const refused = await partner.staff.patch(`/affiliates/${id}`, { status: 'active' })
    expect([refused.status, refused.errors?.reason]).toEqual([409, 'entitlement_not_active'])
    expect((await partner.staff.patch(`/affiliates/${id}`, { commission_rate: '3.00' })).status).toBe(200)
    await partner.staff.post(`/entitlements/${entitlement_id}/resume`)
    expect((await account(id)).status).toBe('active')
  })
  it('stays suspended after it when staff have suspended it meanwhile', async () => {
    const { id, entitlement_id } = await affiliateIn(partner)
    await partner.staff.post(`/entitlements/${entitlement_id}/suspend`)
    expect((await partner.staff.patch(`/affiliates/${id}`, { status: 'suspended' })).status).toBe(200)
    await partner.staff.post(`/entitlements/${entitlement_id}/resume`)
    expect((await account(id)).status).toBe('suspended')
    expect((await partner.staff.patch(`/affiliates/${id}`, { status: 'active' })).data.status).toBe('active')
  })
})

describe('GET /affiliates', () => {
  it('200 filters by status; 404 for an account of another organization', async () => {
    const { id, code } = await affiliateIn(partner)
    await partner.staff.patch(`/affiliates/${id}`, { status: 'closed' })
    const { data } = await partner.owner.get('/affiliates?status=closed')
    expect(data[0]).toMatchObject({ id, code, commission_rate: '12.50' })
    for (const path of ['', '/referrals', '/statement', '/statement/pdf', '/payouts'])
      expect((await acme.owner.get(`/affiliates/${id}${path}`)).status, path).toBe(404)
  })
})

describe('PATCH /affiliates/{id}', () => {
  it('200 for staff: changes the rate, suspends, resumes, and closes for good', async () => {
    const { id } = await affiliateIn(partner)
    const at = `/affiliates/${id}`
    expect((await partner.staff.patch(at, { commission_rate: '7.25', status: 'suspended' })).data).toMatchObject({
      commission_rate: '7.25',
      status: 'suspended',
      balance: '0.00',
    })
    expect((await partner.staff.patch(at, { status: 'active' })).data.status).toBe('active')
    expect((await partner.staff.patch(at, { status: 'closed' })).data.status).toBe('closed')
    const refused = await partner.staff.patch(at, { status: 'active', commission_rate: '9.00' })
    expect(refused.status).toBe(409)
    expect((await partner.staff.get(at)).data).toMatchObject({ status: 'closed', commission_rate: '7.25' })
  })
  it('403 for customers, 422 for an invalid rate, 404 in another organization', async () => {
    const { id } = await affiliateIn(partner)
    expect((await partner.owner.patch(`/affiliates/${id}`, { commission_rate: '50.00' })).status).toBe(403)
    for (const commission_rate of ['101', '-1', '1.234', 12, null])
      expect((await partner.staff.patch(`/affiliates/${id}`, { commission_rate })).status).toBe(422)
    expect((await acme.staff.patch(`/affiliates/${id}`, { commission_rate: '1.00' })).status).toBe(404)
  })
})

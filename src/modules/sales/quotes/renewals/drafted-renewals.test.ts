// Quotes of a next term, drafted before the end: when, how often, for what and at which price.
import { describe, expect, it } from 'vitest'
import { shifted } from '#test/harness/shifted.ts'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { buyerOf, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { product } from '#test/scenes/releases.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

const DESK = 'desk@titular.example'
const ZONE = 'America/Sao_Paulo'

let acme: Organization
let buyer: Speaker

const app = await appOfFile({ environment: { SUPPORT_EMAIL: DESK } })
await app.service.worker.start()
await app.service.worker.drain()
await app.database.query(`delete from jobs where every_seconds is not null and kind <> 'quotes/renewals'`)

async function newcomer(): Promise<void> {
  acme = await app.world.organization()
  buyer = await buyerOf(acme)
}

/** Accepted and paid by hand; the entitlements. */
async function sold(...lines: object[]): Promise<Answer['data'][]> {
  const quote = await sentQuote(acme, { line_items: lines })
  const accepted = await buyer.post(`/quotes/${quote}/accept`)
  expect(accepted.status, accepted.raw.body).toBe(200)
  await app.service.worker.drain()
  await paid(quote)
  const { entitlement_ids } = (await buyer.get(`/quotes/${quote}`)).data
  return Promise.all(entitlement_ids.map(async (id: number) => (await buyer.get(`/entitlements/${id}`)).data))
}

async function paid(quote: number): Promise<void> {
  const { invoice_id } = (await buyer.get(`/quotes/${quote}/payment`)).data
  expect((await acme.staff.post(`/invoices/${invoice_id}/pay`, { payment_method: 'bank_transfer' })).status).toBe(200)
  await app.service.worker.drain()
}

/** The term began a year before the end, which is so many days from now. */
async function endsIn(days: number, entitlements: readonly { id: number }[]): Promise<string> {
  const end = new Date(app.clock.now.getTime() + days * 86_400_000)
  await app.database.query(
    `update entitlements set expires_at = $2, created_at = $2::timestamptz - interval '1 year' where id = any($1)`,
    [entitlements.map(({ id }) => id), end],
  )
  return end.toISOString()
}

const dueAgain = () =>
  app.database.query(`update jobs set run_at = $1, lease = null, leased_until = null where every_seconds is not null`, [
    app.clock.now,
  ])

async function drafts(): Promise<Answer['data'][]> {
  await dueAgain()
  await app.service.worker.drain()
  const { data } = await acme.staff.get('/quotes?status=draft&per_page=100')
  return Promise.all(data.map(async ({ id }: { id: number }) => (await acme.staff.get(`/quotes/${id}`)).data))
}

describe('the draft of a renewal', () => {
  it('is one for what an order has sold, as it was sold, with a mail to staff; the customer does not see it', async () => {
    await newcomer()
    const one = { ...LICENSE_LINE, discount: '10.00', tax_percent: '5.00' }
    const bought = await sold(one, { ...LICENSE_LINE, quantity: 2, term_months: 24 })
    expect(await drafts()).toEqual([])
    const end = await endsIn(45, bought)
    const [quote, ...others] = await drafts()
    expect(others).toEqual([])
    expect(quote).toMatchObject({
      currency: 'BRL',
      company: 'entity_br',
      valid_until: new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(new Date(end)),
      line_items: [
        { quantity: 5, unit_price: '30.00', discount: '10.00', tax_rate: '5.00', term_months: 12, is_renewal: true },
        { quantity: 2, unit_price: '30.00', term_months: 24, is_renewal: true },
      ],
      total: '207.00',
    })
    const codes = bought.map(({ code }) => code)
    expect(quote.line_items.map((line: Answer['data']) => line.entitlement_code)).toEqual(codes)
    expect((await buyer.get(`/quotes/${quote.id}`)).status).toBe(404)
    const about = (await mailsTo(app, DESK)).filter(({ text }) => text.includes(quote.number))
    expect(about).toHaveLength(1)
    for (const code of codes) expect(about[0]?.text).toContain(code)
  })
  it('extends what it names once it is sent and paid, and the next end has its own', async () => {
    await newcomer()
    const [one] = await sold(LICENSE_LINE)
    await endsIn(20, [one])
    const [quote] = await drafts()
    await acme.staff.post(`/quotes/${quote.id}/send`)
    await buyer.post(`/quotes/${quote.id}/accept`)
    await app.service.worker.drain()
    await paid(quote.id)
    const { expires_at } = (await buyer.get(`/entitlements/${one.id}`)).data
    expect(Date.parse(expires_at) - app.clock.now.getTime()).toBeGreaterThan(380 * 86_400_000)
    expect(await drafts()).toEqual([])
    const back = Date.parse(expires_at) - app.clock.now.getTime() - 40 * 86_400_000
    const [row] = await app.database.query<{ from: string }>(
      `select renewals -> 0 ->> 'from' as from from entitlements where id = $1`,
      [one.id],
    )
    await app.database.query(
      `update entitlements set expires_at = ${shifted('expires_at', '- $2::interval')},
              created_at = ${shifted('created_at', '- $2::interval')},
              renewals = jsonb_set(renewals, '{0,from}', to_jsonb($3::text))
        where id = $1`,
      [one.id, `${back} milliseconds`, new Date(Date.parse(row?.from ?? '') - back).toISOString()],
    )
    expect(await drafts()).toHaveLength(1)
  })
  it('is not made again, whatever becomes of it, by however many schedulers', async () => {
    await newcomer()
    const line = { ...LICENSE_LINE, quantity: 1 }
    const hundred = await sold(...Array.from({ length: 100 }, () => line))
    await endsIn(45, hundred)
    await dueAgain()
    await Promise.all([1, 2, 3].map(() => app.service.worker.drain()))
    const [quote, ...others] = await drafts()
    expect(others).toEqual([])
    expect(quote.line_items).toHaveLength(100)
    expect((await acme.staff.post(`/quotes/${quote.id}/cancel`)).status).toBe(200)
    expect(await drafts()).toEqual([])
  })
  it('has the present price and term of the catalogue while the product is sold for a term', async () => {
    await newcomer()
    const plugin = await product(acme)
    const price = { company: 'entity_br', currency: 'BRL', unit_price: '30.00', term_months: 12 }
    const made = await acme.staff.post(`/admin/products/${plugin.id}/prices`, price)
    expect(made.status, made.raw.body).toBe(201)
    const [kept] = await sold({ product_id: plugin.id, quantity: 5 })
    const [gone] = await sold({ product_id: plugin.id, quantity: 3 })
    await acme.staff.post(`/admin/products/${plugin.id}/prices`, { ...price, unit_price: '36.50', term_months: 24 })
    await endsIn(10, [kept])
    const [dearer] = await drafts()
    expect(dearer.line_items).toMatchObject([{ product_id: plugin.id, unit_price: '36.50', term_months: 24 }])
    await acme.staff.patch(`/admin/products/${plugin.id}`, { active: false })
    await endsIn(10, [gone])
    const before = (await drafts()).find(({ id }) => id !== dearer.id)
    expect(before?.line_items).toMatchObject([{ product_id: null, unit_price: '30.00', term_months: 12, quantity: 3 }])
  })
  it('is not made early in a short term, of what has ended, is cancelled or to be, was given, or has a quote', async () => {
    await newcomer()
    const [early, ended, cancelled, planned, offered] = await sold(...Array.from({ length: 5 }, () => LICENSE_LINE))
    const given = { class: 'PLG', product_name: 'X', organization_id: acme.id, company: 'entity_br' }
    const { data: gift } = await acme.staff.post('/entitlements', given)
    await acme.staff.post(`/entitlements/${cancelled.id}/cancel`, {})
    const at = new Date(app.clock.now.getTime() + 5 * 86_400_000).toISOString()
    expect((await acme.staff.post(`/entitlements/${planned.id}/cancel`, { at })).status).toBe(200)
    const line = { ...LICENSE_LINE, entitlement_code: offered.code }
    const open = await sentQuote(acme, { line_items: [line] })
    await endsIn(-1, [ended])
    await endsIn(30, [cancelled, planned, offered, gift])
    await app.database.query(
      `update entitlements set expires_at = $2::timestamptz + interval '16 days', created_at = $2::timestamptz - interval '15 days'
        where id = $1`,
      [early.id, app.clock.now],
    )
    expect(await drafts()).toEqual([])
    await acme.staff.post(`/quotes/${open}/cancel`)
    await app.database.query(
      `update entitlements set expires_at = ${shifted('expires_at', '- 1 day')}, created_at = ${shifted('created_at', '- 1 day')} where id = $1`,
      [early.id],
    )
    const [late, ...others] = await drafts()
    expect(others).toEqual([])
    expect(late.line_items).toMatchObject([{ entitlement_code: early.code }])
  })
})

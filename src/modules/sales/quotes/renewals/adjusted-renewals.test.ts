// Drafts of renewals whose price is adjusted by the index that was agreed on; adjusting what extends an entitlement.
import { describe, expect, it } from 'vitest'
import { dayIn, monthsLater } from '#kernel/values/time/calendar.ts'
import { formatMonth } from '#texts/format.ts'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { buyerOf, draftQuote, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { IPCA_2023, publish } from '#test/scenes/price-indexes.ts'
import { product } from '#test/scenes/releases.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { spanOf } from '../adjustment.ts'

const DESK = 'desk@titular.example'

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

/** Paid by hand, as if a year before its end, which is in 40 days; the entitlement, and the month of that end. */
async function sold(line: object): Promise<{ entitlement: Answer['data']; ends: string }> {
  const quote = await sentQuote(acme, { line_items: [line] })
  await buyer.post(`/quotes/${quote}/accept`)
  await app.service.worker.drain()
  const { invoice_id } = (await buyer.get(`/quotes/${quote}/payment`)).data
  expect((await acme.staff.post(`/invoices/${invoice_id}/pay`, { payment_method: 'bank_transfer' })).status).toBe(200)
  await app.service.worker.drain()
  const [id] = (await buyer.get(`/quotes/${quote}`)).data.entitlement_ids
  const end = new Date(app.clock.now.getTime() + 40 * 86_400_000)
  await app.database.query(
    `update entitlements set expires_at = $2, created_at = $2::timestamptz - interval '1 year' where id = $1`,
    [id, end],
  )
  const { data: entitlement } = await buyer.get(`/entitlements/${id}`)
  return { entitlement, ends: dayIn(end, 'America/Sao_Paulo').slice(0, 7) }
}

async function drafts(): Promise<Answer['data'][]> {
  await app.database.query(`update jobs set run_at = $1 where every_seconds is not null`, [app.clock.now])
  await app.service.worker.drain()
  const { data } = await acme.staff.get('/quotes?status=draft&per_page=100')
  return Promise.all(data.map(async ({ id }: { id: number }) => (await acme.staff.get(`/quotes/${id}`)).data))
}

const mailAbout = async (quote: { number: string }): Promise<string> =>
  (await mailsTo(app, DESK)).find(({ text }) => text.includes(quote.number))?.text ?? ''

describe('the months that count', () => {
  const term = { began: '2026-01', ends: '2027-01' }
  it.each([
    ['end with the third before the next term', term, {}, '2025-11', '2026-10'],
    ['follow those of the term before', { began: '2025-01', ends: '2026-01' }, {}, '2024-11', '2025-10'],
    ['are as many as those of a longer term', { began: '2025-01', ends: '2027-01' }, {}, '2024-11', '2026-10'],
    ['are twelve for a shorter one', { began: '2026-10', ends: '2027-01' }, {}, '2025-11', '2026-10'],
    ['are 240 at most', { began: '2026-01', ends: '9999-12' }, {}, '9979-10', '9999-09'],
    ['are as many as staff say', term, { months: 6 }, '2026-05', '2026-10'],
    ['end when staff say', term, { until_month: '2026-12' }, '2026-01', '2026-12'],
    ['are twelve without a term', undefined, { until_month: '2024-02' }, '2023-03', '2024-02'],
  ])('%s', (_, given, body, from_month, until_month) => {
    expect(spanOf('IPCA', given, body)).toEqual({ price_index: 'IPCA', from_month, until_month })
  })
})

describe('the draft of a renewal with an index', () => {
  it('is adjusted from the price that was sold, not that of the catalogue, and keeps the index', async () => {
    await newcomer()
    const plugin = await product(acme)
    const price = { company: 'entity_br', currency: 'BRL', unit_price: '30.00', term_months: 12 }
    await acme.staff.post(`/admin/products/${plugin.id}/prices`, price)
    await publish(acme, 'IPCA', '1990-01', ['0'])
    const line = { product_id: plugin.id, quantity: 5, discount: '10.00', price_index: 'IPCA' }
    const { entitlement, ends } = await sold(line)
    await acme.staff.post(`/admin/products/${plugin.id}/prices`, { ...price, unit_price: '90.00' })
    await publish(acme, 'IPCA', monthsLater(ends, -14), IPCA_2023)
    const [quote, ...others] = await drafts()
    expect(others).toEqual([])
    expect(quote.line_items).toMatchObject([
      {
        product_id: plugin.id,
        entitlement_code: entitlement.code,
        unit_price: '31.39',
        discount: '10.46',
        total: '146.49',
        price_index: 'IPCA',
        adjustment: {
          price_index: 'IPCA',
          from_month: monthsLater(ends, -14),
          until_month: monthsLater(ends, -3),
          applied_percent: '4.62',
          unit_price_before: '30.00',
          discount_before: '10.00',
        },
      },
    ])
    expect(quote.total).toBe('146.49')
    expect(await mailAbout(quote)).not.toContain('IPCA')
    const again = await acme.staff.post(`/quotes/${quote.id}/adjust`, {})
    expect(again.data.line_items).toEqual(quote.line_items)
  })
  it('is not adjusted while a month has no rate: the mail names it, and staff adjust it afterwards', async () => {
    await newcomer()
    await publish(acme, 'INPC', '1990-01', ['0'])
    const { ends } = await sold({ ...LICENSE_LINE, unit_price: '1000.00', price_index: 'INPC' })
    await publish(acme, 'INPC', monthsLater(ends, -14), IPCA_2023.slice(0, 11))
    const [quote] = await drafts()
    const [line] = quote.line_items
    expect(line).toMatchObject({ unit_price: '1000.00', price_index: 'INPC' })
    expect(line).not.toHaveProperty('adjustment')
    const last = monthsLater(ends, -3)
    expect(await mailAbout(quote)).toContain(`INPC has no rate of ${formatMonth('en', last)}.`)
    const path = `/quotes/${quote.id}/adjust`
    expect((await acme.staff.post(path, {})).message).toBe(`INPC has no rate of ${last}`)
    await publish(acme, 'INPC', last, IPCA_2023.slice(11))
    const { data } = await acme.staff.post(`${path}?dry_run=true`, {})
    expect(data.records).toMatchObject([
      {
        resource: 'quote',
        before: { total: '5000.00', line_items: [{ unit_price: '1000.00' }] },
        after: { total: '5231.00', line_items: [{ unit_price: '1046.20', adjustment: { applied_percent: '4.62' } }] },
      },
    ])
    expect((await acme.staff.post(path, {})).data.total).toBe('5231.00')
  })
  it('is made as sold when the index has no rate any more', async () => {
    await newcomer()
    await publish(acme, 'GONE', '1990-01', ['0'])
    await sold({ ...LICENSE_LINE, price_index: 'GONE' })
    expect((await acme.staff.delete('/admin/price-indexes/GONE/rates/1990-01')).status).toBe(200)
    const [quote] = await drafts()
    expect(quote.line_items).toMatchObject([{ unit_price: '30.00', price_index: 'GONE' }])
    expect(await mailAbout(quote)).toContain('GONE')
  })
})

describe('POST /quotes/{id}/adjust of lines that extend', () => {
  it('200: by default all of them and no others', async () => {
    await newcomer()
    const { entitlement, ends } = await sold(LICENSE_LINE)
    await publish(acme, 'IGP-M', monthsLater(ends, -14), IPCA_2023)
    const renewal = { ...LICENSE_LINE, unit_price: '100.00', entitlement_code: entitlement.code }
    const { id } = await draftQuote(acme, { line_items: [LICENSE_LINE, renewal] })
    const answer = await acme.staff.post(`/quotes/${id}/adjust`, { price_index: 'IGP-M' })
    expect(answer.data.line_items).toMatchObject([{ unit_price: '30.00' }, { unit_price: '104.62' }])
  })
})

// POST /quotes/{id}/adjust: to the cent, from the price before, within limits; what it refuses.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { draftQuote, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { IGPM_2023, IPCA_2023, publish } from '#test/scenes/price-indexes.ts'
import type { Answer } from '#test/harness/world.ts'
import { adjustedBy } from './adjustment.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const buyer = await acme.member({ scopes: ['quotes'] })
await publish(acme, 'IPCA', '2023-01', IPCA_2023)
await publish(acme, 'IGP-M', '2023-01', IGPM_2023)

const OF_2023 = { price_index: 'IPCA', until_month: '2023-12', line_items: [0] }
const drafted = async (more: object = {}, rest: object[] = []): Promise<number> =>
  (await draftQuote(acme, { line_items: [{ ...LICENSE_LINE, unit_price: '1000.00', ...more }, ...rest] })).id
const adjust = (id: number, more: object = {}): Promise<Answer> =>
  acme.staff.post(`/quotes/${id}/adjust`, { ...OF_2023, ...more })
const lineOf = (answer: Answer, nth = 0): Answer['data'] => answer.data.line_items[nth]

describe('POST /quotes/{id}/adjust', () => {
  it('200: IPCA of 2023 on 1,000.00 is 1,046.20, kept on the line with what it was', async () => {
    const id = await drafted({ quantity: 3, tax_percent: '5' }, [LICENSE_LINE])
    const answer = await adjust(id)
    expect(lineOf(answer)).toMatchObject({
      unit_price: '1046.20',
      subtotal: '3138.60',
      tax: '156.93',
      total: '3295.53',
      adjustment: {
        price_index: 'IPCA',
        from_month: '2023-01',
        until_month: '2023-12',
        accumulated_percent: '4.62',
        applied_percent: '4.62',
        unit_price_before: '1000.00',
        discount_before: '0.00',
      },
    })
    expect(lineOf(answer, 1)).toMatchObject({ unit_price: '30.00' })
    expect(lineOf(answer, 1)).not.toHaveProperty('adjustment')
    expect(answer.data).toMatchObject({ subtotal: '3288.60', total: '3445.53' })
    expect((await acme.staff.get(`/quotes/${id}`)).data).toEqual(answer.data)
  })
  it('200 again with the same, and by another index from the price before', async () => {
    const id = await drafted()
    const first = await adjust(id)
    const count = async () => (await acme.staff.get(`/audit-log?resource=quote&resource_id=${id}`)).meta?.total
    const entries = await count()
    expect(lineOf(await adjust(id))).toEqual(lineOf(first))
    expect(await count()).toBe(entries)
    const fallen = lineOf(await adjust(id, { price_index: 'IGP-M', at_least: null }))
    expect(fallen).toMatchObject({ unit_price: '968.20', adjustment: { unit_price_before: '1000.00' } })
    expect(lineOf(await adjust(id)).unit_price).toBe('1046.20')
  })
  it.each([
    ['by default no price falls', 'IGP-M', {}, '0.00', '1000.00'],
    ['without a least it does', 'IGP-M', { at_least: null }, '-3.18', '968.20'],
    ['a least below zero', 'IGP-M', { at_least: '-1.5' }, '-1.50', '985.00'],
    ['a least above it', 'IPCA', { at_least: '6' }, '6.00', '1060.00'],
    ['a most', 'IPCA', { at_most: '4.5' }, '4.50', '1045.00'],
    ['a most of nothing', 'IPCA', { at_most: null }, '4.62', '1046.20'],
    ['fewer months', 'IPCA', { months: 3 }, '1.08', '1010.80'],
  ])('200 within limits: %s', async (_, price_index, more, applied, price) => {
    const line = lineOf(await adjust(await drafted(), { price_index, ...more }))
    expect([line.adjustment.applied_percent, line.unit_price]).toEqual([applied, price])
  })
  it('200 with the amount off the line adjusted too, and a percentage left', async () => {
    const id = await drafted({ quantity: 2, discount: '100.00' }, [
      { ...LICENSE_LINE, unit_price: '1000.00', discount_percent: '10' },
      { ...LICENSE_LINE, quantity: 10, unit_price: '0.04', discount: '0.40' },
    ])
    const answer = await adjust(id, { line_items: [2, 0, 1] })
    expect(answer.data.line_items).toMatchObject([
      { unit_price: '1046.20', discount: '104.62', total: '1987.78', adjustment: { discount_before: '100.00' } },
      { unit_price: '1046.20', discount: '523.10', discount_percent: '10.00' },
      { unit_price: '0.04', discount: '0.40', total: '0.00' },
    ])
    expect((await adjust(id, { line_items: [0, 1, 2] })).data.line_items).toEqual(answer.data.line_items)
  })
  it('200 with the discount no larger than the smallest choice', async () => {
    const id = await drafted({ unit_price: '3.33', quantity: 5, quantity_min: 3, discount: '9.99' })
    const answer = await adjust(id, { at_least: '4', at_most: '4' })
    expect(lineOf(answer)).toMatchObject({ unit_price: '3.46', discount: '10.38', total: '6.92' })
  })
  it('409 with the months that have no rate, and nothing is adjusted', async () => {
    const id = await drafted({}, [LICENSE_LINE])
    const answer = await adjust(id, { until_month: '2024-02', line_items: [0, 1] })
    expect([answer.status, answer.message]).toEqual([409, 'IPCA has no rate of 2024-01, 2024-02'])
    expect((await adjust(id, { price_index: 'INPC', months: 1 })).message).toBe('INPC has no rate of 2023-12')
    expect((await acme.staff.get(`/quotes/${id}`)).data.line_items[0].unit_price).toBe('1000.00')
  })
  it('409 for a quote that was sent, 404 for customers’ drafts elsewhere, 403 for customers', async () => {
    const sent = await sentQuote(acme)
    expect(await adjust(sent)).toMatchObject({ status: 409, message: 'A quote that is sent can no longer be adjusted' })
    const { id } = await draftQuote(other)
    expect((await adjust(id)).status).toBe(404)
    expect((await buyer.post(`/quotes/${sent}/adjust`, OF_2023)).status).toBe(403)
  })
  it.each([
    ['no lines that extend', { line_items: undefined }, 'line_items'],
    ['a line that is not there', { line_items: [1] }, 'line_items.0'],
    ['a line twice', { line_items: [0, 0] }, 'line_items'],
    ['no index', { price_index: undefined }, 'price_index'],
    ['no last month', { until_month: undefined }, 'until_month'],
    ['no month', { until_month: '2023-00' }, 'until_month'],
    ['limits that cross', { at_least: '2', at_most: '1.99' }, 'at_most'],
    ['a most below the usual least', { at_most: '-1' }, 'at_most'],
    ['a limit of too many digits', { at_least: '1.234' }, 'at_least'],
    ['no months', { months: 0 }, 'months'],
  ])('422 for %s, with the field', async (_, more, field) => {
    const answer = await adjust(await drafted(), more)
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, [field]])
  })
  it('200 for two at once, adjusted once', async () => {
    const id = await drafted()
    const answers = await Promise.all([adjust(id), adjust(id), adjust(id)])
    expect(answers.map((one) => lineOf(one).unit_price)).toEqual(['1046.20', '1046.20', '1046.20'])
  })
})

/** What is wrong with a draft of this line. */
const fields = async (more: object) => {
  const body = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31' }
  const answer = await acme.staff.post('/quotes', { ...body, line_items: [{ ...LICENSE_LINE, ...more }] })
  return [answer.status, Object.keys(answer.errors?.fields ?? {})]
}

describe('an adjusted line', () => {
  it('keeps its note in the next version and when it is sent, and the order has the price alone', async () => {
    const id = await drafted({ price_index: 'IPCA' })
    const { adjustment } = lineOf(await adjust(id, { price_index: undefined }))
    expect((await acme.staff.post(`/quotes/${id}/send`)).status).toBe(200)
    const { data: next } = await acme.staff.post(`/quotes/${id}/revise`)
    expect(next.line_items[0].adjustment).toEqual(adjustment)
    expect(lineOf(await adjust(next.id)).unit_price).toBe('1046.20')
    await acme.staff.post(`/quotes/${next.id}/send`)
    const { data: order } = await buyer.post(`/quotes/${next.id}/accept`)
    expect((await acme.staff.get(`/quotes/${next.id}`)).data.line_items[0].adjustment).toEqual(adjustment)
    const [line] = (await acme.staff.get(`/orders/${order.order_id}`)).data.line_items
    expect(line).toMatchObject({ unit_price: '1046.20', price_index: 'IPCA' })
    expect(line).not.toHaveProperty('adjustment')
  })
  it('has none when it is given anew or its currency changes, and keeps it otherwise', async () => {
    const id = await drafted()
    await adjust(id)
    const noted = await acme.staff.put(`/quotes/${id}`, { notes: 'Adjusted' })
    expect(lineOf(noted)).toHaveProperty('adjustment')
    const dollars = await acme.staff.put(`/quotes/${id}`, { currency: 'USD' })
    expect(lineOf(dollars)).not.toHaveProperty('adjustment')
    await adjust(id)
    const line_items = [{ ...LICENSE_LINE, unit_price: '1100.00' }]
    expect(lineOf(await acme.staff.put(`/quotes/${id}`, { line_items }))).not.toHaveProperty('adjustment')
    expect(lineOf(await adjust(id))).toMatchObject({ unit_price: '1150.82' })
  })
  it('422 for an index without rates, and for a term below a year', async () => {
    const refused = [422, ['line_items.0.price_index']]
    expect(await fields({ price_index: 'IPAC' })).toEqual(refused)
    expect(await fields({ price_index: 'IPCA', term_months: 11 })).toEqual(refused)
    expect(await fields({ price_index: 'IPCA', term_months: null })).toEqual(refused)
    expect(await fields({ price_index: null, term_months: 1 })).toEqual([201, []])
  })
})

const cents = (text: string): bigint => BigInt(text.replace('.', ''))

describe('the adjusted price', () => {
  it('is the rounded product of the first price and the last percentage, whatever came before it', () => {
    const span = { price_index: 'IPCA', from_month: '2023-01', until_month: '2023-12' }
    const hundredths = fc.bigInt({ min: -9_999n, max: 30_000n })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 9_999_999_999n }), fc.array(hundredths, { minLength: 1 }), (base, all) => {
        const text = `${base / 100n}.${String(base % 100n).padStart(2, '0')}`
        let line: Parameters<typeof adjustedBy>[0] = { unit_price: text, discount: '0.00', quantity: 1 }
        for (const percent of all)
          line = adjustedBy(line, { span, percent, limits: { at_least: null }, currency: 'BRL' })
        const exact = base * (10_000n + (all.at(-1) ?? 0n))
        expect(2n * (cents(line.unit_price) * 10_000n - exact)).toBeLessThanOrEqual(10_000n)
        expect(2n * (exact - cents(line.unit_price) * 10_000n)).toBeLessThan(10_000n)
        expect(line.adjustment?.unit_price_before).toBe(text)
      }),
      { seed: 70 },
    )
  })
})

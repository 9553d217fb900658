// Quotes that extend entitlements by a further term: offered, paid late or early, refunded in any order.
import { describe, expect, it } from 'vitest'
import { addMonths, dayIn } from '#kernel/values/time/calendar.ts'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, draftQuote, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const buyer = await buyerOf(acme)

const COUNT = '/entitlements?per_page=1'

/** Accepted and paid by hand; the id of its order, with the ids of its entitlements. */
async function bought(quote: number): Promise<{ order: number; ids: number[] }> {
  const { data, raw } = await buyer.post(`/quotes/${quote}/accept`)
  expect(raw.statusCode, raw.body).toBe(200)
  await app.service.worker.drain()
  const { invoice_id } = (await buyer.get(`/quotes/${quote}/payment`)).data
  expect((await acme.staff.post(`/invoices/${invoice_id}/pay`, { payment_method: 'bank_transfer' })).status).toBe(200)
  await app.service.worker.drain()
  const { status, entitlement_ids } = (await buyer.get(`/quotes/${quote}`)).data
  expect(status).toBe('fulfilled')
  return { order: data.order_id, ids: entitlement_ids }
}

async function sold(more: object = {}): Promise<Answer['data']> {
  const { ids } = await bought(await sentQuote(acme, { line_items: [{ ...LICENSE_LINE, ...more }] }))
  return entitlement(ids[0] ?? 0)
}

const entitlement = async (id: number): Promise<Answer['data']> => (await buyer.get(`/entitlements/${id}`)).data
const renewal = (entitlement_code: string, more: object = {}) => ({ ...LICENSE_LINE, entitlement_code, ...more })
const renewed = async (code: string, more: object = {}) =>
  bought(await sentQuote(acme, { line_items: [renewal(code, more)] }))

async function refund(order: number): Promise<void> {
  const { data, status } = await acme.staff.post(`/orders/${order}/refund`, { reason: 'Not wanted' })
  expect(status).toBeLessThan(300)
  await acme.staff.post(`/refunds/${data.refund_id}/approve`)
  await acme.staff.post(`/refunds/${data.refund_id}/settle`, { status: 'succeeded' })
  await app.service.worker.drain()
}

const ZONE = 'America/Sao_Paulo'
/** The same time of day some terms of a year later. */
const yearsLater = (moment: string, years: number): string => {
  let later = new Date(moment)
  for (let year = 0; year < years; year++) later = addMonths(later, 12, ZONE)
  return later.toISOString()
}
const lastDay = (end: string | Date): string => dayIn(new Date(new Date(end).getTime() - 1), ZONE)

describe('a quote that extends an entitlement', () => {
  it('is previewed, and extends it from its end with its license and its contract, not a second set', async () => {
    const one = await sold()
    const body = {
      title: 'Support',
      entitlement_id: one.id,
      start_date: '2020-01-01',
      end_date: lastDay(one.expires_at),
    }
    const contract = (await acme.staff.post('/contracts', body)).data.id
    await acme.staff.post(`/contracts/${contract}/status`, { status: 'active' })
    const before = (await buyer.get(COUNT)).meta?.total
    const quote = await sentQuote(acme, { line_items: [renewal(one.code)] })
    const end = new Date(yearsLater(one.expires_at, 1))
    const [shown] = (await buyer.post(`/quotes/${quote}/preview`)).data.entitlements
    expect(shown).toMatchObject({ entitlement_code: one.code, license: null })
    expect(new Date(shown.expires_at)).toEqual(end)
    const { ids } = await bought(quote)
    expect(ids).toEqual([one.id])
    expect((await buyer.get(COUNT)).meta?.total).toBe(before)
    const now = await entitlement(one.id)
    expect(new Date(now.expires_at)).toEqual(end)
    const [license] = (await buyer.get(`/entitlements/${one.id}/licenses`)).data
    expect(new Date(license.expires_at)).toEqual(end)
    expect((await buyer.get(`/contracts/${contract}`)).data.end_date).toBe(lastDay(end))
  })
  it('extends one that has ended from its end, and makes it active again', async () => {
    const one = await sold()
    const past = new Date(app.clock.now.getTime() - 10 * 86_400_000).toISOString()
    await app.database.query('update entitlements set expires_at = $2 where id = $1', [one.id, past])
    await app.service.worker.drain()
    await renewed(one.code)
    const { status, expires_at } = await entitlement(one.id)
    expect([status, new Date(expires_at)]).toEqual(['active', new Date(yearsLater(past, 1))])
  })
  it('leaves the end where the latest renewal is paid, in whatever order they are refunded', async () => {
    for (const isReversed of [false, true]) {
      const one = await sold()
      const orders = [(await renewed(one.code)).order, (await renewed(one.code)).order]
      expect(new Date((await entitlement(one.id)).expires_at)).toEqual(new Date(yearsLater(one.expires_at, 2)))
      const [first = 0, second = 0] = isReversed ? orders.toReversed() : orders
      await refund(first)
      const kept = yearsLater(one.expires_at, isReversed ? 1 : 2)
      expect(new Date((await entitlement(one.id)).expires_at)).toEqual(new Date(kept))
      await refund(second)
      expect(await entitlement(one.id)).toMatchObject({ status: 'active', expires_at: one.expires_at })
    }
  })
  it('409 when the entitlement was cancelled since', async () => {
    const one = await sold()
    const quote = await sentQuote(acme, { line_items: [renewal(one.code)] })
    await acme.staff.post(`/entitlements/${one.id}/cancel`, { reason: 'Fraud' })
    expect((await buyer.post(`/quotes/${quote}/accept`)).status).toBe(409)
  })
  it('keeps the code when the draft is revised, and beside lines with new entitlements', async () => {
    const one = await sold()
    const quote = await sentQuote(acme, { line_items: [LICENSE_LINE, renewal(one.code)] })
    const { data: next } = await acme.staff.post(`/quotes/${quote}/revise`)
    await acme.staff.post(`/quotes/${next.id}/send`)
    const { ids } = await bought(next.id)
    expect(ids).toHaveLength(2)
    expect(ids[1]).toBe(one.id)
    expect(new Date((await entitlement(one.id)).expires_at)).toEqual(new Date(yearsLater(one.expires_at, 1)))
  })
})

const ask = async (at: Organization, lines: object[], company = 'entity_br') => {
  const body = { currency: 'BRL', company, valid_until: '2099-12-31', line_items: lines }
  return (await at.staff.post('/quotes', body)).errors?.fields
}

describe('POST /quotes with an entitlement’s code', () => {
  it.each([
    ['quantity', { quantity: 4 }],
    ['term_months', { term_months: null }],
    ['entitlement_class', { entitlement_class: 'ENV' }],
    ['quantity_max', { quantity_max: 9 }],
    ['entitlement_code', { entitlement_code: 'PLG-2020010001' }],
  ])('422 on %s', async (field, more) => {
    const one = await sold()
    const body = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31' }
    const answer = await acme.staff.post('/quotes', { ...body, line_items: [renewal(one.code, more)] })
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, [`line_items.0.${field}`]])
  })
  it('201 without a class: it has that of the entitlement, and extends it', async () => {
    const one = await sold()
    const { entitlement_class: _none, ...line } = renewal(one.code)
    const { id, line_items } = await draftQuote(acme, { line_items: [line] })
    expect(line_items).toMatchObject([{ entitlement_class: 'PLG', entitlement_code: one.code, is_renewal: true }])
    await acme.staff.post(`/quotes/${id}/send`)
    expect((await bought(id)).ids).toEqual([one.id])
    expect(new Date((await entitlement(one.id)).expires_at)).toEqual(new Date(yearsLater(one.expires_at, 1)))
    const { entitlement_class: _class, ...fresh } = LICENSE_LINE
    expect(await ask(acme, [fresh])).toEqual({ 'line_items.0.entitlement_class': 'is required' })
  })
  it('422 when it is named twice, without end, of another organization or of the other legal entity', async () => {
    const [one, endless] = [await sold(), await sold({ term_months: null })]
    const line = renewal(one.code)
    expect(Object.values((await ask(acme, [line, line])) ?? {})).toEqual(['is named twice', 'is named twice'])
    expect(await ask(acme, [renewal(endless.code)])).toEqual({
      'line_items.0.entitlement_code': 'is of an entitlement without end',
    })
    expect(Object.keys((await ask(other, [line])) ?? {})).toEqual(['line_items.0.entitlement_code'])
    expect(Object.keys((await ask(acme, [line], 'entity_global')) ?? {})).toEqual(['line_items.0.entitlement_code'])
    const { id } = await draftQuote(acme, { line_items: [line] })
    expect((await acme.staff.put(`/quotes/${id}`, { company: 'entity_global' })).status).toBe(422)
  })
})

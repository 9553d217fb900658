// Prices and terms: amounts that a provider cannot take, and terms that end with short months.
import { expect } from 'vitest'
import { startApp } from '#test/harness/app.ts'
import { buyerOf } from '#test/scenes/commerce.ts'
import { billingScene, entitlementsOf, sold } from '#test/scenes/own-billing.ts'
import { advance, clocked } from '#test/scenes/test-clock.ts'
import type { PublicCase, ReadInput } from './public-case.ts'

/** Ends of a term that begins on 31 January 2023 at noon UTC, nine in the morning in São Paulo. */
const ENDS = ['2023-02-28', '2023-03-31', '2023-04-30', '2023-05-31'].map((day) => `${day}T12:00:00.000Z`)

async function renewedFourTimes(read: ReadInput): Promise<void> {
  const [, start = ''] = /test clock (\S+);/.exec(read.text('steps.txt')) ?? []
  const scene = await billingScene()
  try {
    const acme = await clocked(scene.app, start)
    const at = { ...scene, acme, buyer: await buyerOf(acme) }
    const line = { product_name: 'Hosting', quantity: 1, unit_price: '10.00', entitlement_class: 'ENV', term_months: 1 }
    const sale = await sold(at, [line])
    const [{ id, code }] = await entitlementsOf(at, sale)
    const endOf = async () => (await at.buyer.get(`/entitlements/${id}`)).data.expires_at
    const ends = [await endOf()]
    for (let renewal = 0; renewal < 3; renewal++) {
      await sold(at, [{ ...line, entitlement_code: code }])
      ends.push(await endOf())
      await advance(at.app, acme, new Date(Date.parse(ends[renewal] ?? '') - 86_400_000).toISOString())
    }
    expect(ends).toEqual(ENDS)
  } finally {
    await scene.app.close()
  }
}

async function refusedBeforeAnybodyAccepts(read: ReadInput): Promise<void> {
  const app = await startApp()
  try {
    const acme = await app.world.organization()
    const quote = read.json('quote.json')
    const refused = await acme.staff.post('/quotes', quote)
    expect([refused.status, Object.keys(refused.errors?.fields ?? {})]).toEqual([422, ['line_items.0.unit_price']])
    const line_items = [{ ...quote.line_items[0], unit_price: '5.120' }]
    const { data, status } = await acme.staff.post('/quotes', { ...quote, line_items })
    expect(status).toBe(201)
    expect((await acme.staff.post(`/quotes/${data.id}/send`)).status).toBe(200)
  } finally {
    await app.close()
  }
}

export const billingCases: PublicCase[] = [
  {
    name: 'term-drift',
    expected: 'a month that was sold on the 31st ends on the last day of February and on the 31st of March',
    standard: 'billing cycle anchors of Kill Bill and Stripe',
    check: renewedFourTimes,
  },
  {
    name: 'kwd',
    expected: 'a price with a third digit that is not 0 is refused when the quote is made',
    standard: 'Stripe, supported currencies: three-decimal currencies',
    check: refusedBeforeAnybodyAccepts,
  },
]

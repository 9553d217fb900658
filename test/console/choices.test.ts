// What the page on which a customer accepts a quote makes of their choices.
import type { LineItem } from '@titular/sdk'
import { expect, it } from 'vitest'
import {
  bodyOf,
  type Choice,
  chosenLines,
  isWithin,
  pricedLines,
} from '../../apps/console/src/routes/organization/choices.ts'

const line = (given: Partial<LineItem>): LineItem => ({
  product_name: 'Backup',
  description: null,
  quantity: 10,
  unit_price: '120.00',
  subtotal: '1200.00',
  discount: '0.00',
  tax_rate: null,
  tax: '0.00',
  total: '1200.00',
  entitlement_class: 'PLG',
  term_months: 12,
  entitlement_code: null,
  product_id: null,
  sku: null,
  quantity_min: null,
  quantity_max: null,
  discount_percent: null,
  is_optional: false,
  is_chosen: true,
  ...given,
})
const OFFER = [
  line({ product_name: 'Setup', is_optional: true, is_chosen: false, total: '300.00' }),
  line({ quantity_min: 5, quantity_max: 50 }),
  line({ product_name: 'Watch', is_optional: true, is_chosen: true, total: '100.00' }),
]
const chosen = (...choices: Choice[]) => chosenLines(OFFER, choices)

const totals = (lines: readonly Record<string, unknown>[]) => lines.map(({ total }) => total)

it('sends what differs from the offer, and nothing else', () => {
  expect(bodyOf(chosen())).toEqual([])
  expect(bodyOf(chosen({ index: 0, is_chosen: true }, { index: 1, quantity: 20 }))).toEqual([
    { index: 0, is_chosen: true },
    { index: 1, quantity: 20 },
  ])
  expect(bodyOf(chosen({ index: 2, is_chosen: false }, { index: 1, quantity: 10 }))).toEqual([
    { index: 2, is_chosen: false },
  ])
})

it.each([
  ['', false],
  [4, false],
  [5, true],
  [50, true],
  [51, false],
  [5.5, false],
])('a quantity of %j from 5 to 50: %j', (quantity, isFine) => {
  expect(chosen({ index: 1, quantity }).every(isWithin)).toBe(isFine)
})

it('gives each chosen line the amount that its order would have, also with an optional one before it', () => {
  const ordered = [{ total: '2400.00' }, { total: '100.00' }]
  expect(totals(pricedLines(chosen({ index: 1, quantity: 20 }), ordered))).toEqual(['300.00', '2400.00', '100.00'])
  const all = [{ total: '300.00' }, ...ordered]
  expect(totals(pricedLines(chosen({ index: 0, is_chosen: true }), all))).toEqual(['300.00', '2400.00', '100.00'])
  const one = chosen({ index: 2, is_chosen: false })
  expect(totals(pricedLines(one, [{ total: '1200.00' }]))).toEqual(['300.00', '1200.00', '100.00'])
})

it('shows no amount of what it does not know yet', () => {
  expect(pricedLines(chosen({ index: 1, quantity: '' }), null).map(({ total }) => total)).toEqual(['300.00', '…', '…'])
})

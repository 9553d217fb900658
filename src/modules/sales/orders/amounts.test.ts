// Lines and totals add up exactly in every currency, with discounts and taxes: no floats, no lost cents.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#kernel/values/errors.ts'
import { formatMoney, MAX_MINOR, minorDigits, parseMoney } from '#kernel/values/money.ts'
import { amountsOf } from './amounts.ts'
import type { LineItem, PricedLine } from '../../delivery/products/line-item.ts'

const plain = { product_name: 'Backup', entitlement_class: 'PLG' } as const
const line = (more: Partial<PricedLine>): PricedLine => ({ ...plain, quantity: 1, unit_price: '0', ...more })

/** A stored line as the input that would produce it. */
const asPriced = ({ tax_rate: tax_percent, ...stored }: LineItem): PricedLine => ({ ...stored, tax_percent })

const currency = fc.constantFrom('JPY', 'KRW', 'CLP', 'BRL', 'USD', 'EUR', 'IDR', 'KWD', 'BHD', 'TND')
const percent = fc
  .integer({ min: 0, max: 10_000 })
  .map((hundredths) => `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`)
const anyLine = fc.record({
  minor: fc.bigInt({ min: 0n, max: 99_999_999_999n }),
  quantity: fc.integer({ min: 1, max: 99 }),
  rate: fc.option(percent),
  off: fc.oneof(fc.constant(null), fc.record({ percent }), fc.record({ share: fc.bigInt({ min: 0n, max: 1000n }) })),
})
type AnyLine = typeof anyLine extends fc.Arbitrary<infer Value> ? Value : never

function lineOf({ minor, quantity, rate, off }: AnyLine, code: string): PricedLine {
  const discount =
    off === null
      ? {}
      : 'percent' in off
        ? { discount_percent: off.percent }
        : { discount: formatMoney(lessOf(minor * BigInt(quantity), off), code) }
  return line({ quantity, unit_price: formatMoney(minor, code), tax_percent: rate, ...discount })
}

function lessOf(gross: bigint, off: AnyLine['off']): bigint {
  if (off === null) return 0n
  return 'percent' in off ? partOf(gross, off.percent) : (gross * off.share) / 1000n
}

/** A percentage by long division on whole numbers, half up: amounts are never negative here. */
function partOf(amount: bigint, rate: string): bigint {
  const product = amount * BigInt(rate.replace('.', ''))
  return product / 10_000n + (product % 10_000n >= 5_000n ? 1n : 0n)
}

describe('amountsOf', () => {
  it('gives lines whose sums are the totals, in any currency', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 20 }), currency, (many, code) => {
        const { line_items, subtotal, tax_total, total } = amountsOf(
          many.map((one) => lineOf(one, code)),
          code,
        )
        const read = (text: string) => parseMoney(text, code)
        const totals = { subtotal: 0n, discount: 0n, tax: 0n, total: 0n }
        for (const [index, item] of line_items.entries()) {
          const { minor, quantity, off, rate } = many[index] ?? { minor: 0n, quantity: 0, off: null, rate: null }
          const amounts = [item.subtotal, item.discount, item.tax, item.total].map(read)
          const [gross = 0n, less = 0n, tax = 0n, sum = 0n] = amounts
          expect(gross).toBe(minor * BigInt(quantity))
          expect(less).toBe(lessOf(gross, off))
          expect(tax).toBe(rate === null ? 0n : partOf(gross - less, rate))
          expect(item.tax_rate).toBe(rate)
          expect(sum).toBe(gross - less + tax)
          totals.subtotal += gross
          totals.discount += less
          totals.tax += tax
          totals.total += sum
        }
        expect([subtotal, tax_total, total].map(read)).toEqual([totals.subtotal, totals.tax, totals.total])
        expect(totals.total).toBe(totals.subtotal - totals.discount + totals.tax)
      }),
    )
  })
  it('gives the same texts for its own output, also after JSON', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 5 }), currency, (many, code) => {
        const once = amountsOf(
          many.map((one) => lineOf(one, code)),
          code,
        )
        const copy: typeof once = JSON.parse(JSON.stringify(once))
        expect(amountsOf(copy.line_items.map(asPriced), code)).toEqual(once)
        const digits = minorDigits(code)
        const form = digits === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${digits}}$`)
        for (const { unit_price, subtotal, discount, tax, total } of once.line_items)
          for (const text of [unit_price, subtotal, discount, tax, total]) expect(text).toMatch(form)
      }),
    )
  })
  it.each([
    // 0.5 cent goes up, as does all above it; below it goes down.
    ['BRL', '0.10', '5', '0.01', '0.11'],
    ['BRL', '0.10', '4.99', '0.00', '0.10'],
    ['JPY', '10', '5', '1', '11'],
    ['JPY', '149', '0.33', '0', '149'],
    ['KWD', '0.005', '10', '0.001', '0.006'],
    ['BRL', '9007199254740.93', '0.01', '900719925.47', '9008099974666.40'],
  ])('%s %s with %s percent tax', (code, unit_price, tax_percent, tax, total) => {
    const { line_items } = amountsOf([line({ unit_price, tax_percent })], code)
    expect(line_items[0]).toMatchObject({ tax, total })
  })
  it('accepts the largest amount, and rejects one minor unit more', () => {
    const unit_price = formatMoney(MAX_MINOR, 'BRL')
    expect(amountsOf([line({ unit_price })], 'BRL').total).toBe(unit_price)
    const whole = amountsOf([line({ unit_price, discount_percent: '100', tax_percent: '100' })], 'BRL')
    expect(whole).toMatchObject({ subtotal: unit_price, tax_total: '0.00', total: '0.00' })
    for (const more of [
      [line({ unit_price }), line({ unit_price: '0.01' })],
      [line({ unit_price, quantity: 2 })],
      [line({ unit_price, quantity: 2, discount_percent: '50' })],
      [line({ unit_price, tax_percent: '0.01' })],
    ])
      expect(fieldsOf(() => amountsOf(more, 'BRL'))).toEqual(['line_items'])
  })
  it('names all wrong fields in one error', () => {
    const lines = [
      line({ unit_price: '1.001' }),
      line({ unit_price: '10', discount: '10.01' }),
      line({ unit_price: '10', discount: '1', discount_percent: '1' }),
      line({ unit_price: '10', discount: '-1' }),
      line({ unit_price: '10', discount_percent: '100.01' }),
      line({ unit_price: '10', tax_percent: '1.001' }),
    ]
    expect(fieldsOf(() => amountsOf(lines, 'BRL'))).toEqual([
      'line_items.0.unit_price',
      'line_items.1.discount',
      'line_items.2.discount_percent',
      'line_items.3.discount',
      'line_items.4.discount_percent',
      'line_items.5.tax_percent',
    ])
    expect(fieldsOf(() => amountsOf(lines, 'brl'))).toEqual(['currency'])
  })
})

function fieldsOf(act: () => unknown): string[] {
  try {
    act()
  } catch (error) {
    if (error instanceof AppError) return Object.keys(error.details.fields ?? {})
    throw error
  }
  return []
}

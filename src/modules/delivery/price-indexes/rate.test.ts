// What rates accumulate to, against published figures and against an exact computation in another form.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPercent } from '#kernel/values/money.ts'
import { IGPM_2023, IPCA_2023 } from '#test/scenes/price-indexes.ts'
import { accumulated, formatRate, parseRate } from './rate.ts'

const percentOf = (rates: readonly string[]): string => formatPercent(accumulated(rates))

describe('the accumulated percentage', () => {
  it.each([
    ['IPCA of 2023', IPCA_2023, '4.62'],
    ['IGP-M of 2023', IGPM_2023, '-3.18'],
    ['no month', [], '0.00'],
    ['one month', ['0.5678'], '0.57'],
    ['a month that takes back what the other gave', ['25.00', '-20.00'], '0.00'],
    ['a half, away from zero', ['0.005'], '0.01'],
    ['a half below zero, away from it', ['-0.005'], '-0.01'],
    ['less than a half below zero', ['-0.0049'], '0.00'],
    ['more than doubling', ['82.39', '44.80'], '164.10'],
  ])('of %s', (_, rates, percent) => {
    expect(percentOf(rates)).toBe(percent)
  })
  it('is rounded once, not in each month', () => {
    expect(percentOf(Array.from({ length: 12 }, () => '0.0042'))).toBe('0.05')
  })
  it('is the same in whatever order the months are', () => {
    const rate = fc.integer({ min: -999_999, max: 999_999 }).map((each) => formatRate(BigInt(each)))
    fc.assert(
      fc.property(fc.array(rate, { maxLength: 40 }), (rates) => {
        expect(accumulated(rates.toReversed())).toBe(accumulated(rates))
        expect(accumulated(rates.toSorted())).toBe(accumulated(rates))
      }),
      { seed: 70 },
    )
  })
})

describe('a rate', () => {
  it.each([
    ['0.5', '0.50'],
    ['0.53', '0.53'],
    ['0.5300', '0.53'],
    ['0.5310', '0.531'],
    ['-0.08', '-0.08'],
    ['-0.00', '0.00'],
    ['7', '7.00'],
    ['0.0001', '0.0001'],
  ])('%s is written as %s', (given, written) => {
    expect(formatRate(parseRate(given))).toBe(written)
  })
})

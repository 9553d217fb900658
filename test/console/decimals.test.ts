// Decimals of forms: read as their language writes them, and left as they are where they could be two numbers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalOf, shownDecimal } from '../../apps/console/src/parts/decimals.ts'

const LANGUAGES = ['pt-BR', 'en'] as const

describe('a decimal of a form', () => {
  it.each([
    ['50,00', '50.00'],
    ['50,5', '50.5'],
    ['1.500,00', '1500.00'],
    ['1500,50', '1500.50'],
    ['1.500', '1500'],
    ['12.345.678,90', '12345678.90'],
    ['1.500.000', '1500000'],
    ['150.00', '150.00'],
    ['150.5', '150.5'],
    ['1500', '1500'],
    ['1,500.50', '1500.50'],
    ['-1.500,50', '-1500.50'],
    ['-0,01', '-0.01'],
    [' 39,90 ', '39.90'],
    ['0,423', '0.423'],
    ['1500,555', '1500.555'],
    ['0.500', '0.500'],
    ['0.0001', '0.0001'],
  ])('%j is %j in Portuguese', (text, number) => expect(decimalOf(text, 'pt-BR')).toBe(number))
  it.each([
    ['1,500.50', '1500.50'],
    ['1,500', '1500'],
    ['1,000.00', '1000.00'],
    ['12,345,678.9', '12345678.9'],
    ['150.00', '150.00'],
    ['39,90', '39.90'],
    ['39,9', '39.9'],
    ['1.500,50', '1500.50'],
    ['-1,500.50', '-1500.50'],
    [' 39,90 ', '39.90'],
    ['0.423', '0.423'],
  ])('%j is %j in English', (text, number) => expect(decimalOf(text, 'en')).toBe(number))
  it.each(['1,500', '-1,500', '1,500,000', '1,50,00', '1.50,00', '1.500.50', '15.00,5', '1,5.00', ',50', '50,'])(
    '%j stays as it is in Portuguese',
    (text) => expect(decimalOf(text, 'pt-BR')).toBe(text),
  )
  it.each(['1.500', '1.500.000', '0,500', '1,5000', '1.50,00', '1,50.00', '1,5,0', ',50', '50,'])(
    '%j stays as it is in English',
    (text) => expect(decimalOf(text, 'en')).toBe(text),
  )
  it.each(['', 'R$ 1.500,00', '$1,500.00', '1 500,00', '- 5,00', '+5,00', '1e5', 'abc', '5,00 %', '١,٥', '--5,00'])(
    '%j is no number in any language',
    (text) => expect(LANGUAGES.map((language) => decimalOf(text, language))).toEqual([text, text]),
  )
  it('blanks alone are nothing', () => expect(decimalOf(' \t', 'pt-BR')).toBe(''))

  it('what the language itself writes is read as what it was', () =>
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 1e11 }), fc.constantFrom(...LANGUAGES), (cents, language) => {
        const [size, sign] = [Math.abs(cents), cents < 0 ? '-' : '']
        const number = `${sign}${Math.trunc(size / 100)}.${String(size % 100).padStart(2, '0')}`
        for (const useGrouping of [true, false]) {
          const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping })
          expect(decimalOf(format.format(cents / 100), language)).toBe(number)
        }
      }),
    ))
  it('what the service has goes back as the same number, whoever touches the field or not', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 4 }),
        fc.constantFrom(...LANGUAGES),
        (whole, digits, language) => {
          const value = digits === 0 ? String(whole) : `${whole}.${String(whole % 10 ** digits).padStart(digits, '0')}`
          expect(Number(decimalOf(shownDecimal(value, language), language))).toBe(Number(value))
        },
      ),
    ))
})

// CNPJ: known numbers, known mistakes, and the check digits computed a second way.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCnpj, normalizeCnpj, unmaskCnpj } from './cnpj.ts'

const VALID = [
  '12ABC34501DE35',
  '11222333000181',
  '00000000000191',
  '19131243000197',
  'A1B2C3D4000193',
  'ZZZZZZZZ000191',
  '1K2M3N4P0A9Z40',
  'AAAAAAAAAAAA45',
  '00000000000A04',
]

const INVALID = [
  ['12ABC34501DE36', 'a wrong check digit'],
  ['12ABC34501DE3X', 'a letter as check digit'],
  ['11222333000182', 'a wrong check digit, digits only'],
  ['12ABC34501DE355', 'fifteen characters'],
  ['1BC34501DE35', 'twelve characters'],
  ['12ABC345O1DE35', 'the letter O for a zero'],
  ['', 'nothing'],
  ['12ABC345#01DE35', 'a stray character'],
  ['12ABC34501DE3５', 'a full-width digit'],
  ['12ÁBC34501DE35', 'an accented letter'],
  ['12ıBC34501DE35', 'a letter that upper-cases into ASCII'],
  ['11222333000181\u0000', 'a NUL'],
  ['11222\n333000181', 'a line break inside'],
] as const

/** A second implementation of the rule: weights 2 to 9 from the right, a character counts as its code minus 48. */
function checkDigit(base: string): string {
  const sum = base
    .split('')
    .toReversed()
    .reduce((total, character, index) => {
      return total + (character.charCodeAt(0) - 48) * (2 + (index % 8))
    }, 0)
  return String(sum % 11 < 2 ? 0 : 11 - (sum % 11))
}

describe('normalizeCnpj', () => {
  it.each(VALID)('takes %s', (cnpj) => {
    expect(normalizeCnpj(cnpj)).toBe(cnpj)
    expect(normalizeCnpj(cnpj.toLowerCase())).toBe(cnpj)
    expect(normalizeCnpj(` ${formatCnpj(cnpj)}\n`)).toBe(cnpj)
  })

  it.each(INVALID)('refuses %j: %s', (input) => {
    expect(normalizeCnpj(input)).toBeNull()
  })

  it.each('0123456789'.split(''))('refuses fourteen times %s', (digit) => {
    expect(normalizeCnpj(digit.repeat(14))).toBeNull()
  })

  it('takes blanks between the groups', () => {
    expect(normalizeCnpj('12 ABC 345 01DE 35')).toBe('12ABC34501DE35')
  })

  it('accepts exactly the two right check digits of any base', () => {
    const base = fc.string({
      unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')),
      minLength: 12,
      maxLength: 12,
    })
    fc.assert(
      fc.property(base, fc.integer({ min: 0, max: 99 }), (root, offset) => {
        fc.pre(new Set(root).size > 1)
        const first = checkDigit(root)
        const right = first + checkDigit(root + first)
        const tried = String((Number(right) + offset) % 100).padStart(2, '0')
        expect(normalizeCnpj(root + tried)).toBe(tried === right ? root + right : null)
      }),
    )
  })
})

describe('unmaskCnpj', () => {
  it('keeps a number whose check digits are wrong', () => {
    expect(unmaskCnpj('12.abc.345/01de-36')).toBe('12ABC34501DE36')
  })
})

describe('formatCnpj', () => {
  it('puts the mask on letters and digits', () => {
    expect(formatCnpj('12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
    expect(formatCnpj('00000000000191')).toBe('00.000.000/0001-91')
  })
})

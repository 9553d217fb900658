// Money: exact for currencies with 0, 2 and 3 minor digits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidMoney, MAX_MINOR, formatMoney, isCurrency, minorDigits, parseMoney, percentOf, sum } from './money.ts'

const currency = fc.constantFrom(
  'JPY',
  'KRW',
  'CLP',
  'PYG',
  'VND',
  'BRL',
  'USD',
  'EUR',
  'KWD',
  'BHD',
  'OMR',
  'TND',
  'JOD',
)
const minor = fc.bigInt({ min: 0n, max: MAX_MINOR })

describe('parseMoney and formatMoney', () => {
  it('give back the same amount, with exactly the digits of the currency', () => {
    fc.assert(
      fc.property(minor, currency, (amount, code) => {
        const text = formatMoney(amount, code)
        const digits = minorDigits(code)
        expect(text).toMatch(digits === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${digits}}$`))
        expect(parseMoney(text, code)).toBe(amount)
      }),
    )
  })

  it('keep the order of amounts and the value of fewer digits', () => {
    fc.assert(
      fc.property(fc.nat({ max: 999_999 }), fc.nat({ max: 9 }), currency, (whole, tenth, code) => {
        const scale = 10n ** BigInt(minorDigits(code))
        expect(parseMoney(`${whole}`, code)).toBe(BigInt(whole) * scale)
        const withTenth = scale === 1n ? `${whole}${tenth}` : `${whole}.${tenth}`
        const unit = scale === 1n ? 1n : scale / 10n
        expect(parseMoney(withTenth, code)).toBe((BigInt(whole) * 10n + BigInt(tenth)) * unit)
      }),
    )
  })

  it.each([
    ['150.00', 'BRL', 15000n, '150.00'],
    ['150', 'BRL', 15000n, '150.00'],
    ['0.1', 'BRL', 10n, '0.10'],
    ['007.50', 'BRL', 750n, '7.50'],
    ['0', 'JPY', 0n, '0'],
    ['150', 'JPY', 150n, '150'],
    ['0.001', 'KWD', 1n, '0.001'],
    ['1.000', 'IQD', 1000n, '1.000'],
  ])('%s %s', (text, code, amount, normal) => {
    expect(parseMoney(text, code)).toBe(amount)
    expect(formatMoney(amount, code)).toBe(normal)
  })

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '1.',
    '.5',
    '1,50',
    '1e3',
    '0x10',
    '١',
    '1\n',
    'NaN',
    '1.2.3',
    '1_000',
    '9'.repeat(41),
  ])('refuse %j', (text) => {
    expect(() => parseMoney(text, 'BRL')).toThrow(InvalidMoney)
  })

  it.each([
    ['1.0', 'JPY'],
    ['1.000', 'BRL'],
    ['1.0000', 'KWD'],
  ])('refuse too many digits, even zeros: %s %s', (text, code) => {
    expect(() => parseMoney(text, code)).toThrow(InvalidMoney)
  })

  it('take the maximum and refuse more', () => {
    expect(parseMoney('999999999999999', 'JPY')).toBe(MAX_MINOR)
    expect(parseMoney('9999999999999.99', 'BRL')).toBe(MAX_MINOR)
    expect(() => parseMoney('1000000000000000', 'JPY')).toThrow(InvalidMoney)
    expect(() => parseMoney('10000000000000.00', 'BRL')).toThrow(InvalidMoney)
    expect(Number.isSafeInteger(Number(MAX_MINOR))).toBe(true)
  })

  it('read up to forty characters, leading zeros included', () => {
    expect(parseMoney('1'.padStart(40, '0'), 'BRL')).toBe(100n)
    expect(() => parseMoney('1'.padStart(41, '0'), 'BRL')).toThrow(InvalidMoney)
  })

  it('write a negative balance', () => {
    expect(formatMoney(-5n, 'BRL')).toBe('-0.05')
    expect(formatMoney(-150n, 'JPY')).toBe('-150')
  })
})

describe('sum', () => {
  it('of equal amounts is their product', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1_000_000n }), fc.nat({ max: 200 }), (amount, quantity) => {
        expect(sum(Array.from({ length: quantity }, () => amount))).toBe(amount * BigInt(quantity))
      }),
    )
  })

  it('has no rounding', () => {
    expect(formatMoney(sum([parseMoney('0.1', 'BRL'), parseMoney('0.2', 'BRL')]), 'BRL')).toBe('0.30')
    expect(formatMoney(sum(Array.from({ length: 3 }, () => parseMoney('1.005', 'KWD'))), 'KWD')).toBe('3.015')
    expect(sum([])).toBe(0n)
  })

  it('refuses a result that is too large', () => {
    expect(() => sum([MAX_MINOR, 1n])).toThrow(InvalidMoney)
    expect(sum([-MAX_MINOR])).toBe(-MAX_MINOR)
    expect(() => sum([-MAX_MINOR, -1n])).toThrow(InvalidMoney)
  })
})

describe('percentOf', () => {
  it('rounds half away from zero, on both sides of it', () => {
    const tenPercent = 1000n
    const parts = [-16n, -15n, -14n, -5n, -4n, 0n, 4n, 5n, 14n, 15n, 16n].map((amount) => percentOf(amount, tenPercent))
    expect(parts).toEqual([-2n, -2n, -1n, -1n, 0n, 0n, 0n, 1n, 1n, 2n, 2n])
  })
})

describe('isCurrency', () => {
  it('knows codes in capitals only', () => {
    for (const code of ['BRL', 'USD', 'JPY', 'KWD']) expect(isCurrency(code)).toBe(true)
    for (const code of ['brl', 'R$', '', 'XYZ', 'BRLX', 'XDR', 'XSU', 'toString']) expect(isCurrency(code)).toBe(false)
    expect(() => parseMoney('1', 'brl')).toThrow(InvalidMoney)
  })

  it("counts ISO 4217's digits where ICU counts others", () => {
    const icu = new Intl.NumberFormat('en', { style: 'currency', currency: 'IDR' })
    expect(icu.resolvedOptions().maximumFractionDigits).toBe(0)
    expect(minorDigits('IDR')).toBe(2)
    expect(minorDigits('IQD')).toBe(3)
    expect(minorDigits('COP')).toBe(2)
  })

  it.each([
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
  ])('has %i digits after the point in %s', (digits, codes) => {
    for (const code of codes.split(' ')) expect(minorDigits(code), code).toBe(digits)
  })
})

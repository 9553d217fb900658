// Dates and money in both languages, exact to the last digit.

import { describe, expect, it } from 'vitest'
import { formatDate, formatMoney, formatMonth, formatTime } from './format.ts'

describe('formatMoney', () => {
  it.each([
    ['pt-BR', '1234.50', 'BRL', 'R$ 1.234,50'],
    ['en', '1234.5', 'USD', '$1,234.50'],
    ['en', '150', 'JPY', '¥150'],
    ['pt-BR', '-0.10', 'BRL', '-R$ 0,10'],
    ['en', '9007199254740993.01', 'BRL', 'R$9,007,199,254,740,993.01'],
    ['en', '0.105', 'USD', '$0.105'],
    ['en', '1.234', 'KWD', 'KWD 1.234'],
    ['en', '1500.50', 'COP', 'COP 1,500.50'],
  ] as const)('%s %s %s → %s', (language, amount, currency, text) => {
    expect(formatMoney(language, amount, currency).replaceAll('\u00a0', ' ')).toBe(text)
  })

  it.each(['', '1e3', 'NaN', '1,5', '0x10', 'Infinity', ' 1'])('rejects %j', (amount) => {
    expect(() => formatMoney('en', amount, 'USD')).toThrow(TypeError)
  })
})

describe('formatDate', () => {
  it('is the same day in every time zone', () => {
    expect(formatDate('pt-BR', '2026-01-01')).toBe('1 de janeiro de 2026')
    expect(formatDate('en', '2026-01-01')).toBe('January 1, 2026')
  })

  it('rejects a text that is not a day', () => {
    expect(() => formatDate('en', '2026-13-01')).toThrow(TypeError)
  })
})

describe('formatMonth', () => {
  it('is the same month in every time zone', () => {
    expect(formatMonth('pt-BR', '2026-01')).toBe('janeiro de 2026')
    expect(formatMonth('en', '2026-01')).toBe('January 2026')
  })
})

describe('formatTime', () => {
  it('has the time in the zone, and the name of the zone', () => {
    expect(formatTime('en', '2026-11-20T02:30:00Z', 'America/Sao_Paulo').replaceAll('\u202f', ' ')).toBe(
      'November 19, 2026 at 11:30 PM GMT-3',
    )
    expect(formatTime('pt-BR', '2026-11-20T02:30:00Z', 'UTC')).toBe('20 de novembro de 2026 às 02:30 UTC')
  })
})

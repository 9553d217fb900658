// Times that PostgreSQL or JavaScript would not read back the same are refused.
import { describe, expect, it } from 'vitest'
import { Type } from 'typebox'
import { CalendarDate, Closed, Money, Month, Nullable, Timestamp, Percent } from '#kernel/values/schema.ts'
import { compileCheck, unstorableStrings } from '#kernel/values/validation/validation.ts'

describe('date-time', () => {
  const check = compileCheck(Timestamp)
  it.each([
    '2026-11-20T14:42:55Z',
    '2026-11-20T14:42:55.123456-03:00',
    '2026-11-20T00:00:00+15:59',
    '0999-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ])('takes %s', (text) => expect(check(text)).toBeNull())
  it.each([
    // The year in UTC does not have four digits, so it would be read back as another time or none.
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '9999-12-31T23:59:59.9999999Z',
    // PostgreSQL does not know the offset, JavaScript not the second.
    '2026-11-20T00:00:00+23:59',
    '2026-11-20T23:59:60Z',
  ])('refuses %s', (text) => expect(check(text)).not.toBeNull())
})

describe('date', () => {
  it('has no year 0', () => {
    const check = compileCheck(CalendarDate)
    expect(check('0000-01-01')).not.toBeNull()
    expect(check('0001-01-01')).toBeNull()
  })
})

describe('the words for a bad field', () => {
  const Shape = Closed({
    opening: Nullable(Closed({ from: Type.String({ pattern: '^\\d\\d$', examples: ['09'] }) })),
    rule: Type.Optional(Type.String({ pattern: '^(now|in:\\d)$', examples: ['in:5', 'now'] })),
  })
  const check = compileCheck(Shape)
  it('name what is wrong inside of an object, not that the object may also be null', () =>
    expect(check({ opening: { from: 'x' } })).toEqual({ 'opening.from': 'must have the form of 09' }))
  it('show every form that a text may have', () =>
    expect(check({ opening: null, rule: 'x' })).toEqual({ rule: 'must have the form of in:5 or now' }))
  it.each(['100.01', '18.123', '101', '-1', 'x'])('tell the bounds of a percentage: %s', (percent) => {
    const bounded = compileCheck(Closed({ percent: Nullable({ ...Percent, examples: ['2.00'] }) }))
    const sentence = 'must be a percentage from 0 to 100, with two digits after the point at most'
    expect(bounded({ percent })).toEqual({ percent: sentence })
    expect(bounded({ percent: '100.00' })).toBeNull()
  })
  it.each(['1949-12', '2200-01', '2026-13'])('tell the bounds of a month: %s', (month) =>
    expect(compileCheck(Closed({ month: Month }))({ month })).toEqual({
      month: 'must be a month from 1950-01 to 2199-12',
    }),
  )
})

describe('a value of several kinds', () => {
  const Lines = Type.Array(Closed({ amount: Type.Union([Type.Integer({ minimum: 0 }), Money]) }))
  const check = compileCheck(Closed({ lines: Nullable(Lines) }))
  const problem = (amount: unknown) => check({ lines: [{ amount: 1 }, { amount }] })?.['lines.1.amount']
  it.each([
    ['R$ 1.234,56', 'must have the form of 150.00'],
    [-1, 'must be at least 0'],
    [1.5, 'must be a whole number or a text'],
    [null, 'must be a whole number or a text'],
  ])('%j is told what is wrong with its kind', (amount, message) => expect(problem(amount)).toBe(message))
  it('is not told that it could also be absent', () =>
    expect(check({ lines: [{ amount: '1,5', x: 1 }] })).toEqual({
      'lines.0.amount': 'must have the form of 150.00',
      'lines.0.x': 'unknown field',
    }))
})

describe('unstorable names', () => {
  it('are named like values, at any depth, also where two of them would be one', () =>
    expect(unstorableStrings({ metadata: { 'a\0': 'x', 'a\ud800': 'y' }, list: [{ '\udfff': [] }] })).toEqual({
      'metadata.a\ufffd': 'has a name that must not contain NUL or unpaired surrogates',
      'list.0.\ufffd': 'has a name that must not contain NUL or unpaired surrogates',
    }))
})

describe('unknown fields', () => {
  it.each([1, 49, 99, 100, 101, 900])('are refused, also %i of them', (count) => {
    const check = compileCheck(Closed({ name: Type.String(), inside: Type.Optional(Closed({})) }))
    const many = Object.fromEntries(Array.from({ length: count }, (_, at) => [`field ${at}`, at]))
    for (const value of [
      { name: 'x', ...many },
      { name: 'x', inside: many },
    ]) {
      const fields = Object.entries(check(value) ?? {})
      expect(fields.length).toBeGreaterThanOrEqual(Math.min(count, 99))
      expect(new Set(fields.map(([, problem]) => problem))).toEqual(new Set(['unknown field']))
    }
  })
})

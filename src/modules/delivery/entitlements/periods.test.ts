// Periods that follow one another: month ends, leap days, and any order in which they are known.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { nextPeriod, type Period } from './periods.ts'

const ZONE = 'America/Sao_Paulo'
const at = (day: string) => new Date(`${day}T10:00:00-03:00`)

/** So many periods, one after the other. */
function periods(anchor: Date, months: number, count: number): Period[] {
  const all: Period[] = []
  while (all.length < count) all.push(nextPeriod(all, anchor, { months, timeZone: ZONE }))
  return all
}

it.each([
  ['31 January', '2027-01-31', 1, ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
  ['31 January of a leap year', '2028-01-31', 1, ['2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31']],
  ['30 January', '2027-01-30', 1, ['2027-02-28', '2027-03-30', '2027-04-30', '2027-05-30']],
  ['31 December', '2026-12-31', 1, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
  ['29 February', '2028-02-29', 12, ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
])('from %s each ends on the day of the first, or on the last day of a shorter month', (_what, first, months, ends) => {
  const all = periods(at(first), months, 4)
  expect(all.map(({ end }) => dayIn(end, ZONE))).toEqual(ends)
  expect(all.slice(1).map(({ start }) => start)).toEqual(all.slice(0, -1).map(({ end }) => end))
  expect(all[0]?.start).toEqual(at(first))
})

const known = fc.record({
  anchor: fc.date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
  months: fc.constantFrom(1, 12),
  // Of each period between the first and the last: whether it is known, and its place.
  between: fc.array(fc.record({ isKnown: fc.boolean(), place: fc.nat() }), { maxLength: 14 }),
})

it('is the same, in whatever order the ones before are known, and when some of them are not', () => {
  fc.assert(
    fc.property(known, ({ anchor, months, between }) => {
      const all = periods(anchor, months, between.length + 2)
      const next = nextPeriod(all, anchor, { months, timeZone: ZONE })
      const some = all
        .map((period, nth) => ({ period, isKnown: true, place: 0, ...between[nth - 1] }))
        .filter(({ isKnown }, nth) => isKnown || nth === all.length - 1)
        .toSorted((one, other) => one.place - other.place)
      const later = some.map(({ period }) => period)
      expect(nextPeriod(later, new Date(0), { months, timeZone: ZONE })).toEqual(next)
      expect(next.start).toEqual(all.at(-1)?.end)
    }),
    { seed: 53, numRuns: 200 },
  )
})

it.each([
  [
    'a shorter one first',
    [
      ['2027-01-10', '2027-02-01'],
      ['2027-02-01', '2027-03-01'],
    ],
    ['2027-03-01', '2027-04-01'],
  ],
  ['the day of another zone', [['2027-02-28', '2027-03-31']], ['2027-03-31', '2027-04-30']],
  [
    'one that was given twice',
    [
      ['2027-01-31', '2027-03-15'],
      ['2027-02-28', '2027-03-15'],
    ],
    ['2027-03-15', '2027-04-15'],
  ],
] as const)('begins with the end of the last, where others have named them: %s', (_what, before, [start, end]) => {
  const named = before.map(([from, to]) => ({ start: at(from), end: at(to) }))
  expect(nextPeriod(named, new Date(0), { months: 1, timeZone: ZONE })).toEqual({ start: at(start), end: at(end) })
})

it('goes on by the month ends of the last that has begun anew', () => {
  const named = [{ start: at('2027-01-10'), end: at('2027-01-31') }]
  for (let nth = 0; nth < 3; nth++) named.push(nextPeriod(named, new Date(0), { months: 1, timeZone: ZONE }))
  expect(named.map(({ end }) => dayIn(end, ZONE))).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'])
})

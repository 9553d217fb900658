// The months of a report have no gaps, and are those that the service shows.
import { expect, it } from 'vitest'
import { monthsFrom, monthsLater, periodOf } from '../../apps/console/src/routes/reports/months.ts'

it('every month between the first and the last is there, once', () => {
  expect(monthsFrom('2026-11', '2027-02')).toEqual(['2026-11', '2026-12', '2027-01', '2027-02'])
  expect(monthsFrom('2027-02', '2026-11')).toEqual([])
  expect(monthsLater('2027-01', -12)).toBe('2026-01')
})

it.each([
  [{}, '2026-02', '2027-01'],
  [{ month_from: '2026-10' }, '2026-10', '2027-01'],
  [{ month_to: '2026-06' }, '2025-07', '2026-06'],
  [{ month_from: '2027-05' }, '2027-05', '2027-05'],
  [{ month_from: '2026-01', month_to: '2026-03' }, '2026-01', '2026-03'],
])('asked for %j it is what the service takes', (asked, first, last) =>
  expect(periodOf(asked, new Date(2027, 0, 15))).toEqual({ first, last }),
)

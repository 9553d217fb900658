// The rules of docs/decisions/0055 as days: month ends, leap days, the end of a year, a night without midnight.
import { describe, expect, it } from 'vitest'
import { startOfDay } from '#kernel/values/time/calendar.ts'
import { dayBy } from './issue-day.ts'

const DAYS = { issued: '2026-11-20', finalized: '2026-11-21', due: '2026-12-05', paid: null }

describe('a rule', () => {
  it.each([
    ['on_payment', {}, null],
    ['on_payment', { paid: '2026-11-25' }, '2026-11-25'],
    ['on_finalize', {}, '2026-11-21'],
    ['on_finalize', { paid: '2026-11-25' }, '2026-11-21'],
    ['days_before_due:0', {}, '2026-12-05'],
    ['days_before_due:10', {}, '2026-11-25'],
    ['days_before_due:10', { paid: '2026-11-24' }, '2026-11-24'],
    ['days_before_due:10', { paid: '2026-11-30' }, '2026-11-25'],
    ['days_before_due:1', { due: '2024-03-01' }, '2024-02-29'],
    ['days_before_due:1', { due: '2026-03-01' }, '2026-02-28'],
    ['days_before_due:90', { due: '2026-03-31' }, '2025-12-31'],
    ['next_month_day:5', {}, '2026-12-05'],
    ['next_month_day:5', { paid: '2026-11-25' }, '2026-12-05'],
    ['next_month_day:5', { issued: '2026-12-31' }, '2027-01-05'],
    ['next_month_day:31', { issued: '2026-01-31' }, '2026-02-28'],
    ['next_month_day:31', { issued: '2024-01-31' }, '2024-02-29'],
    ['next_month_day:31', { issued: '2024-02-29' }, '2024-03-31'],
    ['next_month_day:1', { issued: '2024-02-29' }, '2024-03-01'],
  ])('%s with %j is %s', (rule, more, day) => {
    expect(dayBy(rule, { ...DAYS, ...more })).toBe(day)
  })
})

describe('the first moment of a day', () => {
  it.each([
    ['2026-11-20', 'America/Sao_Paulo', '2026-11-20T03:00:00.000Z'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2018-11-05', 'America/Sao_Paulo', '2018-11-05T02:00:00.000Z'],
    ['2026-11-20', 'Pacific/Kiritimati', '2026-11-19T10:00:00.000Z'],
    ['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z'],
  ])('%s in %s is %s', (day, zone, moment) => {
    expect(startOfDay(day, zone).toISOString()).toBe(moment)
  })
})

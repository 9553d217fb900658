// Business time: a table of cases, and properties from fixed seeds against a walk from minute to minute.
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { type BusinessHours, type Day, DAYS } from './business-hours.ts'
import { afterBusinessTime, businessTimeBetween, hoursFrom } from './business-time.ts'

const MINUTE_MS = 60_000
type Openings = { from: string; to: string }[]
const split: Openings = [
  { from: '09:00', to: '12:00' },
  { from: '13:00', to: '18:00' },
]
const on = (days: readonly Day[], openings: Openings) => Object.fromEntries(days.map((day) => [day, openings]))

const OFFICE: BusinessHours = {
  time_zone: 'America/Sao_Paulo',
  weekly: on(DAYS.slice(0, 5), split),
  holidays: ['2026-12-25'],
}
const ALWAYS: BusinessHours = { time_zone: 'America/New_York', weekly: on(DAYS, [{ from: '00:00', to: '24:00' }]) }
const NIGHTS: BusinessHours = {
  time_zone: 'America/New_York',
  weekly: on(['sunday'], [{ from: '01:00', to: '04:00' }]),
}
const IN_THE_GAP: BusinessHours = {
  time_zone: 'America/New_York',
  weekly: { sunday: [{ from: '02:00', to: '02:30' }], monday: [{ from: '09:00', to: '10:00' }] },
}

const moment = ({ time_zone }: BusinessHours, local: string): Date =>
  new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(time_zone).epochMilliseconds)

const CASES: [name: string, hours: BusinessHours, from: string, minutes: number, due: string][] = [
  ['within the morning', OFFICE, '2026-11-20T09:30', 60, '2026-11-20T10:30'],
  ['over lunch', OFFICE, '2026-11-20T11:30', 60, '2026-11-20T13:30'],
  ['over the night', OFFICE, '2026-11-19T17:30', 60, '2026-11-20T09:30'],
  ['over the weekend', OFFICE, '2026-11-20T17:30', 60, '2026-11-23T09:30'],
  ['over a holiday and the weekend behind it', OFFICE, '2026-12-24T17:30', 60, '2026-12-28T09:30'],
  ['from before the opening', OFFICE, '2026-11-23T07:00', 30, '2026-11-23T09:30'],
  ['from a break', OFFICE, '2026-11-23T12:20', 30, '2026-11-23T13:30'],
  ['from a Sunday', OFFICE, '2026-11-22T10:00', 30, '2026-11-23T09:30'],
  ['from a holiday', OFFICE, '2026-12-25T10:00', 30, '2026-12-28T09:30'],
  ['to exactly the closing time', OFFICE, '2026-11-20T17:00', 60, '2026-11-20T18:00'],
  ['to exactly the break', OFFICE, '2026-11-20T11:00', 60, '2026-11-20T12:00'],
  ['from exactly the closing time', OFFICE, '2026-11-20T18:00', 1, '2026-11-23T09:01'],
  ['of a whole week', OFFICE, '2026-11-23T09:00', 5 * 8 * 60, '2026-11-27T18:00'],
  ['over the end of a year', OFFICE, '2026-12-31T17:30', 60, '2027-01-01T09:30'],
  ['into a leap day', OFFICE, '2028-02-28T17:30', 60, '2028-02-29T09:30'],
  ['of a day that has 23 hours', ALWAYS, '2026-03-07T12:00', 1440, '2026-03-08T13:00'],
  ['of a day that has 25 hours', ALWAYS, '2026-10-31T12:00', 1440, '2026-11-01T11:00'],
  ['open while clocks go forward', NIGHTS, '2026-03-08T00:00', 120, '2026-03-08T04:00'],
  ['open while clocks go back', NIGHTS, '2026-11-01T00:00', 240, '2026-11-01T04:00'],
  ['of an opening that clocks skip', IN_THE_GAP, '2026-03-08T00:00', 30, '2026-03-09T09:30'],
]

describe('business time', () => {
  it.each(CASES)('%s', (_, hours, from, minutes, due) => {
    const start = moment(hours, from)
    const end = moment(hours, due)
    expect(afterBusinessTime(hours, start, minutes * MINUTE_MS).toISOString()).toBe(end.toISOString())
    expect(businessTimeBetween(hours, start, end)).toBe(minutes * MINUTE_MS)
  })
  it('is every moment without hours', () => {
    const start = new Date('2026-11-22T03:00:00.500Z')
    expect(afterBusinessTime(null, start, MINUTE_MS).toISOString()).toBe('2026-11-22T03:01:00.500Z')
    expect(businessTimeBetween(null, start, new Date('2026-11-22T03:01:00.500Z'))).toBe(MINUTE_MS)
  })
  it('keeps seconds, and stays where nothing is to pass', () => {
    const start = new Date(moment(OFFICE, '2026-11-20T17:59').getTime() + 1234)
    const later = new Date(moment(OFFICE, '2026-11-23T09:00').getTime() + 1234)
    expect(afterBusinessTime(OFFICE, start, MINUTE_MS)).toEqual(later)
    const closed = moment(OFFICE, '2026-11-22T10:00')
    expect(afterBusinessTime(OFFICE, closed, 0)).toEqual(closed)
    expect(businessTimeBetween(OFFICE, closed, closed)).toBe(0)
  })
  it('ends after ten years when there is too little of it', () => {
    const rare: BusinessHours = { time_zone: 'UTC', weekly: on(['monday'], [{ from: '09:00', to: '10:00' }]) }
    const due = afterBusinessTime(rare, new Date('2026-01-01T00:00:00Z'), 366 * 1440 * MINUTE_MS)
    expect(due.toISOString()).toBe('2036-01-02T00:00:00.000Z')
  })
  it('is kept without the holidays that are over, by the day in its time zone', () => {
    const hours = { ...OFFICE, holidays: ['2026-11-19', '2026-11-20', '2026-11-21'] }
    expect(hoursFrom(hours, new Date('2026-11-21T01:00:00Z')).holidays).toEqual(['2026-11-20', '2026-11-21'])
    const { holidays: _, ...without } = OFFICE
    expect(hoursFrom(without, new Date()).holidays).toEqual([])
  })
})

/** Whether the clock on the wall shows an open time, by Intl. */
function openBy({ time_zone, weekly, holidays = [] }: BusinessHours): (moment: number) => boolean {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short', timeStyle: 'short' })
  return (at) => {
    const [date = '', time = ''] = format.format(at).split(' ')
    const day = DAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'monday'
    return !holidays.includes(date) && (weekly[day] ?? []).some(({ from, to }) => time >= from && time < to)
  }
}

/** The day after a change of the clock, and others. */
const DAYS_AFTER: [zone: string, day: string][] = [
  ['America/New_York', '2026-03-09'],
  ['America/New_York', '2026-11-02'],
  ['Europe/Berlin', '2026-03-30'],
  ['Europe/Berlin', '2040-10-29'],
  // Half an hour, two hours, around midnight, and for a month only.
  ['Australia/Lord_Howe', '2026-04-06'],
  ['Australia/Lord_Howe', '2026-10-05'],
  ['Antarctica/Troll', '2026-03-30'],
  ['America/Nuuk', '2026-03-30'],
  ['America/Nuuk', '2026-10-26'],
  ['Africa/Casablanca', '2026-02-16'],
  ['Africa/Casablanca', '2026-03-23'],
  ['America/Sao_Paulo', '2018-11-05'],
  ['America/Sao_Paulo', '2019-02-18'],
  ['America/Sao_Paulo', '2028-03-01'],
  ['Asia/Kathmandu', '2027-01-01'],
  ['UTC', '2026-12-25'],
]
const clockTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const openings = fc
  .uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 2, maxLength: 6 })
  .map((ends) => ends.toSorted((one, other) => one - other).map((quarter) => clockTime(quarter * 15)))
  .map((ends) =>
    ends.flatMap((from, index) => (index % 2 === 0 && ends[index + 1] ? [{ from, to: ends[index + 1] ?? '' }] : [])),
  )
const someWeek: fc.Arbitrary<BusinessHours['weekly']> = fc
  .tuple(...DAYS.map(() => fc.option(openings, { freq: 3 })))
  .map((each) => Object.fromEntries(DAYS.map((day, index) => [day, each[index] ?? []])))
  // Enough of them for the walk to end within days.
  .filter((weekly) => lengthOf(weekly) >= 900)
const lengthOf = (weekly: BusinessHours['weekly']): number =>
  DAYS.flatMap((day) => weekly[day] ?? []).reduce((sum, { from, to }) => sum + minutesOf(to) - minutesOf(from), 0)
/** Hours, and a moment in the three days before one of the days above. */
const someScene = fc
  .record({
    place: fc.constantFrom(...DAYS_AFTER),
    before: fc.integer({ min: 0, max: 3 * 1440 }),
    weekly: someWeek,
    hasHoliday: fc.boolean(),
  })
  .map(({ place: [time_zone, day], before, weekly, hasHoliday }) => ({
    hours: { time_zone, weekly, holidays: hasHoliday ? [day] : [] },
    from: Date.parse(day) - before * MINUTE_MS,
  }))

/** The moment in which the last of so many open minutes has passed. */
function walked(hours: BusinessHours, from: number, minutes: number): number {
  const isOpen = openBy(hours)
  let at = from
  for (let left = minutes; left > 0; at += MINUTE_MS) if (isOpen(at)) left--
  return at
}

describe('business time of any hours, zone and moment', () => {
  it.each([1, 2, 3])('passes as in a walk from minute to minute (seed %i)', (seed) => {
    fc.assert(
      fc.property(someScene, fc.integer({ min: 1, max: 1440 }), ({ hours, from }, minutes) => {
        const due = afterBusinessTime(hours, new Date(from), minutes * MINUTE_MS).getTime()
        expect(new Date(due).toISOString()).toBe(new Date(walked(hours, from, minutes)).toISOString())
        expect(businessTimeBetween(hours, new Date(from), new Date(due))).toBe(minutes * MINUTE_MS)
      }),
      { seed, numRuns: 100 },
    )
  })
  it('passes in two parts as in one', () => {
    const part = fc.integer({ min: 1, max: 3 * 1440 * 60_000 })
    fc.assert(
      fc.property(someScene, part, part, ({ hours, from }, one, other) => {
        const whole = afterBusinessTime(hours, new Date(from), one + other)
        expect(afterBusinessTime(hours, afterBusinessTime(hours, new Date(from), one), other)).toEqual(whole)
      }),
      { seed: 4, numRuns: 200 },
    )
  })
})

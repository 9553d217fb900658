// Any pauses of a ticket's clock, from fixed seeds: what was promised is what runs, and no more.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BusinessHours } from '#modules/delivery/business-hours/business-hours.ts'
import { businessTimeBetween } from '#modules/delivery/business-hours/business-time.ts'
import type { Ticket } from './ticket.ts'
import { clockChange, deadlinesBy } from './ticket-clock.ts'

const DAY = [
  { from: '08:30', to: '12:00' },
  { from: '13:00', to: '18:00' },
]
const OFFICE: BusinessHours = {
  time_zone: 'America/New_York',
  weekly: {
    monday: DAY,
    tuesday: DAY,
    wednesday: DAY,
    thursday: DAY,
    friday: DAY,
    sunday: [{ from: '00:00', to: '24:00' }],
  },
  holidays: ['2026-03-11'],
}
/** Two days before the clocks go forward. */
const CREATED = Date.parse('2026-03-06T20:00:00.000Z')
const MINUTES = { high: 600 }
const terms = { firstResponseMinutes: MINUTES, resolutionMinutes: MINUTES, warningPercent: 75 }

function opened(business_hours: BusinessHours | null) {
  const started = {
    created_at: new Date(CREATED).toISOString(),
    priority: 'high' as const,
    paused_seconds: 0,
    business_hours,
  }
  const clock: Pick<Ticket, 'clock_stopped_at' | 'first_responded_at'> = {
    clock_stopped_at: null,
    first_responded_at: null,
  }
  return { ...started, ...clock, ...deadlinesBy(terms, started) }
}
const at = (seconds: number): Date => new Date(CREATED + seconds * 1000)

/** Seconds after the creation, ascending: the clock stops and runs again in turn. */
const turns = fc
  .uniqueArray(fc.integer({ min: 0, max: 6 * 86_400 }), { maxLength: 10 })
  .map((moments) => moments.toSorted((one, other) => one - other))
  .map((moments) => moments.slice(0, moments.length - (moments.length % 2)))

describe('a ticket with any pauses', () => {
  it.each([
    ['in business hours', OFFICE],
    ['round the clock', null],
  ])('runs until its deadlines for as long as was promised, %s', (_, hours) => {
    fc.assert(
      fc.property(turns, (moments) => {
        let ticket = opened(hours)
        let paused = 0
        for (const [index, moment] of moments.entries()) {
          const status = index % 2 === 0 ? ('waiting' as const) : ('in_progress' as const)
          if (index % 2 === 1) paused += businessTimeBetween(hours, at(moments[index - 1] ?? 0), at(moment))
          ticket = { ...ticket, ...clockChange(ticket, status, at(moment)) }
        }
        for (const due of [ticket.first_response_due_at, ticket.resolution_due_at])
          expect(businessTimeBetween(hours, at(0), new Date(due ?? 0)) - paused).toBe(600 * 60_000)
        for (const warning of [ticket.first_response_warn_at, ticket.resolution_warn_at])
          expect(businessTimeBetween(hours, at(0), new Date(warning ?? 0)) - paused).toBe(450 * 60_000)
        // A new priority computes them anew, from the total of the pauses.
        expect(ticket).toMatchObject({ ...deadlinesBy(terms, ticket), paused_seconds: paused / 1000 })
      }),
      { seed: 1, numRuns: 300 },
    )
  })
})

// The histories of the demo: their order whatever the day, and the shortest of them made to its end. The deep suite
// makes all (test/deep/demo-histories.test.ts).
import { describe, expect, it } from 'vitest'
import { loadHistories } from '../../src/demo/history/load-histories.ts'
import { actsOf, beginningOf, HISTORIES, HISTORY_NAMES } from '../../src/demo/history/histories.ts'
import { DEMO_MEMBERS, DEMO_SIGN_INS, DEMO_STAFF, demoPeople } from '../../src/demo/sign-ins.ts'
import { appOfFile } from '#test/harness/app.ts'
import { liveThrough } from '#test/scenes/demo-histories.ts'

const app = await appOfFile({ listens: true, drawsNothing: true })

const DAY_MS = 86_400_000
/** All days of the week, beginnings and ends of months. */
const days = Array.from({ length: 74 }, (_, nth) => new Date(Date.parse('2026-11-20T09:00:00Z') + nth * 5 * DAY_MS))

describe('the acts of a history', () => {
  it.each(HISTORY_NAMES)('of %s are in the same order on whichever day it is loaded', (name) => {
    for (const until of days) {
      const since = beginningOf(name, until)
      const times = HISTORIES[name].acts(since).map(({ at }) => at.getTime())
      const sale = times.slice(0, ACTS_OF_SALE)
      expect(
        sale.toSorted((one, other) => one - other),
        until.toISOString(),
      ).toEqual(sale)
      expect(new Set(times).size, until.toISOString()).toBe(times.length)
      expect(Math.min(...times)).toBeGreaterThan(since.getTime())
      expect(actsOf(name, { since, until }).length).toBeGreaterThan(times.length - MOST_AHEAD)
    }
  })
})

/** Offer, first look, acceptance and payment come first in each. */
const ACTS_OF_SALE = 4
/** Acts that the month's length puts after the day on which the demo is loaded. */
const MOST_AHEAD = 5

describe('the people of the demo', () => {
  it('are staff and members, each with what they do; staff only where they are', () => {
    const people = demoPeople({ hasStaff: true })
    expect(people).toHaveLength(DEMO_STAFF.length + Object.values(DEMO_MEMBERS).flat().length)
    expect(people[0]).toEqual({
      name: 'Administrator',
      email: 'staff@titular.example',
      does: 'administrator',
      organization: null,
    })
    expect(people.at(-1)).toMatchObject({ email: 'omar@harbor.example', organization: 'Harbor Analytics' })
    expect(new Set(people.map(({ email }) => email)).size).toBe(people.length)
    expect(demoPeople({ hasStaff: false }).filter(({ organization }) => organization === null)).toEqual([])
  })
})

describe('a history', () => {
  it('is made by the test clock to today, and leaves a customer without one, whose people sign in', async () => {
    const ids = await liveThrough(app, ['harbor'])
    const signedIn = await app.world.anonymous.post('/auth/login', {
      email: 'grace@harbor.example',
      password: DEMO_SIGN_INS.password,
    })
    const headers = {
      authorization: `Bearer ${signedIn.data.access_token}`,
      'x-service-organization': String(ids.get('Harbor Analytics')),
    }
    const read = async (path: string) => (await app.world.anonymous.get(path, headers)).data
    const organization = await read(`/organizations/${ids.get('Harbor Analytics')}`)
    expect(organization).toMatchObject({ has_test_clock: false })
    const invoices = await read('/invoices?per_page=100')
    expect(invoices.map(({ status }: { status: string }) => status)).toEqual(Array.from({ length: 11 }, () => 'paid'))
    expect(await read('/refunds')).toMatchObject([{ status: 'succeeded', amount: '68.60' }])
    expect(await read('/environments')).toMatchObject([{ status: 'decommissioned' }])
    const quotes = await read('/quotes')
    expect(quotes.map(({ status }: { status: string }) => status)).toEqual(['viewed', 'rejected', 'fulfilled'])
    const tickets = await read('/tickets')
    expect(tickets).toHaveLength(4)
    const left = await app.database.query('select kind, last_error from jobs where last_error is not null')
    expect(left).toEqual([])
  })
  it('that comes to no end keeps its clock, and the next one goes on', async () => {
    await loadHistories(app.service, ['aurora', 'horizonte'])
    // As after an act that has failed for good.
    await app.database.query(`delete from jobs where kind = 'demo/act'`)
    const advancing = () => app.database.query(`select id from jobs where kind = 'demo/advance'`)
    for (let looks = 0; looks < 20 && (await advancing()).length > 0; looks++) {
      app.clock.advance(3)
      await app.service.worker.drain()
    }
    expect(await advancing()).toEqual([])
    expect(await app.database.query('select advancing_to, error from test_clocks')).toEqual([
      { advancing_to: null, error: null },
      { advancing_to: null, error: null },
    ])
    expect(app.log.filter((line) => line.includes('a history of the demo has stopped'))).toHaveLength(2)
  })
})

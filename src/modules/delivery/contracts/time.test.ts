// Contracts and quotes over time: they expire once, and warn once before.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let acme: Organization
let viewer: Speaker

const app = await appOfFile()

/** Sessions expire, so each test has its own users. */
async function begin(moment: string): Promise<void> {
  app.clock.now = new Date(moment)
  acme = await app.world.organization()
  viewer = await acme.member({ scopes: ['contracts', 'quotes'] })
  const administrator = await app.world.user({ name: 'Staff', roles: ['customer', 'administrator'] })
  acme = { ...acme, staff: app.world.inside(administrator, acme.id) }
}

async function active(more: object): Promise<number> {
  const answer = await acme.staff.post('/contracts', { title: 'Maintenance', ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  const { id } = answer.data
  expect((await acme.staff.post(`/contracts/${id}/status`, { status: 'active' })).status).toBe(200)
  return id
}

/** Runs the periodic jobs at the given time, twice, because a second run must change nothing. */
async function tick(moment: string): Promise<void> {
  app.clock.now = new Date(moment)
  for (let round = 0; round < 2; round++) {
    for (const kind of ['contracts/expire', 'contracts/warn', 'quotes/expire', 'quotes/warn'])
      await app.database.query(
        `insert into jobs (kind, every_seconds, run_at) values ($1, 60, $2)
         on conflict (kind) where every_seconds is not null do update set run_at = excluded.run_at`,
        [kind, app.clock.now],
      )
    await app.service.worker.drain()
  }
}

async function eventsOf(resource: string, id: number): Promise<string[]> {
  const rows = await app.database.query<{ name: string }>(
    `select split_part(type, '/', 3) as name from events
      where organization_id = $1 and resource = $2 and resource_id = $3 order by sequence`,
    [acme.id, resource, id],
  )
  return rows.map(({ name }) => name)
}

async function subjectsTo(email: string): Promise<string[]> {
  const mails = (await app.service.sandbox?.mail?.list()) ?? []
  return mails.filter(({ to }) => to === email).map(({ subject }) => subject)
}

describe('contracts', () => {
  it('send no mail to members of a deleted organization', async () => {
    await begin('2026-06-01T12:00:00Z')
    await active({ start_date: '2026-01-01', end_date: '2026-07-31' })
    await app.database.query('update organizations set deleted_at = $1 where id = $2', [app.clock.now, acme.id])
    await tick('2026-07-02T12:00:00Z')
    expect(await subjectsTo(viewer.email)).toEqual([])
  })
  it('expire when the last day is over in the time zone of their legal entity', async () => {
    await begin('2026-07-10T12:00:00Z')
    const dates = { start_date: '2026-01-01', end_date: '2026-07-10' }
    const ids = [await active({ ...dates, company: 'entity_br' }), await active({ ...dates, company: 'entity_global' })]
    const statuses = async () =>
      (
        await app.database.query<{ status: string }>('select status from contracts where id = any($1) order by id', [
          ids,
        ])
      ).map(({ status }) => status)
    await tick('2026-07-10T23:30:00Z')
    expect(await statuses()).toEqual(['active', 'active'])
    await tick('2026-07-11T01:00:00Z')
    expect(await statuses()).toEqual(['active', 'expired'])
    await tick('2026-07-11T03:00:00Z')
    expect(await statuses()).toEqual(['expired', 'expired'])
    const history = await app.database.query(
      'select to_status, changed_by from contract_history where contract_id = $1 order by id',
      [ids[1]],
    )
    expect(history.at(-1)).toEqual({ to_status: 'expired', changed_by: null })
  })
  it('warn once at each of the days, and once when the notice window opens', async () => {
    await begin('2026-08-01T12:00:00Z')
    const dates = { start_date: '2026-08-01', end_date: '2026-12-31' }
    const id = await active({ ...dates, notice_days: 45, company: 'entity_global' })
    const warnings = async (day: string) => {
      await tick(`${day}T12:00:00Z`)
      return (await eventsOf('contract', id)).slice(2)
    }
    expect(await warnings('2026-11-15')).toEqual([])
    expect(await warnings('2026-11-16')).toEqual(['notice_window'])
    expect(await warnings('2026-12-01')).toEqual(['notice_window', 'ending'])
    expect(await warnings('2026-12-20')).toEqual(['notice_window', 'ending'])
    expect(await warnings('2026-12-25')).toEqual(['notice_window', 'ending', 'ending'])
    expect(await warnings('2026-12-31')).toEqual(['notice_window', 'ending', 'ending', 'ending'])
    const subjects = await subjectsTo(viewer.email)
    expect(subjects.filter((subject) => /ends on December 31/.test(subject))).toHaveLength(3)
    expect(subjects.filter((subject) => /time to decide/.test(subject))).toHaveLength(1)
    expect((await subjectsTo(acme.owner.email)).length).toBe(4)
  })
  it('do not warn when the contract began after the day of the warning', async () => {
    await begin('2027-01-01T12:00:00Z')
    const id = await active({ start_date: '2027-01-01', end_date: '2027-01-20', company: 'entity_global' })
    await tick('2027-01-02T12:00:00Z')
    expect(await eventsOf('contract', id)).toEqual(['created', 'activated'])
    await tick('2027-01-13T12:00:00Z')
    expect(await eventsOf('contract', id)).toEqual(['created', 'activated', 'ending'])
  })
})

describe('quotes', () => {
  it('warn once at each of the days while they are open', async () => {
    await begin('2028-03-01T12:00:00Z')
    const id = await sentQuote(acme, { valid_until: '2028-03-20' })
    const rejected = await sentQuote(acme, { valid_until: '2028-03-20' })
    await viewer.post(`/quotes/${rejected}/reject`)
    await tick('2028-03-02T12:00:00Z')
    expect(await eventsOf('quote', id)).not.toContain('expiring')
    await tick('2028-03-14T12:00:00Z')
    await tick('2028-03-20T12:00:00Z')
    expect((await eventsOf('quote', id)).filter((name) => name === 'expiring')).toHaveLength(2)
    expect(await eventsOf('quote', rejected)).not.toContain('expiring')
    expect((await subjectsTo(viewer.email)).filter((subject) => /valid until March 20/.test(subject))).toHaveLength(2)
    await tick('2028-03-21T12:00:00Z')
    expect((await eventsOf('quote', id)).at(-1)).toBe('expired')
  })
})

// Overdue invoices: shown by the calendar of the legal entity, announced once, found by a filter.
import { describe, expect, it } from 'vitest'
import { isDeep } from '#test/harness/seeds.ts'
import { appOfFile } from '#test/harness/app.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const admin = await app.world.user({ roles: ['customer', 'administrator'] })
const dunning: Dunning = dunningAt(app, () => [acme.owner, acme.staff, admin])

const seen = async (id: number) => (await acme.owner.get(`/invoices/${id}`)).data
const shown = async (id: number) => {
  const { is_overdue, overdue_since } = await seen(id)
  return [is_overdue, overdue_since]
}
const overdue = async (speaker: Speaker, path: string): Promise<number[]> =>
  (await speaker.get(`${path}?overdue=true&per_page=100`)).data.map(({ id }: { id: number }) => id)
const eventsOf = async (id: number): Promise<string[]> =>
  (
    await app.database.query<{ type: string }>(
      `select type from events where resource = 'invoice' and resource_id = $1 and type like '%overdue'`,
      [id],
    )
  ).map(({ type }) => type)
/** The clock at this moment, within some days from now. */
async function at(moment: string): Promise<void> {
  app.clock.now = new Date(moment)
  await dunning.wake()
}

describe('an open invoice', () => {
  it('is overdue from the first moment of the day after its due date, at the legal entity', async () => {
    const [here, abroad] = [
      await dunning.owes(acme),
      await dunning.owes(acme, { company: 'entity_global', currency: 'USD' }),
    ]
    const next = dunning.day(6)
    await at(`${next}T02:59:59.999Z`)
    expect(await shown(here.id)).toEqual([false, null])
    await at(`${next}T03:00:00.000Z`)
    expect(await shown(here.id)).toEqual([true, next])
    // The other one is in the zone of the settings.
    const zone = app.service.ports.settings.entities.entity_global.timeZone
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(app.clock.now)
    expect(await shown(abroad.id)).toEqual(day === next ? [true, next] : [false, null])
  })
  it('is found by the filter, by the customer and by staff, and only while it is overdue', async () => {
    const [late, soon] = [await dunning.owes(acme, { due_date: dunning.day(1) }), await dunning.owes(acme)]
    await dunning.jump(2)
    for (const [speaker, path] of [
      [acme.owner, '/invoices'],
      [admin, '/admin/invoices'],
    ] as const) {
      const ids = await overdue(speaker, path)
      expect(ids).toContain(late.id)
      expect(ids).not.toContain(soon.id)
    }
    const other = await app.world.organization()
    expect(await overdue(other.owner, '/invoices')).toEqual([])
    await acme.staff.post(`/invoices/${late.id}/pay`, {})
    expect(await overdue(acme.owner, '/invoices')).not.toContain(late.id)
    expect(await shown(late.id)).toEqual([false, null])
    expect((await acme.owner.get('/invoices?overdue=false')).status).toBe(422)
  })
  it.each([
    ['paid', (id: number) => acme.staff.post(`/invoices/${id}/pay`, {})],
    ['voided', (id: number) => acme.staff.post(`/invoices/${id}/void`)],
    ['credited in full', (id: number) => acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'Goodwill' })],
    ['given up', (id: number) => acme.staff.post(`/invoices/${id}/mark-uncollectible`)],
  ])('is not overdue any more when it is %s, and nothing is announced after that', async (_, act) => {
    const { id } = await dunning.owes(acme, { due_date: dunning.day(1) })
    await dunning.jump(2)
    expect((await shown(id))[0]).toBe(true)
    expect((await act(id)).status).toBeLessThan(300)
    expect(await shown(id)).toEqual([false, null])
    await dunning.pass(30)
    expect(await eventsOf(id)).toEqual([])
    expect(await app.database.query('select 1 from dunning_cases where invoice_id = $1', [id])).toEqual([])
  })
  it('is announced once, however often the jobs run, also two at once', async () => {
    const { id } = await dunning.owes(acme)
    await dunning.pass(5)
    expect(await eventsOf(id)).toEqual([])
    await app.database.query(`insert into jobs (kind, run_at) select 'dunning/dun', $1 from generate_series(1, 3)`, [
      new Date(app.clock.now.getTime() + 86_400_000),
    ])
    await dunning.pass(1)
    for (const days of [0, 1, 30]) await dunning.pass(days)
    expect(await eventsOf(id)).toEqual(['titular/invoice/overdue'])
    expect((await seen(id)).status).toBe('open')
  })
})

it.runIf(isDeep)('six hundred overdue invoices are worked through in one run, each once', async () => {
  await app.database.query(
    `with made as (
       insert into invoices (organization_id, number, status, company, currency, total, line_items, issue_date, due_date)
       select $1, 'MANY-' || n, 'open', 'entity_br', 'BRL', '1.00', '[]', '2026-01-01', '2026-01-31'
         from generate_series(1, 600) n returning id)
     insert into dunning_cases (organization_id, invoice_id, company, next_at) select $1, id, 'entity_br', $2 from made`,
    [acme.id, app.clock.now],
  )
  await dunning.pass(0)
  await dunning.pass(0)
  const [found] = await app.database.query(
    `select count(*)::int as all, count(distinct e.resource_id)::int as each from events e join invoices i on i.id = e.resource_id
      where e.type = 'titular/invoice/overdue' and i.number like 'MANY-%'`,
  )
  expect(found).toEqual({ all: 600, each: 600 })
})

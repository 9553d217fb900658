// Totals of long lists, which are not counted again until the organization changes: exact after each change, whoever
// made it and whoever asks.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { eventConsumers } from '#kernel/data/events.ts'
import { entitlementsTable } from '#modules/delivery/entitlements/entitlement.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { allowCopies, copyRow } from '#test/scenes/many-rows.ts'
import { createRecords } from '#test/scenes/records.ts'
import { insert } from '#kernel/data/changes.ts'
import { createKeptTotals } from './kept-totals.ts'
import { page } from './page.ts'
import { prepare, sql } from '#kernel/values/sql.ts'
import { SYSTEM_CALLER } from '#kernel/access/transactions.ts'

const MANY = 6_000

let app: TestApp
let acme: Organization
let member: Speaker
beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  member = await acme.member({ scopes: ['entitlements', 'quotes'] })
  const { entitlements, quotes } = await createRecords(app, acme)
  await allowCopies(app.database)
  await copyRow(app.database, { table: 'entitlements', id: Number(entitlements), count: MANY - 1 })
  await copyRow(app.database, { table: 'quotes', id: Number(quotes), count: MANY - 1 })
  for (const path of ['/entitlements', '/quotes']) await keep(path)
})
afterAll(() => app.close())

const totalOf = async (path: string, by = member): Promise<number | undefined> => (await by.get(path)).meta?.total

/** The first request finds that the list is long, the second one keeps its total. */
async function keep(path: string, by = member): Promise<void> {
  await totalOf(path, by)
  await totalOf(path, by)
}

const sold = { class: 'PLG', product_name: 'Backup', company: 'entity_br' } as const

/** Adds an entitlement in a transaction of its own, which `end` may break. */
const add = (service = app.service, end = () => {}) =>
  service.transactions.inOrganization(
    acme.id,
    {
      caller: SYSTEM_CALLER,
      now: app.clock.now,
      requestId: 'test',
      ip: null,
      consumers: eventConsumers([]),
      settings: {} as never,
      store: service.store(),
    },
    async (ctx) => {
      const code = `PLG-203001${Math.random().toString().slice(2, 8)}`
      await insert(ctx, entitlementsTable, { ...sold, code })
      end()
    },
  )

describe('the total of a long list', () => {
  // On a cluster every list is counted (docs/scaling.md).
  it.skipIf(inject('postgres').isDistributed)('is kept: rows that no change wrote are not counted', async () => {
    const before = await totalOf('/entitlements')
    await app.database.query(
      `delete from entitlements where organization_id = $1 and id = (select max(id) from entitlements)`,
      [acme.id],
    )
    expect(await totalOf('/entitlements')).toBe(before)
    await add()
    expect(await totalOf('/entitlements')).toBe(before)
  })

  it('is exact after each change', async () => {
    const before = (await totalOf('/entitlements')) ?? 0
    const { data } = await acme.staff.post('/entitlements', { ...sold, organization_id: acme.id })
    expect(await totalOf('/entitlements')).toBe(before + 1)
    expect(await totalOf('/entitlements')).toBe(before + 1)
    await keep('/entitlements?status=active')
    const active = (await totalOf('/entitlements?status=active')) ?? 0
    expect((await acme.staff.post(`/entitlements/${data.id}/suspend`, {})).status).toBe(200)
    expect(await totalOf('/entitlements?status=active')).toBe(active - 1)
    expect(await totalOf('/entitlements')).toBe(before + 1)
  })

  it('finds pages from the nearer end', async () => {
    const total = (await totalOf('/entitlements')) ?? 0
    const last = Math.ceil(total / 100)
    const { data, meta } = await member.get(`/entitlements?per_page=100&page=${last}`)
    expect(data.length).toBe(total - (last - 1) * 100)
    expect(meta).toEqual({ page: last, per_page: 100, total, pages: last })
    await add()
    const after = await member.get(`/entitlements?per_page=100&page=${Math.ceil((total + 1) / 100)}`)
    expect(after.data.at(-1)).toEqual(data.at(-1))
  })

  it('stays when a change is rolled back, and is exact after the next one', async () => {
    const before = (await totalOf('/entitlements')) ?? 0
    const broken = add(app.service, () => {
      throw new Error('broken')
    })
    await expect(broken).rejects.toThrow('broken')
    expect(await totalOf('/entitlements')).toBe(before)
    await add()
    expect(await totalOf('/entitlements')).toBe(before + 1)
  })

  it('is exact after a change of another process', async () => {
    const second = await startApp({ databaseUrl: () => app.database.url })
    try {
      const before = (await totalOf('/entitlements')) ?? 0
      await add(second.service)
      expect(await totalOf('/entitlements')).toBe(before + 1)
    } finally {
      await second.close()
    }
  })

  it('is that of what the caller may see', async () => {
    await keep('/quotes', acme.staff)
    const draft = { currency: 'BRL', valid_until: '2099-12-31', line_items: [] }
    const line = { product_name: 'Backup', quantity: 1, unit_price: '10.00', entitlement_class: 'PLG' }
    expect((await acme.staff.post('/quotes', { ...draft, line_items: [line] })).status).toBe(201)
    for (let round = 0; round < 3; round++) {
      expect(await totalOf('/quotes', acme.staff)).toBe(MANY + 1)
      expect(await totalOf('/quotes')).toBe(MANY)
    }
  })

  it('is of one organization', async () => {
    const other = await app.world.organization()
    const stranger = await other.member({ scopes: ['entitlements'] })
    expect(await totalOf('/entitlements', stranger)).toBe(0)
  })

  it('is counted again a minute after it was counted, however often it is asked for until then', () => {
    let now = 0
    const totals = createKeptTotals(() => now)
    const plan = page({}, { columns: sql`id`, from: sql`from entitlements where organization_id = 1`, keptFor: 1 })
    const known = () => prepare(totals.statementsOf(plan)[1]).values[2]
    const compared = { sequence: 1, sight: '', total: MANY } as const
    totals.keep(plan, { total: MANY })
    totals.keep(plan, { ...compared, counted: true })
    now = 59_999
    expect(known()).toEqual([MANY])
    totals.keep(plan, { ...compared, counted: false })
    now = 60_000
    expect(known()).toEqual([])
  })
})

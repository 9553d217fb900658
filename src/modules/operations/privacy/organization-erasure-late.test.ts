// The erasure of an organization, and what comes between its request, its beginning and its end.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords } from '#test/scenes/records.ts'
import type { Organization } from '#test/harness/world.ts'

const app = await appOfFile({ environment: { ERASURE_DAYS: '1' } })
const staff = (await app.world.organization()).staff

const DAY_MS = 86_400_000
const query = <Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  app.database.query<Row>(text, values)
const pathOf = ({ id }: Organization): string => `/admin/privacy/organizations/${id}/erasure`
const erasureOf = async (org: Organization) => (await staff.get(pathOf(org))).data.erasure
const deleteIt = async ({ id, owner }: Organization) =>
  expect((await owner.delete(`/organizations/${id}`)).status).toBe(200)

async function requested(): Promise<Organization> {
  const org = await app.world.organization()
  await deleteIt(org)
  expect((await staff.post(pathOf(org))).status).toBe(202)
  return org
}
async function run(): Promise<void> {
  await query(`delete from jobs where kind = 'privacy/erase-due'`)
  await query(`insert into jobs (kind, run_at) values ('privacy/erase-due', $1)`, [app.clock.now])
  await app.service.worker.drain()
}
async function runWhenDue(org: Organization, isAlone = true): Promise<void> {
  await query('update organization_erasures set due_at = $2 where organization_id = $1', [org.id, app.clock.now])
  await (isAlone ? run() : app.service.worker.drain())
}
const restore = async ({ id }: Organization) => (await staff.post(`/admin/organizations/${id}/restore`)).status

describe('POST /admin/organizations/{id}/restore', () => {
  it('cancels the erasure, so that a later deletion is not followed by it', async () => {
    const org = await requested()
    expect(await restore(org)).toBe(200)
    expect(await erasureOf(org)).toMatchObject({ status: 'cancelled', problem: 'The organization was restored' })
    await deleteIt(org)
    await runWhenDue(org)
    expect(await erasureOf(org)).toMatchObject({ status: 'cancelled' })
    const again = await staff.post(pathOf(org))
    expect(again.status).toBe(202)
    expect(new Date(again.data.due_at).getTime()).toBe(app.clock.now.getTime() + DAY_MS)
    const actions = await query<{ action: string }>(
      `select action from service_audit where resource = 'organization' and resource_id = $1 and action like '%erasure%' order by id`,
      [org.id],
    )
    expect(actions.map(({ action }) => action)).toEqual([
      'organization_erasure_requested',
      'organization_erasure_cancelled',
      'organization_erasure_requested',
    ])
    expect(await restore(org)).toBe(200)
  })
  it('and a request at once leave no living organization with an erasure', async () => {
    for (let round = 0; round < 5; round++) {
      const org = await app.world.organization()
      await deleteIt(org)
      const [asked, restored] = await Promise.all([staff.post(pathOf(org)), restore(org)])
      expect([202, 409]).toContain(asked.status)
      expect(restored).toBe(200)
      expect((await erasureOf(org))?.status ?? 'cancelled').toBe('cancelled')
    }
  })
})

describe('the erasure of an organization', () => {
  it('waits for a tax invoice that is being cancelled', async () => {
    const org = await app.world.organization()
    await createRecords(app, org)
    const obstacles = async () =>
      (await staff.get(pathOf(org))).data.obstacles.filter(({ what }: { what: string }) => what === 'tax_invoices')
    await query(`update tax_invoices set status = 'issued', substatus = null where organization_id = $1`, [org.id])
    expect(await obstacles()).toEqual([])
    await query(`update tax_invoices set substatus = 'cancelling' where organization_id = $1`, [org.id])
    expect(await obstacles()).toEqual([{ what: 'tax_invoices', count: 1 }])
  })
  it('leaves the jobs that remove bytes, and to the end those that archive fiscal documents', async () => {
    const org = await requested()
    await query(
      `insert into jobs (organization_id, kind, payload, run_at)
       select $1, kind, '{}', 'infinity' from unnest('{files/remove, filed-documents/file-invoice, quotes/warn}'::text[]) kind`,
      [org.id],
    )
    const kinds = async () => {
      const rows = await query<{ kind: string }>('select kind from jobs where organization_id = $1 order by 1', [
        org.id,
      ])
      return rows.map(({ kind }) => kind)
    }
    await runWhenDue(org)
    expect((await erasureOf(org)).status).toBe('kept')
    expect(await kinds()).toEqual(['filed-documents/file-invoice', 'files/remove'])
    await query('update organization_erasures set kept_until = $2 where organization_id = $1', [org.id, app.clock.now])
    await run()
    expect(await kinds()).toEqual(['files/remove'])
  })
  it('leaves nothing where two processes work on it at once', async () => {
    const org = await requested()
    await query(
      `insert into search_terms (organization_id, term, resource, resource_id, field)
       select $1, 'many', 'payment', n, 'reference' from generate_series(1, 20000) n`,
      [org.id],
    )
    await query(`insert into jobs (kind, run_at) select 'privacy/erase-due', $1 from generate_series(1, 3)`, [
      app.clock.now,
    ])
    await runWhenDue(org, false)
    for (let look = 0; look < 5 && (await erasureOf(org)).status !== 'kept'; look++) await run()
    expect((await erasureOf(org)).status).toBe('kept')
    expect(await query('select count(*)::int as n from search_terms where organization_id = $1', [org.id])).toEqual([
      { n: 0 },
    ])
  })
  it('ends also where something was added to the working tables since they were emptied', async () => {
    const org = await requested()
    await runWhenDue(org)
    await query(
      `insert into search_terms (organization_id, term, resource, resource_id, field) values ($1, 'late', 'payment', 1, 'reference')`,
      [org.id],
    )
    await query('update organization_erasures set kept_until = $2 where organization_id = $1', [org.id, app.clock.now])
    await run()
    expect((await erasureOf(org)).status).toBe('done')
    expect(await query('select 1 from search_terms where organization_id = $1', [org.id])).toEqual([])
  })
})

// The erasure of an organization (docs/interface/operations.md, Privacy): what stands in its way, what goes, what stays
// for years, and the end.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'
import { createRecords } from '#test/scenes/records.ts'
import { declarations } from '../../../modules.ts'
import { withKernel, LEFT_TABLES, SELF_REFERRING } from './organization-erasure.ts'

const app = await appOfFile({ environment: { ERASURE_DAYS: '0' } })
const full = await app.world.organization()
const staff = full.staff
await createRecords(app, full)

const query = <Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  app.database.query<Row>(text, values)
const pathOf = ({ id }: Organization): string => `/admin/privacy/organizations/${id}/erasure`

async function run(): Promise<void> {
  await query(`delete from jobs where kind = 'privacy/erase-due'`)
  await query(`insert into jobs (kind, run_at) values ('privacy/erase-due', $1)`, [app.clock.now])
  await app.service.worker.drain()
}
const statusOf = async (of: Organization) => (await staff.get(pathOf(of))).data.erasure.status
const rowsIn = async ({ id }: Organization, tables: readonly string[]): Promise<string[]> => {
  const counted = await Promise.all(
    tables.map(async (name) => (await query(`select 1 from ${name} where organization_id = $1`, [id])).length && name),
  )
  return counted.filter((name): name is string => typeof name === 'string')
}
const tenantTables = async (): Promise<string[]> => {
  const rows = await query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
        and exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname in ('tenant', 'titular_app_select')) order by 1`,
  )
  return rows.map(({ name }) => name)
}
/** What the sweeps' records leave open. */
async function settle({ id }: Organization): Promise<void> {
  for (const statement of [
    `update invoices set status = 'uncollectible' where status in ('draft', 'open')`,
    `update refunds set status = 'failed' where status = 'processing'`,
    `update disputes set status = 'won', settled_at = now() where status = 'open'`,
    `update credit_balances set amount = 0.00`,
    `update orders set subscription_status = 'canceled' where subscription_status is not null`,
    `update affiliate_payouts set status = 'cancelled' where status in ('requested', 'approved')`,
    `update tax_invoices set status = 'error' where status = 'pending'`,
  ])
    await query(`${statement}${statement.includes('where') ? ' and' : ' where'} organization_id = $1`, [id])
}

const { working: WORKING_TABLES, fiscal: FISCAL_TABLES } = withKernel(declarations.erasure)

describe('the tables of an organization', () => {
  it('are each removed with the erasure, after the years of fiscal law, or left for a reason', async () => {
    const declared = [...WORKING_TABLES, ...FISCAL_TABLES, ...Object.keys(LEFT_TABLES)]
    expect(declared.toSorted()).toEqual(await tenantTables())
  })
  it('are those that the function of the database names', async () => {
    const [found] = await query<{ source: string }>(
      `select prosrc as source from pg_proc where proname = 'remove_from_organization'`,
    )
    const named = (list: string) =>
      [
        ...(
          new RegExp(`${list} constant text\\[\\] := array\\[([^\\]]*)`).exec(found?.source ?? '')?.[1] ?? ''
        ).matchAll(/\w+/g),
      ]
        .map(String)
        .toSorted()
    expect([named('working'), named('fiscal')]).toEqual([WORKING_TABLES.toSorted(), FISCAL_TABLES.toSorted()])
  })
  it('go in an order in which none refers to one that went before', async () => {
    const order = [...WORKING_TABLES, ...FISCAL_TABLES]
    const keys = await query<{ from: string; to: string }>(
      `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
        where contype = 'f' and confdeltype = 'a' and connamespace = 'public'::regnamespace`,
    )
    const wrong = keys.filter(
      ({ from, to }) =>
        from !== to && order.includes(to) && (order.indexOf(from) === -1 || order.indexOf(from) > order.indexOf(to)),
    )
    // The two cycles: emptied before, and in one statement.
    expect(wrong.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual([
      'environments maintenance_windows',
      'quotes orders',
    ])
    const selfReferring = keys.filter(({ from, to }) => from === to && order.includes(from)).map(({ from }) => from)
    expect([...new Set(selfReferring)].toSorted()).toEqual(SELF_REFERRING.toSorted())
  })
})

describe('POST /admin/privacy/organizations/{id}/erasure', () => {
  it('409 until the organization is deleted and nothing is open; the preview says what', async () => {
    const { data } = await staff.get(pathOf(full))
    expect([data.is_deleted, data.erasure.status]).toEqual([false, 'cancelled'])
    const open = data.obstacles.map(({ what }: { what: string }) => what)
    expect(open).toEqual(expect.arrayContaining(['open_invoices', 'subscriptions']))
    expect(data.goes).toContainEqual({ what: 'tickets', rows: expect.any(Number) })
    const kept = data.stays.find(({ what }: { what: string }) => what === 'invoices')
    const years = new Date(app.clock.now)
    years.setUTCFullYear(years.getUTCFullYear() + 5)
    expect(kept).toEqual({ what: 'invoices', rows: 1, legal_basis: 'legal_obligation', until: years.toISOString() })
    const living = await staff.post(pathOf(full))
    expect([living.status, living.errors?.reason]).toEqual([409, 'not_deleted'])
    expect((await full.owner.delete(`/organizations/${full.id}`)).status).toBe(200)
    const refused = await staff.post(pathOf(full))
    expect([refused.status, refused.errors?.reason]).toEqual([409, 'still_open'])
    expect(refused.message).toContain('open_invoices')
  })
  it('202 for one of many at once; removes what was for working, keeps what is fiscal, and nobody restores it', async () => {
    await settle(full)
    const answers = await Promise.all(Array.from({ length: 8 }, () => staff.post(pathOf(full))))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      202,
      ...Array.from({ length: 7 }, () => 409),
    ])
    const files = await query<{ key: string }>(
      `select storage_key as key from document_versions where organization_id = $1`,
      [full.id],
    )
    expect(files.length).toBeGreaterThan(0)
    const fiscal = await rowsIn(full, FISCAL_TABLES)
    await run()
    expect(await statusOf(full)).toBe('kept')
    expect(await rowsIn(full, WORKING_TABLES)).toEqual([])
    expect(await rowsIn(full, FISCAL_TABLES)).toEqual(fiscal)
    expect(fiscal).toEqual(expect.arrayContaining(['invoices', 'tax_invoices', 'orders', 'filed_documents']))
    const [row] = await query(`select name, email, notes from organizations where id = $1`, [full.id])
    expect(row).toEqual({ name: full.name, email: null, notes: null })
    const restored = await staff.post(`/admin/organizations/${full.id}/restore`)
    expect([restored.status, restored.errors?.reason]).toEqual([409, 'status_not_allowed'])
    expect((await staff.post(`${pathOf(full)}/cancel`)).status).toBe(409)
    expect((await staff.post(pathOf(full))).errors?.reason).toBe('already_in_progress')
  })
  it('removes the rest when the years of fiscal law are over, and not before', async () => {
    const until = (at: Date) =>
      query('update organization_erasures set kept_until = $2 where organization_id = $1 and kept_until is not null', [
        full.id,
        at,
      ])
    const years = new Date(app.clock.now)
    years.setUTCFullYear(years.getUTCFullYear() + 5)
    expect((await staff.get(pathOf(full))).data.erasure.kept_until).toBe(years.toISOString())
    await until(new Date(app.clock.now.getTime() + 1))
    await run()
    expect(await rowsIn(full, ['invoices'])).toEqual(['invoices'])
    await until(app.clock.now)
    await run()
    expect(await rowsIn(full, [...WORKING_TABLES, ...FISCAL_TABLES, 'quotes'])).toEqual([])
    const [row] = await query(
      `select status, ended_at from organization_erasures where organization_id = $1 and status <> 'cancelled'`,
      [full.id],
    )
    expect(row).toEqual({ status: 'done', ended_at: expect.anything() })
    const [organization] = await query(`select name, cnpj, legal_name, owner_id from organizations where id = $1`, [
      full.id,
    ])
    expect(organization).toEqual({ name: 'erased', cnpj: null, legal_name: null, owner_id: null })
    const actions = await query(
      `select action from service_audit where resource = 'organization' and resource_id = $1 order by id`,
      [full.id],
    )
    expect(actions.map(({ action }) => action)).toEqual([
      'organization_erasure_requested',
      'organization_erased',
      'organization_records_removed',
    ])
  })
})

async function deleted(): Promise<Organization> {
  const org = await app.world.organization()
  await org.member()
  expect((await org.owner.delete(`/organizations/${org.id}`)).status).toBe(200)
  return org
}

describe('an erasure of an organization', () => {
  it('goes on where it was cut off', async () => {
    const org = await deleted()
    const { id } = (await staff.post(pathOf(org))).data
    await query(`update organizations set erased_at = now() where id = $1`, [org.id])
    await query(
      `update organization_erasures set status = 'running', kept_until = now() + interval '5 years' where id = $1`,
      [id],
    )
    await run()
    expect(await statusOf(org)).toBe('kept')
    expect(await rowsIn(org, WORKING_TABLES)).toEqual([])
    await query(`update organization_erasures set status = 'ending', kept_until = $2 where id = $1`, [
      id,
      app.clock.now,
    ])
    await run()
    expect((await query('select status from organization_erasures where id = $1', [id]))[0]).toEqual({ status: 'done' })
  })
  it('is cancelled when the organization is restored, and waits when something was opened since', async () => {
    const [restored, opened] = [await deleted(), await deleted()]
    for (const org of [restored, opened]) expect((await staff.post(pathOf(org))).status).toBe(202)
    expect((await staff.post(`/admin/organizations/${restored.id}/restore`)).status).toBe(200)
    await query(
      `insert into credit_balances (organization_id, company, currency, amount) values ($1, 'entity_br', 'BRL', 10.00)`,
      [opened.id],
    )
    await run()
    const [first, second] = [(await staff.get(pathOf(restored))).data, (await staff.get(pathOf(opened))).data]
    expect(first.erasure).toMatchObject({ status: 'cancelled', problem: 'The organization was restored' })
    expect(second.erasure).toMatchObject({ status: 'scheduled', problem: 'Still open: 1 credit_balances' })
    expect((await restored.owner.get(`/organizations/${restored.id}`)).status).toBe(200)
    expect((await staff.post(`${pathOf(opened)}/cancel`)).data.status).toBe('cancelled')
  })
  it('touches no other organization, and its function removes nothing else', async () => {
    const [gone, other] = [await deleted(), await app.world.organization()]
    await other.member()
    const before = await rowsIn(other, await tenantTables())
    const { id } = (await staff.post(pathOf(gone))).data
    for (const table of ['invoices', 'audit_log', 'users', 'tickets'])
      await expect(query('select remove_from_organization($1, $2, 10)', [id, table])).rejects.toThrow('nothing of')
    await run()
    expect(await rowsIn(other, await tenantTables())).toEqual(before)
    for (const table of ['invoices', 'collaborators'])
      await expect(query('select remove_from_organization($1, $2, 10)', [id, table])).rejects.toThrow('nothing of')
  })
  it('is for administrators; 404 for no organization; the list finds it by status', async () => {
    const org = await deleted()
    for (const role of ['support', 'sales', 'auditor'] as const) {
      const one = await org.staffAs(role)
      expect([(await one.post(pathOf(org))).status, (await one.get(pathOf(org))).status], role).toEqual([403, 200])
    }
    for (const path of ['', '/cancel'])
      expect((await staff.post(`/admin/privacy/organizations/999999/erasure${path}`)).status).toBe(404)
    expect((await staff.get('/admin/privacy/organizations/999999/erasure')).status).toBe(404)
    const { data } = await staff.get('/admin/privacy/organization-erasures?status=cancelled')
    expect(data.every(({ status }: { status: string }) => status === 'cancelled')).toBe(true)
    expect((await staff.get(`/admin/privacy/organization-erasures?organization_id=${org.id}`)).data).toEqual([])
  })
})

describe('FISCAL_YEARS after the erasure of a person', () => {
  it('their name goes from the orders that they placed', async () => {
    const org = await app.world.organization()
    const who = await org.member()
    const [order] = await query<{ id: number }>(
      `insert into orders (organization_id, number, company, currency, total, subtotal, tax_total, line_items, customer_id, billing_email, billing_name)
       values ($1, 'K-1', 'entity_br', 'BRL', '1.00', '1.00', '0.00', '[]', $2, $3, 'Kept') returning id`,
      [org.id, who.userId, who.email],
    )
    await who.post('/privacy/erasure')
    await run()
    const names = async () =>
      (await query(`select billing_email, billing_name from orders where id = $1`, [order?.id]))[0]
    expect(await names()).toEqual({ billing_email: who.email, billing_name: 'Kept' })
    await query(`update erasures set kept_until = $1 where user_id = $2`, [app.clock.now, who.userId])
    await run()
    expect(await names()).toEqual({ billing_email: null, billing_name: null })
  })
})

// Who reads which report, what ends soon, tax invoices and service levels against their lists.
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { appOfFile } from '#test/harness/app.ts'
import { addRow, apiKey, createRecords } from '#test/scenes/records.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

type Row = Record<string, string | number>

const NAME = '=HYPERLINK("x"); "Ltda" 🚀'
const DAY_MS = 86_400_000

const inDays = (days: number) => new Date(at.getTime() + days * DAY_MS)
const rowsOf = async (path: string, by: Speaker = acme.staff): Promise<Row[]> => {
  const { status, data, raw } = await by.get(path)
  expect(status, raw.body).toBe(200)
  return data.rows
}
const fieldsOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {}).toSorted()]

const app = await appOfFile()
const at: Date = app.clock.now
const acme = await app.world.organization()
const other = await app.world.organization()
await app.database.query('update organizations set name = $1 where id = $2', [NAME, acme.id])

const namesFor = async (by: Speaker) => (await by.get('/admin/reports')).data.map(({ name }: Row) => name)

describe('GET /admin/reports', () => {
  it('200 with the reports of the role', async () => {
    const ofSupport = ['expiring', 'ticket-service-levels', 'ticket-satisfaction']
    expect(await namesFor(await acme.staffAs('support'))).toEqual(ofSupport)
    expect(await namesFor(await acme.staffAs('finance'))).not.toContain('ticket-service-levels')
    const all = await namesFor(await acme.staffAs('auditor'))
    expect([all, all.length]).toEqual([await namesFor(acme.staff), 10])
    for (const name of all) expect(await rowsOf(`/admin/reports/${name}`)).toEqual([])
  })
  it('403 for roles without the scope, and for members', async () => {
    const support = await acme.staffAs('support')
    for (const name of ['billed', 'recognized', 'recurring-revenue', 'receivables', 'tax-invoices']) {
      expect((await support.get(`/admin/reports/${name}`)).status, name).toBe(403)
      expect((await support.get(`/admin/reports/${name}?format=csv`)).status, name).toBe(403)
    }
    expect((await acme.owner.get('/admin/reports/billed')).status).toBe(403)
    const guest = await acme.member({ scopes: ['tickets'] })
    expect((await guest.get('/reports/receivables')).status).toBe(403)
  })
  it('422 with each bad parameter named', async () => {
    const ask = async (query: string) => fieldsOf(await acme.staff.get(`/admin/reports/billed?${query}`))
    expect(await ask('month_from=2026-13&company=x&days=3')).toEqual([422, ['company', 'days', 'month_from']])
    expect(await ask('month_from=2026-05&month_to=2026-04')).toEqual([422, ['month_from']])
    expect(await ask('month_from=2010-01&month_to=2026-04')).toEqual([422, ['month_from']])
    expect(await ask('month_from=2150-01')).toEqual([200, []])
    expect(await ask('format=pdf')).toEqual([422, ['format']])
    expect(fieldsOf(await acme.owner.get('/reports/receivables?organization_id=1'))).toEqual([422, ['organization_id']])
  })
})

const kindsFor = async (by: Speaker) =>
  new Set((await rowsOf('/admin/reports/expiring?days=100', by)).map(({ kind }) => kind))

describe('what ends soon', () => {
  beforeAll(async () => {
    await createRecords(app, acme)
    await createRecords(app, other)
    const end = { expires_at: inDays(10) }
    await app.database.query('update entitlements set expires_at = $1', [end.expires_at])
    await app.database.query('update licenses set expires_at = $1', [inDays(100)])
    await app.database.query(`update contracts set status = 'active', end_date = $1`, [
      dayIn(inDays(5), 'America/Sao_Paulo'),
    ])
    const of = { organization_id: acme.id, company: 'entity_br', currency: 'BRL', subtotal: '1.00', total: '1.00' }
    const quote = { ...of, tax_total: '0.00', line_items: '[]', valid_until: dayIn(at, 'America/Sao_Paulo') }
    for (const status of ['draft', 'sent', 'viewed', 'rejected']) await addRow(app, 'quotes', { ...quote, status })
  })

  it('200 with what ends within the days, as the lists have it', async () => {
    const found = await rowsOf(`/admin/reports/expiring?kind=entitlements&organization_id=${acme.id}&days=10`)
    const { data: listed } = await acme.staff.get('/entitlements?status=active')
    expect(found.map(({ id, code, expires_at }) => [id, code, expires_at])).toEqual(
      listed.map(({ id, code, expires_at }: Row) => [id, code, expires_at]).toSorted(),
    )
    expect(found[0]).toMatchObject({
      days_left: 10,
      organization_name: NAME,
      expires_on: dayIn(inDays(10), 'America/Sao_Paulo'),
    })
    expect(await rowsOf('/admin/reports/expiring?kind=entitlements&days=9')).toEqual([])
    expect((await rowsOf('/admin/reports/expiring?kind=entitlements')).length).toBe(2)
    expect(await rowsOf('/reports/expiring?kind=entitlements', acme.owner)).toEqual(found)
  })
  it('200 for licenses and contracts, without the key', async () => {
    expect(await rowsOf('/admin/reports/expiring?kind=licenses')).toEqual([])
    const [license] = await rowsOf('/admin/reports/expiring?kind=licenses&days=100')
    expect(String(license?.['license_key_ends']).length).toBe(4)
    expect(await rowsOf('/reports/expiring?kind=contracts', acme.owner)).toMatchObject([
      { days_left: 5, status: 'active' },
    ])
  })
  it('200 for quotes that can still be accepted, until their last day', async () => {
    const found = await rowsOf('/admin/reports/expiring?kind=quotes&days=0')
    expect(found.map(({ status, days_left }) => [status, days_left])).toEqual([
      ['sent', 0],
      ['viewed', 0],
    ])
    expect((await rowsOf('/reports/expiring?kind=quotes', acme.owner)).length).toBe(2)
    expect(await rowsOf('/reports/expiring?kind=quotes', other.owner)).toEqual([])
  })
  it('200 with all kinds, the first to end first, or with those that a filter means', async () => {
    const kindsIn = async (query: string, by = acme.owner) =>
      (await rowsOf(`/reports/expiring?days=100${query}`, by)).map(({ kind }) => kind)
    expect(await kindsIn('')).toEqual(['quotes', 'quotes', 'contracts', 'entitlements', 'licenses'])
    expect(await kindsIn('&class=PLG')).toEqual(['entitlements'])
    expect(await kindsIn('&currency=BRL')).toEqual(['quotes', 'quotes'])
    expect(await kindsIn('&company=entity_global')).toEqual([])
    const all = await rowsOf('/admin/reports/expiring?days=100')
    expect(all.length).toBe(8)
    expect(fieldsOf(await acme.owner.get('/reports/expiring?kind=invoices'))).toEqual([422, ['kind']])
  })
  it.each([
    ['licenses', ['entitlements', 'licenses']],
    ['contracts', ['contracts']],
    ['quotes', ['quotes']],
    ['finances', []],
  ] as const)(
    '200 for a member with the scope %s with the kinds that it covers, in every form',
    async (scope, kinds) => {
      const colleague = await acme.member({ scopes: [scope] })
      const found = await rowsOf('/reports/expiring?days=100', colleague)
      expect([...new Set(found.map(({ kind }) => kind))]).toEqual(kinds)
      for (const kind of ['entitlements', 'licenses', 'contracts', 'quotes']) {
        const { raw } = await colleague.get(`/reports/expiring?days=100&kind=${kind}&format=ndjson`)
        const lines = raw.body.split('\n').filter(Boolean)
        expect(lines.map((line) => JSON.parse(line))).toEqual(found.filter((row) => row['kind'] === kind))
      }
      const key = await apiKey(app, acme, { permission: 'read', scopes: [scope] })
      const { data } = await app.world.speaker(key, acme.owner).get('/reports/expiring?days=100')
      expect(data.rows).toEqual(found.filter((row) => row['kind'] === scope))
    },
  )
  it('200 for staff with the kinds that the role may read', async () => {
    expect(await kindsFor(await acme.staffAs('support'))).toEqual(new Set(['contracts', 'entitlements', 'licenses']))
    expect(await kindsFor(await acme.staffAs('finance'))).toEqual(new Set(['contracts', 'entitlements', 'quotes']))
    expect((await (await acme.staffAs('support')).get('/admin/reports/expiring?kind=quotes')).data.rows).toEqual([])
  })
})

describe('GET /admin/reports/tax-invoices', () => {
  it('200 with the tax invoices of the lists, by competence and state', async () => {
    const rows = await rowsOf('/admin/reports/tax-invoices?month_from=2026-01&month_to=2026-12')
    expect(rows).toEqual([
      {
        competence: '2026-01',
        status: 'issued',
        currency: 'BRL',
        tax_invoices: 2,
        total: '200.00',
        iss_amount: '0.00',
      },
    ])
    expect((await acme.staff.get('/tax-invoices')).meta?.total).toBe(1)
  })
})

describe('GET /admin/reports/ticket-service-levels', () => {
  /** A ticket opened in January, with a deadline of both kinds. */
  async function ticket(values: Row | Record<string, unknown>): Promise<void> {
    const [found] = await app.database.query<{ id: number; code: string }>(
      'select id, code from entitlements where organization_id = $1',
      [acme.id],
    )
    const of = { organization_id: acme.id, entitlement_id: found?.id, entitlement_code: found?.code }
    const due = { first_response_due_at: inDays(1), resolution_due_at: inDays(2) }
    await addRow(app, 'tickets', {
      ...of,
      ...due,
      title: 'Help',
      number: `SR-2026${String(++numbers).padStart(4, '0')}`,
      created_at: '2026-01-31T23:30:00-03:00',
      ...values,
    })
  }
  let numbers = 100

  it('200 with each ticket in one column of both', async () => {
    await ticket({})
    await ticket({ first_response_due_at: null, resolution_due_at: null })
    await ticket({ first_response_warned: true, resolution_warned: true })
    await ticket({ first_responded_at: inDays(-1), resolution_warn_at: inDays(-1) })
    await ticket({ first_response_due_at: inDays(-1), resolution_breached: true })
    await ticket({
      status: 'resolved',
      resolved_at: inDays(-2),
      clock_stopped_at: inDays(-2),
      resolution_due_at: inDays(-1),
    })
    await ticket({ status: 'waiting', clock_stopped_at: inDays(-3), first_response_due_at: inDays(-1) })
    await ticket({ status: 'cancelled', clock_stopped_at: inDays(-1) })
    const rows = await rowsOf('/admin/reports/ticket-service-levels?month_from=2026-01&month_to=2026-01')
    expect(rows).toEqual([
      {
        month: '2026-01',
        company: 'entity_br',
        class: 'PLG',
        tickets: 7,
        first_response_met: 2,
        first_response_broken: 1,
        first_response_in_danger: 1,
        first_response_running: 2,
        first_response_without: 1,
        resolution_met: 1,
        resolution_broken: 1,
        resolution_in_danger: 2,
        resolution_running: 2,
        resolution_without: 1,
      },
    ])
  })
  it('200 for members with the tickets that they may read', async () => {
    const query = 'month_from=2026-01&month_to=2026-01'
    expect(await rowsOf(`/reports/ticket-service-levels?${query}`, acme.owner)).toMatchObject([{ tickets: 7 }])
    const colleague = await acme.member({ scopes: ['tickets'] })
    await app.database.query(`update collaborators set ticket_visibility = 'own' where user_id = $1`, [
      colleague.userId,
    ])
    expect((await colleague.get('/tickets')).meta?.total).toBe(0)
    expect(await rowsOf(`/reports/ticket-service-levels?${query}`, colleague)).toEqual([])
    expect(await rowsOf(`/reports/ticket-service-levels?${query}`, other.owner)).toEqual([])
  })
})

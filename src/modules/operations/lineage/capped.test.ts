// The lists of a lineage: the newest records, how many there are, and where all of them are listed.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { lineOf } from '#test/scenes/paid-invoices.ts'
import type { Organization } from '#test/harness/world.ts'

const SHOWN = 20

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()

type Held = { id: number; code: string }
const entitled = async (at: Organization): Promise<Held> => {
  const body = { class: 'ENV', product_name: 'Hosting', organization_id: at.id, company: 'entity_br' }
  return (await at.staff.post('/entitlements', body)).data
}
const LISTS = ['invoices', 'tax_invoices', 'licenses', 'environments', 'services', 'tickets', 'contracts'] as const

/** So many records of every kind, by SQL; the ids of each, newest first. */
async function hang(at: Organization, { id, code }: Held, count: number): Promise<Record<string, number[]>> {
  const hangs = `organization_id, entitlement_id, entitlement_code`
  const held = `${at.id}, ${id}, '${code}'`
  const lines = JSON.stringify([{ ...lineOf('ENV', '1.00'), entitlement_code: code }])
  const tag = `${code}-' || n`
  const inserts: Record<(typeof LISTS)[number], string> = {
    invoices: `(organization_id, number, status, company, currency, total, line_items, issue_date, due_date)
      select ${at.id}, '${tag}, 'open', 'entity_br', 'BRL', 1.00, '${lines}', '2026-01-01', '2026-01-01'`,
    tax_invoices: `(organization_id, invoice_id, total, series, rps_number, line_items, recipient, competence, description)
      select ${at.id}, i.id, 1.00, '1', i.id, '${lines}', '{}', '2026-01-01', 'Hosting'`,
    licenses: `(${hangs}, license_key, product_name, activations_limit) select ${held}, '${tag}, 'Backup', 1`,
    environments: `(${hangs}, name, platform, environment_type) select ${held}, 'Portal ' || n, 'custom', 'staging'`,
    services: `(${hangs}, name, lifecycle) select ${held}, 'Migration ' || n, 'project'`,
    tickets: `(${hangs}, number, title) select ${held}, 'SR-1999' || ${id} || lpad(n::text, 5, '0'), 'Request ' || n`,
    contracts: `(${hangs}, title, start_date, company, status, activated_at) select ${held}, 'Frame', '2026-01-01', 'entity_br', 'active', now()`,
  }
  const ids: Record<string, number[]> = {}
  for (const name of LISTS) {
    const from =
      name === 'tax_invoices'
        ? `(select id from invoices where organization_id = ${at.id} and line_items @> '${lines}') i`
        : `generate_series(1, ${count}) n`
    const rows = await app.database.query<{ id: number }>(
      `insert into ${name} ${inserts[name]} from ${from} returning id`,
    )
    ids[name] = rows.map((row) => row.id).toSorted((a, b) => b - a)
  }
  return ids
}
const lineage = async (at: Organization, path: string, by = at.owner) => {
  const answer = await by.get(`/entitlements/${path}/lineage`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data
}
const each = <Value>(value: (name: string) => Value) => Object.fromEntries(LISTS.map((name) => [name, value(name)]))
const idsIn = (data: Record<string, { id: number }[]>) => each((name) => data[name]?.map(({ id }) => id))

describe('GET /entitlements/{id}/lineage', () => {
  it('200 with empty lists, counts of 0 and the links', async () => {
    const { id } = await entitled(acme)
    expect(await lineage(acme, String(id))).toEqual({
      quote: null,
      order: null,
      ...each(() => []),
      counts: each(() => 0),
      links: {
        invoices: `/invoices?entitlement_id=${id}`,
        tax_invoices: `/tax-invoices?entitlement_id=${id}`,
        licenses: `/entitlements/${id}/licenses`,
        environments: `/environments?entitlement_id=${id}`,
        services: `/services?entitlement_id=${id}`,
        tickets: `/tickets?entitlement_id=${id}`,
        contracts: `/entitlements/${id}/contracts`,
      },
    })
  })
  it.each([3, SHOWN, SHOWN + 1])('200 with the newest of %i, all of which are counted and listed', async (count) => {
    const held = await entitled(acme)
    await hang(acme, await entitled(acme), 2)
    const ids = await hang(acme, held, count)
    const data = await lineage(acme, `code/${held.code}`)
    expect(idsIn(data)).toEqual(each((name) => ids[name]?.slice(0, SHOWN)))
    expect(data.counts).toEqual(each(() => count))
    for (const name of LISTS) {
      const listed = await acme.owner.get(data.links[name])
      expect(listed.meta?.total, name).toBe(count)
      expect(
        listed.data.map((one: { id: number }) => one.id),
        name,
      ).toEqual(ids[name]?.slice(0, SHOWN))
    }
  })
  it('200 with 10000 as the count of more', async () => {
    const { id, code } = await entitled(acme)
    await app.database.query(
      `insert into services (organization_id, entitlement_id, entitlement_code, name, lifecycle)
       select $1, $2, $3, 'Migration ' || n, 'project' from generate_series(1, 10001) n`,
      [acme.id, id, code],
    )
    const { services, counts } = await lineage(acme, String(id))
    expect([services.length, counts.services]).toEqual([SHOWN, 10_000])
    const listed = await acme.owner.get(`/services?entitlement_id=${id}`)
    expect(listed.meta?.total).toBe(10_001)
    expect(services.map((one: Held) => one.id)).toEqual(listed.data.map((one: Held) => one.id))
  })
  it('200 with null for the lists, counts and links of a missing scope', async () => {
    const { id, code } = await entitled(acme)
    await hang(acme, { id, code }, 1)
    const data = await lineage(acme, String(id), await acme.member({ scopes: ['entitlements', 'contracts'] }))
    const hidden = { invoices: null, tax_invoices: null, licenses: null }
    expect(data.counts).toEqual({ ...hidden, environments: 1, services: 1, tickets: 1, contracts: 1 })
    expect(data.links).toMatchObject({ ...hidden, contracts: `/entitlements/${id}/contracts` })
    expect(data).toMatchObject(hidden)
  })
  it('200 without its tickets for staff who may not read tickets; 404 by the number of one', async () => {
    const { id, code } = await entitled(acme)
    await hang(acme, { id, code }, 1)
    const { number } = (await acme.staff.get(`/tickets?entitlement_id=${id}`)).data[0]
    for (const [role, tickets, status] of [
      ['finance', null, 404],
      ['sales', 1, 200],
    ] as const) {
      const staff = app.world.inside(await app.world.user({ roles: ['customer', role] }), acme.id)
      const data = await lineage(acme, String(id), staff)
      expect(data).toMatchObject({ counts: { environments: 1, tickets } })
      expect([data.tickets?.length ?? null, data.links.tickets !== null]).toEqual([tickets, tickets !== null])
      expect((await staff.get(`/lineage?ticket=${number}`)).status).toBe(status)
    }
  })
  it('200 without the drafts of staff, which their own answer counts', async () => {
    const { id, code } = await entitled(acme)
    const agreed = { title: 'Frame', start_date: '2026-01-01', entitlement_id: id }
    await acme.staff.post('/contracts', agreed)
    const line = { product_name: 'Support', quantity: 1, unit_price: '10.00', entitlement_code: code }
    await acme.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', line_items: [line] })
    expect((await lineage(acme, String(id))).counts).toMatchObject({ contracts: 0, invoices: 0 })
    expect((await lineage(acme, String(id), acme.staff)).counts).toMatchObject({ contracts: 1, invoices: 1 })
  })
  it('404 for another organization’s, whose lists do not know it either', async () => {
    const { id, code } = await entitled(acme)
    await hang(acme, { id, code }, 1)
    for (const path of [String(id), `code/${code}`])
      expect((await other.owner.get(`/entitlements/${path}/lineage`)).status).toBe(404)
    for (const path of ['invoices', 'tax-invoices', 'environments', 'services', 'tickets'])
      expect((await other.owner.get(`/${path}?entitlement_id=${id}`)).meta?.total, path).toBe(0)
  })
})

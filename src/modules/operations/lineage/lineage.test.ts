// GET /lineage, and both directions with 100,000 entitlements in one organization.
import { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { prepare, type Statement } from '#kernel/values/sql.ts'
import { sessionOptions } from '../../../postgres/roles.ts'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import type { Organization } from '#test/harness/world.ts'
import { AREAS } from '../../../modules.ts'
import { lineageRoutes } from './routes.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const records: Records = await createRecords(app, acme)

const numberOf = async (table: string, column: string, id: unknown): Promise<string> =>
  (await app.database.query<{ it: string }>(`select ${column} as it from ${table} where id = $1`, [id]))[0]?.it ?? ''

describe('GET /lineage', () => {
  it('200 with the entitlements of an order, an invoice, a license', async () => {
    const { code, entitlements: id } = records
    const wanted = {
      id,
      code,
      class: 'PLG',
      product_name: 'Backup',
      status: 'active',
      links: { entitlement: `/entitlements/${id}`, lineage: `/entitlements/${id}/lineage` },
    }
    const origins = {
      order: await numberOf('orders', 'number', records['orders']),
      invoice: await numberOf('invoices', 'number', records['invoices']),
      tax_invoice: await numberOf('tax_invoices', 'nfse_number', records['tax-invoices']),
      license_key: await numberOf('licenses', 'license_key', records['licenses']),
    }
    for (const [name, value] of Object.entries(origins)) {
      const answer = await acme.owner.get(`/lineage?${name}=${value}`)
      expect(answer.data, name).toEqual([wanted])
      expect((await other.owner.get(`/lineage?${name}=${value}`)).status, name).toBe(404)
      expect((await other.staff.get(`/lineage?${name}=${value}`)).status, name).toBe(404)
    }
    await app.database.query('update entitlements set quote_id = $1 where id = $2', [records['quotes'], id])
    expect((await acme.owner.get(`/lineage?quote=Q-${records['quotes']}`)).data).toEqual([wanted])
    const link = (await acme.owner.get(`/lineage?order=${origins.order}`)).data[0].links.lineage
    expect((await acme.owner.get(link)).data.licenses).toHaveLength(1)
  })
  it('404 for an unknown number or key, and without the scope for its kind', async () => {
    expect((await acme.owner.get('/lineage?order=none')).status).toBe(404)
    const member = await acme.member({ scopes: ['entitlements', 'orders'] })
    const number = await numberOf('invoices', 'number', records['invoices'])
    expect((await member.get(`/lineage?invoice=${number}`)).status).toBe(404)
    expect((await member.get(`/lineage?order=${await numberOf('orders', 'number', records['orders'])}`)).status).toBe(
      200,
    )
  })
  it('422 for none or two of the filters; 403 first for a caller who is not a member', async () => {
    for (const query of ['', '?order=1&invoice=1', '?ticket_=1']) {
      expect((await acme.owner.get(`/lineage${query}`)).status, query).toBe(422)
      expect((await app.world.inside(await app.world.user(), acme.id).get(`/lineage${query}`)).status).toBe(403)
    }
  })
})

describe('with 100,000 entitlements in one organization', () => {
  let big: Organization

  beforeAll(async () => {
    big = await app.world.organization()
    await fill(big.id)
  })

  /** The nodes of the plan for the service's database role. */
  async function nodesOf(statement: Statement): Promise<{ type: string; table: string }[]> {
    const client = new Client({ connectionString: app.database.url, options: sessionOptions('titular_app') })
    await client.connect()
    try {
      await client.query(`begin`)
      await client.query(`select set_config('app.organization_id', $1, true), set_config('app.scopes', '*', true)`, [
        String(big.id),
      ])
      const { text, values } = prepare(statement)
      const { rows } = await client.query(`explain (format json) ${text}`, values)
      return nodes(rows[0]['QUERY PLAN'][0].Plan)
    } finally {
      await client.end()
    }
  }

  it('no statement of either direction or of the search scans a whole table', async () => {
    const [one] = await app.database.query<{ id: number; code: string }>(
      'select id, code from entitlements where organization_id = $1 order by id offset 54321 limit 1',
      [big.id],
    )
    const context = {
      org: big.id,
      userId: big.owner.userId,
      sessionId: 0,
      organizations: null,
      company: null,
      now: app.clock.now,
      realNow: app.clock.now,
      ports: app.service.ports,
    }
    const [search] = AREAS.find(({ name }) => name === 'search')?.routes ?? []
    const [list] = AREAS.find(({ name }) => name === 'entitlements')?.routes ?? []
    const inputs: Record<string, object>[] = [
      { params: { id: one?.id ?? 0 }, query: {} },
      { params: { code: one?.code ?? '' }, query: {} },
      ...[
        'quote=Q-5',
        'order=O-500',
        'invoice=I-500',
        'tax_invoice=N-500',
        'invoice=H-500',
        'tax_invoice=M-500',
        'license_key=K-500',
      ].map((pair) => {
        const [name = '', value = ''] = pair.split('=')
        return { params: {}, query: { [name]: value } }
      }),
    ]
    const plans = [
      ...inputs.map((input, index) => lineageRoutes[Math.min(index, 2)]?.read?.(context, input as never)),
      ...[one?.code ?? '', 'env'].map((q) => search?.read?.(context, { query: { q } } as never)),
      ...[{}, { status: ['expired'] }].map((more) =>
        list?.read?.(context, { query: { search: 'env', ...more } } as never),
      ),
    ]
    const bad: string[] = []
    for (const plan of plans) {
      const statements =
        plan?.kind === 'page' ? [plan.rows, plan.total, plan.parent] : plan?.kind === 'parts' ? plan.statements : []
      expect(statements.length).toBeGreaterThan(1)
      for (const statement of statements) {
        if (!statement) continue
        const scans = (await nodesOf(statement)).filter(({ type, table }) => type === 'Seq Scan' && BIG.includes(table))
        if (scans.length > 0) bad.push(`${scans.map(({ table }) => table).join()}: ${prepare(statement).text}`)
      }
    }
    expect(bad, bad.join('\n')).toEqual([])
  })
  it('200 for every filter in either direction, and for the search', async () => {
    const { data } = await big.owner.get('/lineage?invoice=I-500')
    expect(data).toHaveLength(20)
    for (const origin of ['invoice=H-500', 'tax_invoice=M-500']) {
      const [only, ...more] = (await big.owner.get(`/lineage?${origin}`)).data
      expect(more).toEqual([])
      const { invoices, tax_invoices } = (await big.owner.get(only.links.lineage)).data
      expect([invoices.length, tax_invoices.length]).toEqual([2, 2])
    }
    expect((await big.owner.get(data[0].links.lineage)).status).toBe(200)
    for (const q of ['000500', 'env', 'env-202601', '00', '0005', 'nothing'])
      expect((await big.owner.get(`/search?q=${q}`)).status).toBe(200)
    expect((await big.owner.get('/search?q=000500')).data.length).toBeGreaterThan(0)
  })
})

const BIG = [
  'entitlements',
  'licenses',
  'environments',
  'services',
  'contracts',
  'orders',
  'quotes',
  'invoices',
  'tax_invoices',
  'search_terms',
]

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }
const nodes = (plan: Plan): { type: string; table: string }[] => [
  { type: plan['Node Type'], table: plan['Relation Name'] ?? '' },
  ...(plan.Plans ?? []).flatMap(nodes),
]

/** 5,000 quotes, orders and invoices with twenty entitlements each, and records of every kind that belong to them. */
async function fill(org: number): Promise<void> {
  // Without checking the foreign keys of every row.
  const run = (text: string) =>
    app.database.query(`set session_replication_role = replica; ${text.replaceAll('ORG', String(org))};
      set session_replication_role = origin`)
  const money = `'entity_br', 'BRL', 1.00, 0.00, 1.00`
  await run(`insert into quotes (organization_id, status, company, currency, subtotal, tax_total, total, valid_until, line_items)
    select ORG, 'fulfilled', ${money}, '2999-12-31', '[]' from generate_series(1, 5000)`)
  await run(`insert into orders (organization_id, number, company, currency, subtotal, tax_total, total, line_items, quote_id)
    select ORG, 'O-' || row_number() over (order by id), ${money}, '[]', id from quotes where organization_id = ORG`)
  await run(`insert into invoices (organization_id, number, status, company, currency, total, line_items, issue_date, due_date, order_id)
    select ORG, 'I-' || substr(number, 3), 'open', 'entity_br', 'BRL', 1.00, '[]', '2026-01-01', '2026-01-01', id from orders where organization_id = ORG`)
  await run(`insert into tax_invoices (organization_id, invoice_id, order_id, total, series, rps_number, line_items, recipient, competence,
      description, status, nfse_number, access_key, issued_at)
    select ORG, id, order_id, 1.00, '1', id, '[]', '{}', '2026-01-01', 'Hosting', 'issued', 'N-' || substr(number, 3), 'KEY-' || id, now()
      from invoices where organization_id = ORG`)
  await run(`insert into entitlements (organization_id, code, class, product_name, company, quote_id, order_id)
    select ORG, 'ENV-202601' || lpad((row_number() over ())::text, 6, '0'), 'ENV', 'Hosting', 'entity_br', o.quote_id, o.id
      from orders o, generate_series(1, 20) where o.organization_id = ORG`)
  const hangs = `from (select *, row_number() over (order by id) as n from entitlements where organization_id = ORG) e`
  await run(`insert into licenses (organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit)
    select ORG, 'K-' || n, 'Hosting', id, code, 1 ${hangs} where n % 4 = 3 or n = 500`)
  await run(`insert into environments (organization_id, name, platform, environment_type, entitlement_id, entitlement_code)
    select ORG, 'Portal', 'custom', 'production', id, code ${hangs} where n % 4 = 0`)
  await run(`insert into services (organization_id, name, lifecycle, entitlement_id, entitlement_code)
    select ORG, 'Migration', 'project', id, code ${hangs} where n % 4 = 1`)
  await run(`insert into contracts (organization_id, title, start_date, company, status, entitlement_id, entitlement_code)
    select ORG, 'Frame', '2026-01-01', 'entity_br', 'active', id, code ${hangs} where n % 4 = 2`)
  await run(`insert into search_terms (organization_id, resource, resource_id, field, term)
    select ORG, 'entitlement', id, 'code', t from entitlements, lateral (values ('env 202601' || substr(code, 11)), (substr(code, 11))) v (t)
     where organization_id = ORG`)
  // Invoices by hand: without an order, for one entitlement each.
  await run(`insert into invoices (organization_id, number, status, company, currency, total, line_items, issue_date, due_date)
    select ORG, 'H-' || n, 'open', 'entity_br', 'BRL', 1.00, jsonb_build_array(jsonb_build_object('entitlement_code', code)),
           '2026-01-01', '2026-01-01' ${hangs} where n <= 1000`)
  await run(`insert into tax_invoices (organization_id, invoice_id, total, series, rps_number, line_items, recipient, competence,
      description, status, nfse_number, access_key, issued_at)
    select ORG, id, 1.00, '2', id, line_items, '{}', '2026-01-01', 'Hosting', 'issued', 'M-' || substr(number, 3), 'HAND-' || id, now()
      from invoices where organization_id = ORG and order_id is null`)
  await app.database.query('analyze')
}

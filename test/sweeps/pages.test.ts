// Every list, derived from the routes: its pages against its whole order, also when a page is read from the far end.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/areas.ts'
import { typeParsers } from '#kernel/database/row-reader.ts'
import type { ReadPlan, Route } from '#kernel/http/route.ts'
import { prepare } from '#kernel/data/sql.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { allowCopies, copyRow } from '#test/scenes/many-rows.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import { until } from '#test/harness/until.ts'
import type { Organization } from '#test/harness/world.ts'

/** More than twice the number from which pages are read from the far end, and not a whole number of pages. */
const COPIES = 2130
const SIZE = 100

/** Lists that never have so many rows, and the reason. */
const SHORT: Record<string, string> = {
  '/search': 'no more than 500 of each kind, on purpose',
  '/entitlements/{id}/orders': 'an entitlement has one order',
  '/event-types': 'the areas declare them, no table has them',
  '/webhook-endpoints': 'an organization has at most 20',
  '/admin/webhook-endpoints': 'the vendor has as many',
  '/admin/webhook-endpoints/{id}/deliveries': 'the statement of an organization’s list, which is read here',
}

const lists = routes.filter(({ method, path, page }) => method === 'GET' && page !== undefined && !(path in SHORT))

let app: TestApp
let acme: Organization
let records: Records
let client: Client
beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  records = { ...(await createRecords(app, acme)), ...(await moreRecords()) }
  await allowCopies(app.database)
  client = new Client({ connectionString: app.database.url, types: typeParsers })
  await client.connect()
  const set = ['organization_id', 'staff', 'scopes'].map((name) => `set_config('app.${name}', $1, false)`)
  await client.query(`select ${set[0]}`, [String(acme.id)])
  await client.query(`select ${set[1]}`, ['on'])
  await client.query(`select ${set[2]}`, ['*'])
})
afterAll(async () => {
  await client.end()
  await app.close()
})

/** Records without an organization, and records that only events create. */
async function moreRecords(): Promise<Records> {
  await app.database.query(`insert into provider_events (source, company, dedupe_key, type, body, event)
    values ('stripe', 'entity_br', 'evt_1', 'invoice.paid', '{}', '{}')`)
  const sku = { sku: 'BACKUP-1', name: 'Backup', entitlement_class: 'PLG' }
  const { id: products } = (await acme.staff.post('/admin/products', sku)).data
  const price = { company: 'entity_br', currency: 'BRL', unit_price: '10.00' }
  expect((await acme.staff.post(`/admin/products/${products}/prices`, price)).status).toBe(201)
  const [license] = await app.database.query<{ id: number }>('select max(id) as id from licenses')
  const limit = { activations_limit: 7, reason: 'Two more sites' }
  expect((await acme.staff.patch(`/licenses/${license?.id}`, limit)).status).toBe(200)
  return { products }
}

/** `/quotes/{id}`: the path with the id of a quote. */
function parametersOf({ path }: Route): Record<string, number | string> {
  const segments = path.split('/')
  return Object.fromEntries(
    segments.flatMap((segment, index) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      const record = records[name === 'code' ? 'code' : (segments[index - 1] ?? '')]
      if (name !== undefined && record === undefined) throw new Error(`${path}: test/scenes/records.ts makes none`)
      return name === undefined ? [] : [[name, record ?? 0]]
    }),
  )
}

/** Required query parameters of lists, besides the page. */
const questionOf = async ({ path }: Route): Promise<Record<string, string>> => {
  if (path !== '/lineage') return {}
  const [order] = await app.database.query<{ number: string }>('select number from orders where id = $1', [
    records['orders'],
  ])
  return { order: order?.number ?? '' }
}

type PagePlan = Extract<ReadPlan<unknown>, { kind: 'page' }>

async function planOf(route: Route, question: object): Promise<PagePlan> {
  const context = {
    org: acme.id,
    userId: acme.staff.userId,
    company: null,
    now: app.clock.now,
    ports: app.service.ports,
  }
  const input = { params: parametersOf(route), query: { ...question, page: 1, per_page: SIZE }, body: {}, raw: null }
  const plan = route.read?.(context, input as never)
  if (plan?.kind !== 'page') throw new Error(`${route.path} has no page`)
  return plan
}

/** All rows of the first page's statement, without its limit, which may stand inside a statement that adds columns. */
async function wholeOrder({ rows }: PagePlan): Promise<{ id?: number }[]> {
  const { text, values } = prepare(rows)
  const [, limit, offset] = /\blimit \$(\d+) offset \$(\d+)/.exec(text) ?? []
  expect([limit, offset]).not.toContain(undefined)
  return (await client.query({ text, values: values.with(Number(limit) - 1, 1_000_000).with(Number(offset) - 1, 0) }))
    .rows
}

/** The table of the list, and the row of it that is copied. */
async function fill(plan: PagePlan): Promise<void> {
  const [, table = ''] = /\bfrom (\w+)/.exec(prepare(plan.total).text) ?? []
  const [shown] = await wholeOrder(plan)
  const last = `select max(id) as id from ${table}`
  const id = shown?.id ?? (await app.database.query<{ id: number }>(last))[0]?.id ?? 0
  await copyRow(app.database, table, id, COPIES)
  if (table === 'organizations')
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role)
       select id, $1, $2, 'member' from organizations
        where id not in (select organization_id from collaborators where user_id = $1)`,
      [acme.staff.userId, acme.staff.email],
    )
}

describe('every list', () => {
  it('is found', () => expect(lists.length).toBeGreaterThan(30))

  it.each(lists.map((route) => [route.path, route] as const))(
    '%s: each page is its part of the whole',
    async (_, route) => {
      const question = await questionOf(route)
      const plan = await planOf(route, question)
      if ((await wholeOrder(plan)).length < COPIES) await fill(plan)
      const whole = await wholeOrder(plan)
      expect(whole.length).toBeGreaterThanOrEqual(COPIES)
      const last = Math.ceil(whole.length / SIZE)
      const path = Object.entries(parametersOf(route)).reduce(
        (made, [name, value]) => made.replace(`{${name}}`, String(value)),
        route.path,
      )
      for (const page of [1, 2, 10, 11, Math.ceil(last / 2), Math.ceil(last / 2) + 1, last - 1, last, last + 1]) {
        const query = new URLSearchParams({ ...question, page: String(page), per_page: String(SIZE) })
        // On a busy machine a read may get 503; it is repeated, as clients do.
        const ask = () => acme.staff.get(`${path}?${query.toString()}`)
        const { status, data, meta } = await until(ask, (answer) => answer.status !== 503)
        expect([status, page, meta]).toEqual([200, page, { page, per_page: SIZE, total: whole.length, pages: last }])
        const part = whole.slice((page - 1) * SIZE, page * SIZE)
        expect(data.length, `page ${page}`).toBe(part.length)
        expect(part, `page ${page}`).toMatchObject(data)
      }
    },
  )
})

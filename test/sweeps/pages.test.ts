// Every list, derived from the routes: its pages against its whole order, also when a page is read from the far end.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { some } from '#test/harness/seeds.ts'
import { typeParsers } from '#kernel/database/row-reader.ts'
import type { Route } from '#http/route.ts'
import { prepare } from '#kernel/values/sql.ts'
import { allowCopies, copyRow } from '#test/scenes/many-rows.ts'
import { lists as allLists, listScene, type ListScene, type PagePlan, parametersOf, planOf, tableOf } from './lists.ts'

/** More than twice the number from which pages are read from the far end, and not a whole number of pages. */
const COPIES = 2130
const SIZE = 100

/** Lists that never have so many rows, or cannot be read so, and the reason. */
const SHORT: Record<string, string> = {
  '/search': 'no more than 500 of each kind, on purpose',
  '/admin/search': 'no more than 100 of each kind, on purpose',
  '/entitlements/{id}/orders': 'an entitlement has one order',
  '/audit-log': 'each request of staff adds an entry, so that its total grows; `/admin/audit-log` is read here',
  '/me/inbox':
    'its records are made of the rows in the reader’s language; src/modules/messages/me/notices.test.ts reads its pages',
  '/privacy/purposes': 'the service declares them, no table has them',
  '/admin/reports': 'the service declares them, no table has them',
  '/event-types': 'the areas declare them, no table has them',
  '/invoices/{id}/mails': 'an invoice has few; `/mails` is read here',
  '/webhook-endpoints': 'an organization has at most 20',
  '/admin/webhook-endpoints': 'the vendor has as many',
  '/admin/webhook-endpoints/{id}/deliveries': 'the statement of an organization’s list, which is read here',
}

/** Lists over several tables, and the one whose rows are copied; lists before them may have filled it already. */
const FILLED_BY: Record<string, string> = { '/lineage': 'entitlements', '/admin/queue': 'refunds' }

const lists = allLists.filter(({ path }) => !(path in SHORT))

let scene: ListScene
let client: Client
beforeAll(async () => {
  scene = await listScene()
  const { app, acme } = scene
  await allowCopies(app.database)
  client = new Client({ connectionString: app.database.url, types: typeParsers })
  await client.connect()
  const set = ['organization_id', 'staff', 'scopes'].map((name) => `set_config('app.${name}', $1, false)`)
  await client.query(`select ${set[0]}`, [String(acme.id)])
  await client.query(`select ${set[1]}`, ['on'])
  await client.query(`select ${set[2]}`, ['*'])
  await client.query(`select set_config('app.role', $1, false)`, ['admin'])
  // What is set reaches the nodes of a cluster within a transaction only, which only reads.
  if (inject('postgres').isDistributed)
    await client.query(`set citus.propagate_set_commands = 'local'; begin; select titular_distribution.tell_nodes()`)
})
afterAll(async () => {
  await client.end()
  await scene.app.close()
})

/** Required query parameters of lists, besides the page. */
const questionOf = async ({ path }: Route): Promise<Record<string, string>> => {
  if (path !== '/lineage') return {}
  const numberOf = 'select number from orders where id = $1'
  const [order] = await scene.app.database.query<{ number: string }>(numberOf, [scene.records['orders']])
  return { order: order?.number ?? '' }
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
async function fill(table: string, plan: PagePlan): Promise<void> {
  const { app, acme } = scene
  const [shown] = await wholeOrder(plan)
  const last = `select max(id) as id from ${table}`
  const id = shown?.id ?? (await app.database.query<{ id: number }>(last))[0]?.id ?? 0
  await copyRow(app.database, { table, id, count: COPIES })
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
      const plan = planOf(scene, route, { ...question, page: 1, per_page: SIZE })
      if ((await wholeOrder(plan)).length < COPIES)
        await fill(FILLED_BY[route.path] ?? tableOf(scene, route) ?? '', plan)
      const whole = await wholeOrder(plan)
      expect(whole.length).toBeGreaterThanOrEqual(COPIES)
      const last = Math.ceil(whole.length / SIZE)
      const path = Object.entries(parametersOf(scene, route)).reduce(
        (made, [name, value]) => made.replace(`{${name}}`, String(value)),
        route.path,
      )
      for (const page of some(
        [1, Math.ceil(last / 2) + 1, last, last + 1, 2, 10, 11, Math.ceil(last / 2), last - 1],
        4,
      )) {
        const query = new URLSearchParams({ ...question, page: String(page), per_page: String(SIZE) })
        const { status, data, meta } = await scene.acme.staff.get(`${path}?${query.toString()}`)
        expect([status, page, meta]).toEqual([200, page, { page, per_page: SIZE, total: whole.length, pages: last }])
        const part = whole.slice((page - 1) * SIZE, page * SIZE)
        expect(data.length, `page ${page}`).toBe(part.length)
        expect(part, `page ${page}`).toMatchObject(data)
      }
    },
  )
})

// Every list that the routes declare, with the records that it is asked about.
import { expect } from 'vitest'
import { routes } from '../../src/modules.ts'
import type { ReadPlan, Route } from '#http/route.ts'
import { prepare } from '#kernel/values/sql.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import type { Organization } from '#test/harness/world.ts'

export type ListScene = { app: TestApp; acme: Organization; records: Records }
export type PagePlan = Extract<ReadPlan<unknown>, { kind: 'page' }>

export const lists = routes.filter(({ method, page }) => method === 'GET' && page !== undefined)

/** An organization with one record of every kind. */
export async function listScene(): Promise<ListScene> {
  const app = await startApp()
  const acme = await app.world.organization()
  const records = { ...(await createRecords(app, acme)), ...(await moreRecords(app, acme)) }
  return { app, acme, records }
}

/** Records without an organization, and records that only events create. */
async function moreRecords(app: TestApp, { staff }: Organization): Promise<Records> {
  await app.database.query(`insert into provider_events (source, company, dedupe_key, type, body, event)
    values ('stripe', 'entity_br', 'evt_1', 'invoice.paid', '{}', '{}')`)
  const sku = { sku: 'BACKUP-1', name: 'Backup', entitlement_class: 'PLG' }
  const { id: products } = (await staff.post('/admin/products', sku)).data
  const price = { company: 'entity_br', currency: 'BRL', unit_price: '10.00' }
  expect((await staff.post(`/admin/products/${products}/prices`, price)).status).toBe(201)
  const [license] = await app.database.query<{ id: number }>('select max(id) as id from licenses')
  const limit = { activations_limit: 7, reason: 'Two more sites' }
  expect((await staff.patch(`/licenses/${license?.id}`, limit)).status).toBe(200)
  // The records themselves were inserted without a move.
  for (const resource of ['quote', 'order', 'invoice', 'refund'])
    await app.database.query(
      `insert into audit_log (organization_id, at, request_id, actor_kind, actor, action, resource, resource_id, after)
       select organization_id, now(), 'r', 'system', 'titular', 'created', '${resource}', id, jsonb_build_object('status', status) from ${resource}s`,
    )
  return { products }
}

/** `/quotes/{id}`: the path with the id of a quote. */
export function parametersOf({ records }: ListScene, { path }: Route): Record<string, number | string> {
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

/** What the route declares for a page with these query parameters. */
export function planOf(scene: ListScene, route: Route, query: object): PagePlan {
  const plan = declared(scene, route, query)
  if (plan?.kind !== 'page') throw new Error(`${route.path} has no page`)
  return plan
}

const sessionOf = (token: string): number =>
  Number(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid)

function declared(scene: ListScene, route: Route, query: object): ReadPlan<unknown> | undefined {
  const { app, acme } = scene
  const userId = acme.staff.userId
  const context = {
    org: acme.id,
    userId,
    sessionId: sessionOf(acme.staff.token),
    organizations: null,
    company: null,
    now: app.clock.now,
    realNow: app.clock.now,
    ports: app.service.ports,
  }
  return route.read?.(context, { params: parametersOf(scene, route), query, body: {}, raw: null } as never)
}

/** The table whose rows a list shows; null for a list that is made up of something else, or that has to be asked. */
export function tableOf(scene: ListScene, route: Route): string | null {
  const { required = [] } = (route.query ?? {}) as { required?: readonly string[] }
  if (required.length > 0) return null
  const plan = declared(scene, route, {})
  if (plan?.kind !== 'page') return null
  const counted = prepare(plan.total).text
  // What stands before the count is a part that the list asks.
  return /\bfrom (\w+)/.exec(counted.slice(counted.search(/\bselect count\(/)))?.[1] ?? null
}

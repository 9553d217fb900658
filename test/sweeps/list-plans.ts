// The first page of every list is read from an index, whatever it is filtered by, and totals read no whole table: what
// PostgreSQL reads for it, in an organization with a thousand rows among ten thousand (docs/decisions/0050).
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Route } from '#http/route.ts'
import { type Asking, explain, optionsOf, type Reading } from '#test/harness/explain.ts'
import { until } from '#test/harness/until.ts'
import { allowAnyValues, allowCopies, copyRow } from '#test/scenes/many-rows.ts'
import { type Filter, isDate, isRange, pairsOf, queriesOf, type Query, skewOf } from './list-filters.ts'
import { lists as allLists, listScene, type ListScene, planOf, tableOf } from './lists.ts'

/** The plan of a cluster shows no rows of its nodes. */
const { isDistributed } = inject('postgres')

const ROWS = 10_000
const SIZE = 20
/** A page with what belongs to its rows, and no more than a record's own rows where a linked list is filtered. */
const MOST = 250

/** Lists that do not grow with an organization, and the reason. */
const SHORT: Record<string, string> = {
  '/search': 'its statements are read in area search',
  '/admin/search': 'its statements are read in area search',
  '/admin/queue': 'staff settle what is in it',
  '/mails': 'lists kinds that this version knows, and the copies here get others',
  '/lineage': 'a record has few origins',
  '/privacy/purposes': 'the service declares them, no table has them',
  '/admin/reports': 'the service declares them, no table has them',
  '/event-types': 'no table has them',
  '/organizations': 'a person is in few',
  '/invites': 'a person has few',
  '/organizations/{id}/collaborators': 'an organization has hundreds; status and name come from other columns',
  '/downloads': 'the vendor has hundreds of releases; which of them are listed depends on what is entitled',
  '/admin/downloads/{id}/counts': 'one row for each file and organization that ever downloaded it',
  '/admin/municipal-parameters': 'of few codes, whose rates change once in years',
  '/admin/price-indexes': 'an index has twelve rates a year, and the vendor uses few',
  '/products': 'the vendor has hundreds',
  '/admin/products': 'the vendor has hundreds',
  '/admin/products/{id}/prices': 'a product has few',
  '/entitlements/{id}/sites': 'an entitlement has few, of its licenses or its environments',
  '/documents/{id}/versions': 'a document has few',
  '/admin/webhook-endpoints/{id}/deliveries': 'the statement of an organization’s list, which is read here',
  '/admin/api-keys': 'the vendor’s own systems are few',
  '/admin/teams/assignees': 'the vendor’s own people are few',
  '/admin/jobs': 'jobs are removed when they are done',
}

const BILLED = 'an invoice without an order names what it bills in its lines, which are JSON'

const FEW = {
  filters: [
    'sort',
    ...['created_at', 'updated_at'].flatMap((name) =>
      ['gte', 'gt', 'lte', 'lt'].map((operator) => `${name}[${operator}]`),
    ),
    'updated_since',
  ],
  why: 'an organization has few, and their rows change with each payment: an index more would make it dearer',
}

/** Filters that read on until they find a page of matches, and the reason. Dates are among them everywhere. */
const WALKING: Record<string, { filters: readonly string[]; why: string }> = {
  '/sites': { filters: ['license_id'], why: 'under row security PostgreSQL asks no index about members of arrays' },
  '/admin/sites': { filters: ['license_id'], why: 'no index has the members of arrays in the order of the list' },
  '/invoices': { filters: ['entitlement_id'], why: BILLED },
  '/tax-invoices': { filters: ['entitlement_id'], why: BILLED },
  '/admin/invoices': { filters: ['entitlement_id'], why: BILLED },
  '/admin/tax-invoices': { filters: ['entitlement_id'], why: BILLED },
  '/documents': { filters: ['*'], why: 'two tables in one form, whose columns are computed' },
  '/affiliates': FEW,
  '/credit-balances': FEW,
  '/webhook-endpoints/{id}/deliveries': { filters: ['type'], why: 'of one endpoint, and of thirty days' },
  '/admin/audit-log': {
    filters: ['*'],
    why: 'more indexes would make every change dearer; an organization’s has them',
  },
  '/admin/staff': { filters: ['role'], why: 'the vendor’s own people are few' },
  '/admin/entries': { filters: ['in_force'], why: 'those in force have an index; nearly all others are over' },
  '/admin/inbound-events': { filters: ['*'], why: 'of ninety days; the state comes from jobs' },
}

const lists = allLists.filter(({ path }) => !(path in SHORT))
/** The modes that plans are made in, for these values or for any; and whether each two filters are asked for together. */
export type Plans = { modes: readonly Asking['mode'][]; inPairs: boolean }

let scene: ListScene
let clients: Record<Asking['role'], Client>

async function open(): Promise<void> {
  scene = await listScene()
  const { database } = scene.app
  await allowCopies(database)
  await allowAnyValues(database)
  if (!isDistributed) await countByHandOnly()
  // Of the last two no list is read here, but other lists look into them.
  const tables = new Set([...lists.map((route) => tableOf(scene, route) ?? ''), 'filed_documents', 'jobs'])
  for (const table of tables) await fill(table)
  await until(noOtherReads)
  await database.query('vacuum analyze')
  const connect = async (role: Asking['role']) => {
    const client = new Client({ connectionString: database.url, options: optionsOf(role) })
    await client.connect()
    return client
  }
  clients = { titular_app: await connect('titular_app'), titular_system: await connect('titular_system') }
}

/** VACUUM marks no page as visible to all that a transaction of before, such as a job's, may see otherwise. */
async function noOtherReads(): Promise<boolean> {
  const others = await scene.app.database.query(`
    select 1 from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`)
  return others.length === 0
}

/**
 * A plan must not depend on whether autovacuum has come to a table yet. While it counts one, VACUUM cannot mark the rows of
 * others as visible to all either, and what an index alone can answer then looks dear.
 */
async function countByHandOnly(): Promise<void> {
  const tables = await scene.app.database.query<{ statement: string }>(`
    select format('alter table %s set (autovacuum_enabled = false)', oid::regclass) as statement
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  for (const { statement } of tables) await scene.app.database.query(statement)
}

async function close(): Promise<void> {
  for (const client of Object.values(clients)) await client.end()
  await scene.app.close()
}

/** Every tenth copy is the organization's; the others belong to fifty that are not there. */
async function fill(table: string): Promise<void> {
  const { acme, app } = scene
  const [bound] = await app.database.query(
    `select 1 from information_schema.columns where table_name = $1 and column_name = 'organization_id' and is_generated = 'NEVER'`,
    [table],
  )
  const own = bound ? `where organization_id = ${acme.id}` : ''
  const [record] = await app.database.query<{ id: number }>(`select max(id) as id from ${table} ${own}`)
  const skew = await skewOf(scene, table, ROWS)
  const owner = `case when n % 10 = 0 then t.organization_id else 1000 + n % 50 end`
  // Copies of a job about one event would all be about it, which no service has.
  const alone = table === 'jobs' ? { payload: `t.payload - 'provider_event_id'` } : {}
  const changes = { ...skew, ...alone, ...(bound && { organization_id: owner }) }
  await copyRow(app.database, { table, id: record?.id ?? 0, count: ROWS }, changes)
  await app.database.query(`vacuum analyze ${table}`)
}

const isOfAll = ({ access }: Route): boolean => access.kind === 'vendor' || access.kind === 'user'

/** Of page and total, with a plan of each mode. */
async function readingsOf(
  route: Route,
  query: Query,
  modes: Plans['modes'],
): Promise<{ page: Reading; total: Reading }[]> {
  const { acme } = scene
  const role = isOfAll(route) ? 'titular_system' : 'titular_app'
  const { rows, total } = planOf(scene, route, { ...query, page: 1, per_page: SIZE })
  const readings = []
  for (const mode of modes) {
    const asking: Asking = { role, organizationId: acme.id, userId: acme.staff.userId, mode }
    const page = await explain(clients[role], rows, asking)
    readings.push({ page, total: await explain(clients[role], total, asking) })
  }
  return readings
}

/** Dates of a list’s own, and amounts, which are compared record by record. */
const walksFor = (filter: Filter): boolean => isDate(filter) !== isRange(filter)

export function explainLists({ modes, inPairs }: Plans): void {
  beforeAll(open)
  afterAll(close)

  it.skipIf(isDistributed)('every exception is a list', () => {
    const paths = allLists.map(({ path }) => path)
    expect(Object.keys({ ...SHORT, ...WALKING }).filter((path) => !paths.includes(path))).toEqual([])
  })

  describe.skipIf(isDistributed).each(lists.map((route) => [route.path, route] as const))('%s', (path, route) => {
    const walking = WALKING[path]?.filters ?? []

    it('reads little for its first page, with each filter', async () => {
      for (const { filter, query } of await queriesOf(scene, route)) {
        const walks = filter !== null && (walksFor(filter) || walking.includes(filter.name) || walking.includes('*'))
        for (const { page, total } of await readingsOf(route, query, modes)) {
          expect(walks ? 0 : page.rows, JSON.stringify(query)).toBeLessThanOrEqual(MOST)
          expect(page.scanned, JSON.stringify(query)).toEqual([])
          // An administrator's total is of all organizations.
          expect(isOfAll(route) ? [] : total.scanned, `the total of ${JSON.stringify(query)}`).toEqual([])
        }
      }
    })

    it.runIf(inPairs)('reads no whole table with two filters', async () => {
      if (walking.includes('*')) return
      for (const query of await pairsOf(scene, route))
        for (const { page } of await readingsOf(route, query, modes))
          expect(page.scanned, JSON.stringify(query)).toEqual([])
    })
  })
}

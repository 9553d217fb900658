// A million records of ten thousand organizations: staff's list of all of them and their search, by one caller at a time, and what
// the indexes of these lists add to an insert.
import { Client } from 'pg'
import { makeData } from './data.ts'
import { median } from './report.ts'
import type { Report, Run } from './run.ts'
import { type Asked, measured, serviceOn, timesOf } from './scale.ts'
import { keysOf } from './stages.ts'

const EACH = 100
const sizeOf = (quick: boolean) => ({
  organizations: quick ? 1000 : 10_000,
  entitlements: EACH,
  big: EACH,
  quotes: 0,
})
/** In the name of one product, among the oldest. */
const RARE = 'zanzibar'
const INSERTED = 2000
const ROUNDS = 7

export async function measureAcross(run: Run): Promise<Report> {
  const { url } = await run.postgres()
  const dataDir = await keysOf(run, url)
  const size = sizeOf(run.quick)
  const data = await makeData(url, 'bench_across', size, dataDir)
  const client = new Client({ connectionString: data.url })
  await client.connect()
  try {
    await prepare(client)
    run.say(`${size.organizations} organizations with ${EACH} entitlements each, and the terms of the search`)
    const { rows } = await client.query<{ code: string }>(
      'select code from entitlements order by id offset 5000 limit 1',
    )
    const times = timesOf((await serviceOn(run, data, dataDir)).url, data.bigOwner)
    const report = await measured(times, askedFor(rows[0]?.code ?? ''))
    const lines = await insertCosts(client)
    return { ...report, lines }
  } finally {
    await client.end()
  }
}

/** Each request of staff waits for its entry in the log to be committed. */
const askedFor = (code: string): Asked[] => [
  { what: 'list of 20 behind a cursor', path: '/admin/entitlements?cursor=first', ms: 10 },
  {
    what: 'list of 20 that changed since',
    path: '/admin/entitlements?cursor=first&updated_since=2020-01-01T00:00:00.000Z',
    ms: 10,
  },
  { what: 'list of 20 with a filter', path: '/admin/entitlements?cursor=first&status=active&class=PLG', ms: 10 },
  { what: 'list of 20 with its total', path: '/admin/entitlements', ms: 500 },
  { what: 'search for a code', path: `/admin/search?q=${code}`, ms: 10 },
  { what: 'search for a rare word', path: `/admin/search?q=${RARE}`, ms: 10 },
  { what: 'search for a word of every record', path: '/admin/search?q=product', ms: 20 },
  { what: 'search for an e-mail address', path: '/admin/search?q=owner-4242@example.com', ms: 10 },
]

/** The caller is staff; records have the terms that the service would have written. */
async function prepare(client: Client): Promise<void> {
  await client.query(`update users set roles = '{customer,administrator}' where id = (select max(id) from users)`)
  await client.query('set session_replication_role = replica')
  await client.query(
    `update entitlements set product_name = $1 where id = (select id from entitlements order by id offset 5000 limit 1)`,
    [`Storage in ${RARE}`],
  )
  await client.query(
    `insert into search_terms (organization_id, resource, resource_id, field, term)
     select e.organization_id, 'entitlement', e.id, f.field, t.term from entitlements e
            cross join lateral (values ('code', e.code), ('product_name', e.product_name)) f(field, value)
            cross join lateral search_terms_of(f.value) t(term) on conflict do nothing`,
  )
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}

/** By PostgreSQL, for a row; with the indexes without an organization, and without them. */
async function insertCosts(client: Client): Promise<string[]> {
  const withAll = await costOfInsert(client, false)
  const without = await costOfInsert(client, true)
  return [`an entitlement is inserted in ${withAll.toFixed(0)} µs, without these indexes in ${without.toFixed(0)} µs`]
}

async function costOfInsert(client: Client, isWithout: boolean): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await client.query('begin')
    if (isWithout)
      await client.query(`do $$ declare one record; begin
        for one in select indexrelid::regclass as name from pg_index
                    where indrelid = 'entitlements'::regclass and indexrelid::regclass::text like 'entitlements\\_everywhere%'
        loop execute format('drop index %s', one.name); end loop; end $$`)
    const began = performance.now()
    await client.query(
      `insert into entitlements (organization_id, code, class, product_name, company)
       select 1 + n, 'PLG-209901' || lpad(n::text, 7, '0'), 'PLG', 'Product', 'entity_br' from generate_series(1, $1::int) n`,
      [INSERTED],
    )
    costs.push(((performance.now() - began) * 1000) / INSERTED)
    await client.query('rollback')
  }
  return median(costs)
}

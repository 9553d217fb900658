// A backup of the real schema with a row in every table: every table and column is compared after the restore,
// as PostgreSQL's catalogue lists them, without the backup's own code.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { createRecords } from '#test/scenes/records.ts'
import { allocateCode, CODE_PERIODS, type CodePrefix } from '#kernel/data/codes.ts'
import { prepare, type Statement } from '#kernel/values/sql.ts'
import { backup } from './backup.ts'
import { EVENT_MARGIN, restore } from './restore.ts'

/** The database of a cluster has no backup. */
const { isDistributed } = inject('postgres')

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const migrationsDirectory = join(import.meta.dirname, '../../migrations')

let app: TestApp
let directory: string
let target: string
beforeAll(async () => {
  app = await startApp()
  const acme = await app.world.organization()
  await createRecords(app, acme)
  await fillGlobal(acme.owner.userId)
  directory = await mkdtemp(join(tmpdir(), 'titular-backup-'))
  const name = new URL(app.database.url).pathname.slice(1)
  await app.database.query(`create database ${name}_restored`)
  target = inject('postgres').url.replace(/\/[^/]*$/, `/${name}_restored`)
})
afterAll(async () => {
  await app.database.query(`drop database ${new URL(target).pathname.slice(1)} with (force)`)
  await app.close()
  await rm(directory, { recursive: true, force: true })
})

/** Rows that the records of an organization do not include. */
async function fillGlobal(userId: number): Promise<void> {
  const { query } = app.database
  const [session] = await query<{ id: number }>('select id from sessions where user_id = $1', [userId])
  await query(`insert into refresh_tokens (digest, session_id, expires_at) values ('\\x01', $1, now())`, [session?.id])
  await query(
    `insert into user_tokens (nonce, digest, user_id, purpose, email, expires_at) values ('n', '\\x02', $1, 'reset', 'a@b', now())`,
    [userId],
  )
  await query(`insert into known_addresses (user_id, digest, expires_at) values ($1, '\\x03', now())`, [userId])
  await query(
    `insert into address_undos (user_id, email, nonce, digest, requested_at, expires_at) values ($1, 'a@b', 'n', '\\x04', now(), now())`,
    [userId],
  )
  await query(`insert into totp_factors (user_id, nonce, created_at) values ($1, 'n', now())`, [userId])
  await query(`insert into recovery_codes (user_id, digest, created_at) values ($1, '\\x05', now())`, [userId])
  await query(`insert into sign_in_challenges (digest, user_id, expires_at) values ('\\x06', $1, now())`, [userId])
  await query(`insert into code_attempts (user_id, source, attempts, since) values ($1, 's', 2, now())`, [userId])
  await query(`insert into passkey_challenges (digest, user_id, expires_at) values ('\\x07', $1, now())`, [userId])
  await query(
    `insert into device_sign_ins (digest, user_code_digest, device, ip, interval_seconds, polled_at, session_id,
       second_factor, authenticated_at, rejected_at, created_at, expires_at)
     values ('\\x0a', '\\x0b', 'd', 'i', 5, now(), $1, 'totp', now(), now(), now(), now())`,
    [session?.id],
  )
  await query(`insert into rate_limits (key, points, expire) values ('k', 3, 4)`)
  await query(`insert into queue_assignments (kind, record_id, assignee_id) values ('refunds', 1, $1)`, [userId])
  await query(
    `insert into service_audit (actor_kind, actor, action, resource, details) values ('user', 'a', 'b', 'c', '{"d": "é"}')`,
  )
  await query(`insert into audit_beginning (made_at, jws) values (now(), 'a.b.c')`)
  await query(`insert into service_audit_seals (entry_id, hash) values (1, sha256('a'))`)
  await query(
    `insert into audit_seals (organization_id, entry_id, hash) select id, 1, sha256('b') from organizations limit 1`,
  )
  await query(`insert into service_audit_redactions (entry_id, erasure_id, hash) values (1, 1, sha256('c'))`)
  await query(
    `insert into audit_redactions (organization_id, entry_id, erasure_id, hash) select id, 1, 1, sha256('d') from organizations limit 1`,
  )
  await query(
    `insert into sso_sign_ins (digest, browser_digest, return_path, expires_at) values ('\\x08', '\\x09', '/', now())`,
  )
  await query(`insert into test_clocks (organization_id, started_at) select id, now() from organizations limit 1`)
  await query(`insert into code_counters (prefix, period, last) values ('PLG', '202001', 7)`)
  await query(
    `insert into number_series (document, company, series, last) values ('credit_note', 'entity_br', 'BRC', 41)`,
  )
  await query(
    `insert into provider_events (source, company, dedupe_key, type, body, event) values ('payment', 'entity_br', 'k', 't', '\\xff00', '{}')`,
  )
  const [product] = await query<{ id: number }>(
    `insert into products (sku, name, entitlement_class) values ('S-1', 'Backup', 'PLG') returning id`,
  )
  await query(
    `insert into prices (product_id, company, currency, unit_price) values ($1, 'entity_br', 'BRL', '1.00')`,
    [product?.id],
  )
}

/** Restoring advances these by a margin, so that nothing given out after the backup is reused. */
const MOVED = ['code_counters', 'number_series', 'event_sequences', 'event_positions', 'webhook_queues']

type Tables = Record<string, { columns: string; rows: number; content: string | null }>

/** All tables of all schemas except PostgreSQL's own. */
async function contentsOf(url: string): Promise<Tables> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string; columns: string }>(
      `select c.oid::regclass::text as name, string_agg(a.attname, ' ' order by a.attname) as columns
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relkind in ('r', 'p', 'f', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        group by c.oid order by 1`,
    )
    const contents: Tables = {}
    for (const { name, columns } of tables) {
      const { rows } = await client.query<{ rows: number; content: string | null }>(
        `select count(*)::int as rows, string_agg(to_jsonb(t)::text, e'\\n' order by to_jsonb(t)::text) as content from ${name} t`,
      )
      contents[name] = { columns, rows: rows[0]?.rows ?? 0, content: rows[0]?.content ?? null }
    }
    return contents
  } finally {
    await client.end()
  }
}

/** Uses are counted in the table of limits up to a second after the request: then the backup is made again. */
async function backupOfOneState(attempt = 1) {
  const file = join(directory, `titular-${attempt}.backup`)
  const before = await contentsOf(app.database.url)
  const header = await backup({ ownerUrl: app.database.url, file })
  if (isDeepStrictEqual(await contentsOf(app.database.url), before)) return { file, header, before }
  return backupOfOneState(attempt + 1)
}

it.skipIf(isDistributed)('a restored backup has every table and column again', async () => {
  const { file, header, before } = await backupOfOneState()
  const empty = Object.entries(before).filter(([, { rows }]) => rows === 0)
  expect(
    empty.map(([name]) => name),
    'tables without a row, of which this shows nothing',
  ).toEqual([])
  expect(header.tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(before).toSorted())
  await restore({ ownerUrl: target, file, migrationsDirectory, log })
  const after = await contentsOf(target)
  const lost = Object.entries(before).filter(([name, { columns, rows, content }]) => {
    const found = after[name]
    const isThere = MOVED.includes(name) ? found !== undefined && found.rows >= rows : found?.content === content
    return !isThere || found?.columns !== columns
  })
  expect(lost.map(([name]) => name)).toEqual([])
  expect(Object.keys(after)).toEqual(Object.keys(before))
})

it.skipIf(isDistributed)(
  'a restored backup gives no event an id or a place that one from after the backup may have had',
  async () => {
    const client = new Client({ connectionString: target })
    await client.connect()
    const both = async (text: string) => [await app.database.query(text), (await client.query(text)).rows]
    try {
      const [before, after] = await both(`
      select (select jsonb_object_agg(organization_id, last_sequence) from event_sequences) as sequences,
             (select last_position::int from event_positions) as position, (select max(id)::int from events) as id`)
      const moved = Object.entries(before?.[0].sequences ?? {}).map(([id, last]) => [id, Number(last) + EVENT_MARGIN])
      expect(moved).not.toEqual([])
      expect(after?.[0]).toMatchObject({
        sequences: Object.fromEntries(moved),
        position: before?.[0].position + EVENT_MARGIN,
      })
      const { rows } = await client.query(`select nextval('events_id_seq')::int as id`)
      expect(rows[0].id).toBeGreaterThan(before?.[0].id + EVENT_MARGIN)
      // An endpoint that had all events has them all still, and one that lagged behind lags as before.
      const [queues, restored] = await both(`
      select q.endpoint_id::int, s.last_sequence - q.cursor > 0 as lags
        from webhook_queues q join event_sequences s using (organization_id) order by 1`)
      expect(queues).not.toEqual([])
      expect(restored).toEqual(queues)
    } finally {
      await client.end()
    }
  },
)

it.skipIf(isDistributed)('codes that were first given out after the backup are not given out again', async () => {
  const prefixes = Object.keys(CODE_PERIODS).filter((prefix): prefix is CodePrefix => prefix in CODE_PERIODS)
  const { query } = app.database
  await query(`delete from code_counters where period <> '202001'`)
  const file = join(directory, 'before.backup')
  await backup({ ownerUrl: app.database.url, file })
  const given = await codesFrom(app.database.url, prefixes)
  const restored = new URL(target).pathname.slice(1)
  await query(`drop database ${restored} with (force)`)
  await query(`create database ${restored}`)
  await restore({ ownerUrl: target, file, migrationsDirectory, log })
  const again = await codesFrom(target, prefixes)
  expect(new Set([...given, ...again]).size).toBe(4 * prefixes.length)
})

/** Two of each. */
async function codesFrom(url: string, prefixes: readonly CodePrefix[]): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select set_config('app.organization_id', '1', false)`)
    const read = async <Row>(statement: Statement<Row>): Promise<Row[]> => {
      const { text, values } = prepare(statement)
      return (await client.query<Row & object>(text, values)).rows
    }
    const codes: string[] = []
    for (const prefix of [...prefixes, ...prefixes]) codes.push(await allocateCode({ read, now: new Date() }, prefix))
    return codes
  } finally {
    await client.end()
  }
}

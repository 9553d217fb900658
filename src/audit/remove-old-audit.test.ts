// `audit remove-old`: old entries go, the chains begin at a signed place, and what is left is verified as before.
import { generateKeyPairSync } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkpointCommand, removeOldCommand, verifyCommand } from '../commands/audit.ts'
import { createConsole } from '../commands/console.ts'
import { readAuditConfig } from '#config/config.ts'
import { appOfFile } from '#test/harness/app.ts'
import { sealAll } from '#test/scenes/audit-seals.ts'
import type { Organization } from '#test/harness/world.ts'

let acme: Organization
let quiet: Organization
/** Of the organization's log, oldest first: three old entries and two new ones. */
let ids: number[]
const app = await appOfFile()
beforeEach(async () => {
  await app.database.query(
    `truncate audit_log, audit_seals, audit_redactions, service_audit, service_audit_seals, audit_beginning`,
  )
  acme = await app.world.organization()
  quiet = await app.world.organization()
  await write(acme, 3, YEARS_AGO)
  await write(quiet, 2, YEARS_AGO)
  await write(acme, 2, 1)
  await app.database.query(
    `insert into service_audit (at, actor_kind, actor, action, resource)
     select $1::timestamptz - make_interval(days => n), 'user', 'a', 'b', 'c' from unnest(array[800, 1]) n`,
    [app.clock.now],
  )
  await sealAll(app)
  ids = await idsOf(acme)
})

const YEARS_AGO = 800
const console = createConsole('silent')
const config = (days = '365') =>
  readAuditConfig({ DATABASE_URL: app.database.url, DATA_DIR: app.dataDir, ...(days && { AUDIT_LOG_DAYS: days }) })

async function write({ id }: Organization, count: number, daysAgo: number): Promise<void> {
  await app.database.query(
    `insert into audit_log (organization_id, at, actor_kind, actor, action, resource, resource_id, request_id)
     select $1, $2::timestamptz - make_interval(days => $3), 'user', 'x', 'updated', 'organization', $1, 'r' from generate_series(1, $4)`,
    [id, app.clock.now, daysAgo, count],
  )
}
async function idsOf({ id }: Organization): Promise<number[]> {
  const rows = await app.database.query<{ id: string }>(
    'select id from audit_log where organization_id = $1 order by id',
    [id],
  )
  return rows.map((row) => Number(row.id))
}
type Options = { checkpointFile?: string; keyFile?: string }
async function verify({ checkpointFile, keyFile }: Options = {}) {
  const printed: string[] = []
  await verifyCommand({ config: config(), console, checkpointFile, keyFile, print: (json) => void printed.push(json) })
  return JSON.parse(printed[0] ?? '{}')
}
const remove = ({
  isDryRun = false,
  checkpointFile,
  days,
}: { isDryRun?: boolean; checkpointFile?: string; days?: string } = {}) =>
  removeOldCommand({ config: config(days), console, checkpointFile, isDryRun, now: app.clock.now })
const tamper = (text: string, values: unknown[] = []) => app.database.query(text, values)
const file = (name: string) => join(app.dataDir, `${name}-${ids[0]}`)
const checkpoint = async (name: string): Promise<string> => {
  expect(await checkpointCommand({ config: config(), console, file: file(name) })).toBe(true)
  return file(name)
}

describe('audit remove-old', () => {
  it('removes what is older than AUDIT_LOG_DAYS; verify says so and still proves the rest', async () => {
    const before = await checkpoint('before')
    expect(await remove({ isDryRun: true })).toBe(true)
    expect(await verify()).toMatchObject({ entries: 9, removed: 0, removed_before: null })
    expect(await remove()).toBe(true)
    expect(await idsOf(acme)).toEqual(ids.slice(3))
    expect(await idsOf(quiet)).toEqual([])
    const year = new Date(app.clock.now.getTime() - 365 * 86_400_000).toISOString()
    expect(await verify()).toMatchObject({ ok: true, entries: 3, removed: 6, removed_before: year, problems: [] })
    expect(await verify({ checkpointFile: before })).toMatchObject({ ok: true, problems: [] })
    await write(acme, 1, 0)
    await write(quiet, 1, 0)
    await sealAll(app)
    expect(await verify({ checkpointFile: await checkpoint('after') })).toMatchObject({ ok: true, entries: 5 })
    expect(await remove()).toBe(true)
    expect(await verify({ checkpointFile: before })).toMatchObject({ ok: true, entries: 5, removed: 6 })
  })
  it('goes on from the beginning when more has become old, and forgets none', async () => {
    await remove()
    await write(quiet, 2, YEARS_AGO)
    await sealAll(app)
    await remove()
    expect(await verify()).toMatchObject({ ok: true, entries: 3, removed: 8 })
    expect((await app.database.query('select made_at from audit_beginning')).length).toBe(1)
  })
  it('says of no earlier time that entries are removed from before it, when they are kept for longer', async () => {
    await remove()
    const { removed_before } = await verify()
    await write(quiet, 1, 2 * YEARS_AGO)
    await sealAll(app)
    await remove({ days: '1000' })
    expect(await verify()).toMatchObject({ ok: true, removed: 7, removed_before })
  })
  it('keeps what is old behind an entry that is not', async () => {
    await write(acme, 1, YEARS_AGO)
    await sealAll(app)
    await remove()
    expect(await idsOf(acme)).toHaveLength(3)
  })
  it('keeps all without the setting', async () => {
    expect(await remove({ days: '' })).toBe(true)
    expect(await idsOf(acme)).toEqual(ids)
    expect(() => config('364')).toThrow('AUDIT_LOG_DAYS')
  })
  it('removes nothing from logs that do not fit, alone or by the checkpoint', async () => {
    const before = await checkpoint('fitting')
    await tamper('delete from audit_log where id = $1', [ids[4]])
    expect(await remove()).toBe(false)
    await tamper('delete from audit_seals where entry_id = $1', [ids[4]])
    expect(await remove({ checkpointFile: before })).toBe(false)
    expect(await idsOf(acme)).toHaveLength(4)
  })
  it('ends a removal that was cut off', async () => {
    await tamper('create table kept as select * from audit_log')
    await remove()
    await tamper(
      `with left_over as materialized (select id from audit_log)
       insert into audit_log select * from kept k where k.id not in (select id from left_over)`,
    )
    await tamper('drop table kept')
    expect((await verify()).problems).toMatchObject([{ finding: 'added' }, { finding: 'added' }])
    expect(await remove()).toBe(true)
    expect(await verify()).toMatchObject({ ok: true, entries: 3, removed: 6 })
  })
})

describe('audit verify after a removal', () => {
  beforeEach(async () => void (await remove()))
  it.each([
    [`update audit_log set actor = 'y' where id = $1`, 3, 'changed'],
    [`delete from audit_log where id = $1`, 4, 'removed'],
    [`update audit_seals set hash = sha256('x') where entry_id = $1`, 2, 'changed'],
    [`delete from audit_seals where entry_id = $1`, 2, 'changed'],
  ])('%s', async (text, nth, finding) => {
    await tamper(text, [ids[nth]])
    expect((await verify()).problems).toMatchObject([{ organization_id: acme.id, entry_id: ids[nth], finding }])
  })
  it('finds an entry that was put before the beginning', async () => {
    await tamper(
      `insert into audit_log (organization_id, id, at, actor_kind, actor, action, resource, resource_id, request_id)
       values ($1, $2, now(), 'user', 'x', 'updated', 'organization', 1, 'r')`,
      [acme.id, ids[1]],
    )
    expect((await verify()).problems).toMatchObject([{ entry_id: ids[1], finding: 'added' }])
  })
  it('finds a log that was cut off from the beginning on, and one that was emptied', async () => {
    await tamper('delete from audit_log where id = $1', [ids[3]])
    await tamper('delete from audit_seals where entry_id = any($1)', [ids.slice(2, 4)])
    expect((await verify()).problems).toMatchObject([{ entry_id: ids[2], finding: 'changed' }])
    await tamper('truncate audit_log, audit_seals')
    const { problems } = await verify()
    expect(problems.map(({ organization_id }: { organization_id: number }) => organization_id)).toEqual([
      acme.id,
      quiet.id,
    ])
  })
  it('takes a beginning from one of the keys only, and no checkpoint for one', async () => {
    const other = file('other.pem')
    const { publicKey } = generateKeyPairSync('ed25519')
    await writeFile(other, publicKey.export({ type: 'spki', format: 'pem' }).toString())
    const unsigned = [{ organization_id: null, entry_id: 0, finding: 'unsigned' }]
    expect((await verify({ keyFile: other })).problems).toEqual(unsigned)
    const jws = (await readFile(await checkpoint('taken'), 'utf8')).trim()
    await tamper('update audit_beginning set jws = $1', [jws])
    expect((await verify()).problems).toEqual(unsigned)
    await tamper('delete from audit_beginning')
    expect((await verify()).problems.length).toBeGreaterThan(0)
    await rm(other)
  })
})

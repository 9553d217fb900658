// `audit verify --file`: an exported audit log is verified by the file alone, and each change of the file is found.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAuditConfig } from '#config/config.ts'
import { AUDIT_LOGS, hashedText } from '#modules/operations/audit-log/audit-chain.ts'
import { prepare, sql } from '#kernel/values/sql.ts'
import { shifted } from '#test/harness/shifted.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { sealAll } from '#test/scenes/audit-seals.ts'
import type { Organization } from '#test/harness/world.ts'
import { checkpointCommand, verifyFileCommand } from '../commands/audit.ts'
import { createConsole } from '../commands/console.ts'

let app: TestApp
let acme: Organization
let other: Organization
let whole: { ndjson: string; csv: string; own: string }

const TEXT = '=1+1; "Ltda", 🚀\\ \u2028\u0085 1.10'

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  other = await app.world.organization()
  await change(6)
  await other.owner.put(`/organizations/${other.id}`, { phone: '1' })
  await app.database.query(
    `update audit_log set reason = $1, after = after || '{"price": 1.10}', at = ${shifted('at', '+ 999 microseconds')}`,
    [TEXT],
  )
  await sealAll(app)
  await erase()
  whole = { ndjson: await vendorFile('ndjson'), csv: await vendorFile('csv'), own: await ownFile() }
})
afterAll(() => app.close())

async function change(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const phone = `${app.clock.now.getTime()}-${n}`
    expect((await acme.owner.put(`/organizations/${acme.id}`, { phone })).status).toBe(200)
  }
}
/** A person from the second entry, as an erasure leaves it. */
async function erase(): Promise<void> {
  const [log] = AUDIT_LOGS
  if (!log) return
  const [entry] = await app.database.query<{ id: number }>(
    `update audit_log set actor = 'erased' where id = (select id from audit_log where organization_id = $1 order by id offset 1 limit 1) returning id`,
    [acme.id],
  )
  const { text, values } = prepare(sql`
    insert into audit_redactions (organization_id, entry_id, erasure_id, hash)
    select l.organization_id, l.id, 1, sha256(s.hash || convert_to(${hashedText(log)}, 'UTF8')) from audit_log l
      join audit_seals s on s.organization_id = l.organization_id and s.entry_id = l.id where l.id = ${entry?.id}`)
  await app.database.query(text, values)
}
const follow = async (url: string) =>
  (await app.service.app.inject({ method: 'GET', url: new URL(url).pathname })).rawPayload.toString()
async function vendorFile(format: string): Promise<string> {
  const { data } = await acme.staff.post('/admin/exports', { source: 'audit-log/sealed', format })
  await app.service.worker.drain()
  return follow((await acme.staff.get(`/admin/exports/${data.id}`)).data.url)
}
async function ownFile(): Promise<string> {
  const { data } = await acme.owner.post('/audit-log/sealed-exports', { format: 'ndjson' })
  await app.service.worker.drain()
  return follow((await acme.owner.get(`/audit-log/sealed-exports/${data.id}`)).data.url)
}

type Verified = { ok: boolean; problems: { entry_id: number; finding: string }[] } & Record<string, number>
let count = 0
const console = createConsole('silent')
async function verify(content: string, checkpointFile?: string): Promise<Verified> {
  const file = join(app.dataDir, `export-${++count}`)
  await writeFile(file, content)
  const printed: string[] = []
  const print = (json: string) => void printed.push(json)
  const ok = await verifyFileCommand({ config: config(), console, checkpointFile, keyFile: undefined, print, file })
  const found: Verified = JSON.parse(printed[0] ?? '{}')
  expect(found.ok).toBe(ok)
  return found
}
const config = () => readAuditConfig({ DATABASE_URL: app.database.url, DATA_DIR: app.dataDir })
const findings = async (content: string, checkpointFile?: string) =>
  (await verify(content, checkpointFile)).problems.map(({ entry_id, finding }) => [entry_id, finding])

type Line = { id: number; organization_id: number; hash: string; hashed: string; [column: string]: unknown }
/** The lines of the organization of the test, which is the first; sealed ones only. */
const lines = (): Line[] =>
  whole.ndjson
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter((line: Line) => line.organization_id === acme.id && line.hash !== null)
const text = (changed: readonly (object | undefined)[]) => changed.map((line) => `${JSON.stringify(line)}\n`).join('')
const changed = (index: number, values: object) =>
  text(lines().map((one, at) => (at === index ? { ...one, ...values } : one)))

describe('audit verify --file', () => {
  it.each(['ndjson', 'csv'] as const)('finds nothing in what was exported as %s', async (format) => {
    const found = await verify(whole[format])
    expect(found).toMatchObject({ ok: true, chains: 2, partial: 0, redacted: 1, withheld: 0, beyond: 0, problems: [] })
    expect(found['entries']).toBeGreaterThan(6)
  })
  it('finds nothing in the organization’s own export', async () => {
    expect(await verify(whole.own)).toMatchObject({ ok: true, chains: 1, redacted: 1 })
  })
  it('finds nothing in what comes behind an entry, and says that it is a part', async () => {
    expect(await verify(text(lines().slice(2)))).toMatchObject({ ok: true, partial: 1 })
    expect(await verify('')).toMatchObject({ ok: true, chains: 0 })
  })
  it.each([
    [{ actor: 'somebody else' }],
    [{ after: { phone: '1' } }],
    [{ at: '2026-01-01T00:00:00.000Z' }],
    [{ hashed: '[]' }],
    [{ hashed: 'x' }],
    [{ hash: '0'.repeat(64) }],
    [{ previous_hash: '0'.repeat(64) }],
    [{ id: 999_999 }],
    [{ redacted_hash: '0'.repeat(64) }],
  ] satisfies [Partial<Line>][])('finds the entry in which %o was written', async (values: Partial<Line>) => {
    const [, , third] = lines()
    expect(await findings(changed(2, values))).toEqual([[values.id ?? third?.id, 'changed']])
  })
  it('finds what was changed in an entry from which a person was erased', async () => {
    expect(await findings(changed(1, { actor: 'somebody else' }))).toEqual([[lines()[1]?.id, 'changed']])
  })
  it('finds the entry before which one was removed, and one that was added', async () => {
    const all = lines()
    expect(await findings(text(all.toSpliced(2, 1)))).toEqual([[all[3]?.id, 'changed']])
    const [first, second, third, fourth, ...others] = all
    const added = { ...third, hash: null, previous_hash: null }
    expect(await findings(text([first, second, added, fourth, ...others]))).toEqual([[third?.id, 'added']])
    expect(await findings(text([first, second, fourth, third, ...others]))).toEqual([[fourth?.id, 'changed']])
  })
  it('finds an entry that is missing between two parts of a chain', async () => {
    const all = lines()
    const others = whole.ndjson.split('\n').filter((line) => line.includes(`"organization_id":${other.id},`))
    const parts = `${text(all.slice(0, 2))}${others.join('\n')}\n`
    expect(await findings(`${parts}${text(all.slice(3))}`)).toEqual([[all[3]?.id, 'changed']])
    expect(await verify(`${parts}${text(all.slice(2))}`)).toMatchObject({ ok: true, chains: 2, partial: 0 })
  })
  it('counts what can be read without the text that was hashed', async () => {
    const nothing = { hashed: null, actor: 'somebody else' }
    expect(await verify(changed(2, nothing))).toMatchObject({ ok: true, withheld: 1, unproven: 1 })
    const hidden = Object.fromEntries(Object.keys(lines()[2] ?? {}).map((name) => [name, null]))
    const { id, organization_id, previous_hash, hash } = { previous_hash: null, ...lines()[2] }
    const withheld = changed(2, { ...hidden, id, organization_id, previous_hash, hash })
    expect(await verify(withheld)).toMatchObject({ ok: true, withheld: 1, unproven: 0 })
  })
  it('finds a cell that was changed in a CSV', async () => {
    const [first] = lines()
    expect(await findings(whole.csv.replace("'=1+1", "'=1+2"))).toEqual([[first?.id, 'changed']])
  })
  it.each(['{"id": 1}\n', 'id,hash\n1,2\n', '{', 'x\n', 'id,"hash', 'id\n1,2\n'])(
    'refuses what is no export: %s',
    async (content) => {
      await expect(verify(content)).rejects.toThrow('is no export of an audit log')
    },
  )
  it('compares with a checkpoint: what was sealed anew is found, and what the file does not reach is counted', async () => {
    const file = join(app.dataDir, 'checkpoint')
    await checkpointCommand({ config: config(), console, file })
    const now = await vendorFile('ndjson')
    expect(await verify(now, file)).toMatchObject({ ok: true, beyond: 0 })
    expect(await verify(text(lines().slice(0, 3)), file)).toMatchObject({ ok: true, beyond: 1 })
    await app.database.query(`update audit_log set actor = 'somebody else' where organization_id = $1`, [acme.id])
    await app.database.query('truncate audit_seals, audit_redactions')
    await app.database.query(`update audit_sealing set sealed_id = 0`)
    await sealAll(app)
    const forged = await vendorFile('ndjson')
    expect((await verify(forged)).ok).toBe(true)
    expect((await verify(forged, file)).problems.map(({ finding }) => finding)).toContain('rewritten')
  })
})

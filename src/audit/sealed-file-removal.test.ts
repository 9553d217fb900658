// Exports of audit logs whose old entries were removed: they begin behind the last removed entry, and fit by themselves.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAuditConfig } from '#config/config.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { sealAll } from '#test/scenes/audit-seals.ts'
import type { Organization } from '#test/harness/world.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { checkpointCommand, removeOldCommand, verifyFileCommand } from '../commands/audit.ts'
import { createConsole } from '../commands/console.ts'

const console = createConsole('silent')
const YEARS_AGO = 800

let app: TestApp
let acme: Organization
let quiet: Organization
/** Of the organization's log: three entries that are removed, then two that are not. */
let ids: number[]
let before: Line[]
/** Checkpoints that end before the last removed entry, at it, and behind it. */
let checkpoints: { early: string; at: string; late: string }

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  quiet = await app.world.organization()
  await app.database.query('truncate audit_log, audit_seals, service_audit, service_audit_seals')
  await write(quiet, 2, YEARS_AGO)
  await write(acme, 2, YEARS_AGO)
  const early = await checkpoint('early')
  await write(acme, 1, YEARS_AGO)
  const at = await checkpoint('at')
  await write(acme, 2, 1)
  checkpoints = { early, at, late: await checkpoint('late') }
  before = linesIn(await ownFile(acme)).filter(({ hash }) => hash !== null)
  ids = before.slice(0, 5).map(({ id }) => id)
  await removeOldCommand({
    config: config(),
    console,
    checkpointFile: undefined,
    isDryRun: false,
    now: app.clock.now,
  })
})
afterAll(() => app.close())

const config = () => readAuditConfig({ DATABASE_URL: app.database.url, DATA_DIR: app.dataDir, AUDIT_LOG_DAYS: '365' })

async function write({ id }: Organization, count: number, daysAgo: number): Promise<void> {
  await app.database.query(
    `insert into audit_log (organization_id, at, actor_kind, actor, action, resource, resource_id, request_id)
     select $1, $2::timestamptz - make_interval(days => $3), 'user', 'x', 'updated', 'organization', $1, 'r' from generate_series(1, $4)`,
    [id, app.clock.now, daysAgo, count],
  )
  await sealAll(app)
}
async function checkpoint(name: string): Promise<string> {
  const file = join(app.dataDir, name)
  expect(await checkpointCommand({ config: config(), console, file })).toBe(true)
  return file
}

const follow = async (url: string) =>
  (await app.service.app.inject({ method: 'GET', url: new URL(url).pathname })).rawPayload.toString()
async function ownFile({ owner }: Organization, body: object = {}): Promise<string> {
  const { data } = await owner.post('/audit-log/sealed-exports', { format: 'ndjson', ...body })
  await app.service.worker.drain()
  return follow((await owner.get(`/audit-log/sealed-exports/${data.id}`)).data.url)
}
async function vendorFile(format: string, filters: object = {}): Promise<string> {
  const { data } = await acme.staff.post('/admin/exports', { source: 'audit-log/sealed', format, filters })
  await app.service.worker.drain()
  return follow((await acme.staff.get(`/admin/exports/${data.id}`)).data.url)
}

type Line = {
  id: number
  organization_id: number
  at: string | null
  hash: string | null
  previous_hash: string | null
}
const linesIn = (file: string): Line[] =>
  file
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const text = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

let count = 0
async function verify(content: string, checkpointFile?: string) {
  const file = join(app.dataDir, `export-${++count}`)
  await writeFile(file, content)
  const printed: string[] = []
  const print = (json: string) => void printed.push(json)
  await verifyFileCommand({ config: config(), console, checkpointFile, keyFile: undefined, print, file })
  return JSON.parse(printed[0] ?? '{}')
}

describe('an export after `audit remove-old`', () => {
  it('begins behind the last removed entry, whatever it is asked for', async () => {
    const [first, , boundary, fourth] = ids
    for (const after_id of [undefined, first, boundary]) {
      const file = await ownFile(acme, { after_id })
      const [begin] = linesIn(file)
      expect(begin, `after ${after_id}`).toMatchObject({
        id: fourth,
        at: expect.any(String),
        previous_hash: before[2]?.hash,
      })
      expect(await verify(file)).toMatchObject({ ok: true, chains: 1, partial: 1, withheld: 0, problems: [] })
    }
    const rest = await ownFile(acme, { after_id: fourth })
    expect(linesIn(rest)[0]).toMatchObject({ id: ids[4], previous_hash: before[3]?.hash })
  })
  it.each(['ndjson', 'csv'])('of all organizations fits as %s', async (format) => {
    for (const filters of [{}, { after_id: ids[0] }]) {
      const found = await verify(await vendorFile(format, filters), checkpoints.late)
      expect(found).toMatchObject({ ok: true, withheld: 0, beyond: 0, problems: [] })
    }
  })
  it('has nothing of a log of which all was removed', async () => {
    const file = await vendorFile('ndjson', { organization_id: quiet.id, after_id: 1 })
    expect(linesIn(file).filter(({ id }) => id < (ids[0] ?? 0))).toEqual([])
    expect((await verify(file)).ok).toBe(true)
  })
  it('is proven by checkpoints from before that end at the last removed entry or behind it', async () => {
    const file = await ownFile(acme)
    expect(await verify(file, checkpoints.late)).toMatchObject({ ok: true, beyond: 0 })
    expect(await verify(file, checkpoints.at)).toMatchObject({ ok: true, beyond: 0 })
    expect(await verify(file, checkpoints.early)).toMatchObject({ ok: true, beyond: 1 })
  })
  it('shows what was changed and sealed anew since such a checkpoint', async () => {
    const lines = linesIn(await ownFile(acme)).filter(({ id }) => ids.includes(id))
    const [fourth, fifth] = lines
    const forged = [fourth ?? {}, { ...fifth, hash: '0'.repeat(64) }]
    expect((await verify(text(forged), checkpoints.late)).problems).toMatchObject([{ entry_id: ids[4] }])
    expect((await verify(text([fifth ?? {}]), checkpoints.at)).beyond).toBe(1)
  })
})

describe('an answer from the audit log', () => {
  it('422 for a moment of which entries were removed', async () => {
    const { id } = await entitlement(acme)
    const removedBefore = app.clock.now.getTime() - 365 * 86_400_000
    const at = (days: number) => new Date(removedBefore + days * 86_400_000).toISOString()
    for (const path of [`/entitlements/${id}?`, '/entitlements/check?class=PLG&']) {
      const { status, errors } = await acme.owner.get(`${path}as_of=${at(-1)}`)
      expect([status, Object.keys(errors?.fields ?? {})], path).toEqual([422, ['as_of']])
      const later = await acme.owner.get(`${path}as_of=${at(1)}`)
      expect(later.status, path).toBe(path.includes('check') ? 200 : 404)
    }
  })
})

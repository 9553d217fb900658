// The hash chains of the audit logs, changed by somebody who owns the tables: each change is found, with the entry's id.
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkpointCommand, verifyCommand } from '../commands/audit.ts'
import { createConsole } from '../commands/console.ts'
import { AUDIT_LOGS } from '#modules/operations/audit-log/audit-chain.ts'
import { readAuditConfig } from '#config/config.ts'
import { shifted } from '#test/harness/shifted.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'
import { until } from '#test/harness/until.ts'
import { verifyAudit } from './verify-audit.ts'

let acme: Organization
/** Five entries of an organization's log, oldest first. */
let ids: number[]
const app = await appOfFile()
beforeEach(async () => {
  // What the test before has done to the chains is out of the way.
  await app.database.query(`truncate audit_log, audit_seals, service_audit, service_audit_seals`)
  acme = await app.world.organization()
  await change(5)
  await seal()
  const rows = await app.database.query<{ id: string }>(
    'select id from audit_log where organization_id = $1 order by id',
    [acme.id],
  )
  ids = rows.map(({ id }) => Number(id))
})

async function change(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const phone = `${app.clock.now.getTime()}-${n}`
    expect((await acme.owner.put(`/organizations/${acme.id}`, { phone })).status).toBe(200)
  }
}
const work = async () => {
  app.clock.advance(61)
  await app.database.query(`update jobs set run_at = $1 where kind = 'audit-log/seal'`, [app.clock.now])
  await app.database.query(
    `insert into jobs (kind, run_at) select 'audit-log/seal', $1 where not exists (select 1 from jobs where kind = 'audit-log/seal')`,
    [app.clock.now],
  )
  await app.service.worker.drain()
}
/** Transactions of other tests on the same server are waited for. */
const seal = () =>
  until(async () => {
    await work()
    return (await verify()).unsealed === 0
  })
const verify = (checkpoint: Parameters<typeof verifyAudit>[0]['checkpoint'] = []) =>
  verifyAudit({ ownerUrl: app.database.url, checkpoint })
const problems = async (...given: Parameters<typeof verify>) =>
  (await verify(...given)).problems.map(({ organization_id, entry_id, finding }) => [
    organization_id,
    entry_id,
    finding,
  ])
const tamper = (text: string, values: unknown[] = []) => app.database.query(text, values)

describe('audit verify', () => {
  it('finds nothing where nothing was changed, and counts what is too new to be sealed', async () => {
    const { chains, unsealed } = await verify()
    expect(ids).toHaveLength(5)
    expect(chains.map(({ organization_id, entries, last_id }) => [organization_id, entries, last_id])).toEqual([
      [acme.id, 5, ids[4]],
    ])
    expect(unsealed).toBe(0)
    await change(2)
    expect(await verify()).toMatchObject({ unsealed: 2, problems: [] })
    await seal()
    expect((await verify()).chains[0]?.entries).toBe(7)
  })
  it.each([
    [`update audit_log set after = '{"phone": "1"}' where id = $1`, 'changed'],
    [`update audit_log set actor = 'somebody else' where id = $1`, 'changed'],
    [`update audit_log set at = ${shifted('at', '+ 1 microsecond')} where id = $1`, 'changed'],
    [`update audit_seals set hash = sha256('x') where entry_id = $1`, 'changed'],
    [`delete from audit_log where id = $1`, 'removed'],
    [`delete from audit_seals where entry_id = $1`, 'added'],
  ])('%s', async (text, finding) => {
    await tamper(text, [ids[2]])
    expect(await problems()).toEqual([[acme.id, ids[2], finding]])
  })
  it('finds the first of a removed tail', async () => {
    await tamper('delete from audit_log where id = any($1)', [ids.slice(3)])
    expect(await problems()).toEqual([[acme.id, ids[3], 'removed']])
  })
  it('finds an entry between the others that was removed together with its seal, by the one behind it', async () => {
    await tamper('delete from audit_log where id = $1', [ids[2]])
    await tamper('delete from audit_seals where entry_id = $1', [ids[2]])
    expect(await problems()).toEqual([[acme.id, ids[3], 'changed']])
  })
  it('finds an added entry', async () => {
    await tamper('delete from audit_log where id = $1', [ids[4]])
    await tamper('delete from audit_seals where entry_id = $1', [ids[4]])
    await tamper(
      `insert into audit_log (organization_id, id, at, actor_kind, actor, action, resource, resource_id, request_id)
       values ($1, $2, now(), 'user', 'x', 'updated', 'organization', 1, 'r')`,
      [acme.id, ids[4]],
    )
    expect(await problems()).toEqual([[acme.id, ids[4], 'added']])
  })
  it('finds the first of two entries that changed places', async () => {
    await tamper('update audit_log set id = -1 where id = $1', [ids[1]])
    await tamper('update audit_log set id = $1 where id = $2', [ids[1], ids[3]])
    await tamper('update audit_log set id = $1 where id = -1', [ids[3]])
    expect(await problems()).toEqual([[acme.id, ids[1], 'changed']])
  })
  it('finds changes of the service’s log', async () => {
    const [entry] = await app.database.query<{ id: string }>(
      `insert into service_audit (actor_kind, actor, action, resource) values ('user', 'a', 'b', 'c') returning id`,
    )
    await seal()
    await tamper(`update service_audit set details = '{"x": 1}'`)
    expect(await problems()).toEqual([[null, Number(entry?.id), 'changed']])
  })
})

const console = createConsole('silent')
const file = () => join(app.dataDir, `checkpoint-${ids[0]}`)
const config = () => readAuditConfig({ DATABASE_URL: app.database.url, DATA_DIR: app.dataDir })
const printed: string[] = []
const check = async (keyFile?: string): Promise<[boolean, object[]]> => {
  const isWhole = await verifyCommand({
    config: config(),
    console,
    checkpointFile: file(),
    keyFile,
    print: (json) => void printed.push(json),
  })
  return [isWhole, JSON.parse(printed.at(-1) ?? '{}').problems]
}
const pem = (key: { export: (how: { type: 'spki'; format: 'pem' }) => string | Buffer }) =>
  key.export({ type: 'spki', format: 'pem' }).toString()

describe('a checkpoint', () => {
  beforeEach(() => checkpointCommand({ config: config(), console, file: file() }))

  it('fits also when entries followed, and is never written over', async () => {
    await change(2)
    await seal()
    expect(await check()).toEqual([true, []])
    await expect(checkpointCommand({ config: config(), console, file: file() })).rejects.toThrow('EEXIST')
  })
  it('shows that the end was cut off with its seals, also when others followed', async () => {
    for (const table of ['audit_log where id', 'audit_seals where entry_id'])
      await tamper(`delete from ${table} = any($1)`, [ids.slice(3)])
    expect(await problems()).toEqual([])
    const cut = [{ organization_id: acme.id, entry_id: ids[4], finding: 'cut' }]
    expect(await check()).toEqual([false, cut])
    await change(1)
    await seal()
    expect(await check()).toEqual([false, cut])
  })
  it('shows that a whole log is gone', async () => {
    await tamper('truncate audit_log, audit_seals')
    expect(await check()).toEqual([false, [{ organization_id: acme.id, entry_id: ids[4], finding: 'cut' }]])
  })
  it('shows that entries were changed and all sealed anew', async () => {
    await tamper(`update audit_log set actor = 'somebody else' where id = $1`, [ids[1]])
    await tamper('truncate audit_seals')
    await tamper(`update audit_sealing set sealed_id = 0`)
    await seal()
    expect(await problems()).toEqual([])
    expect(await check()).toEqual([false, [{ organization_id: acme.id, entry_id: ids[4], finding: 'rewritten' }]])
  })
  it('is verified by the public key alone, and by no other key', async () => {
    const other = join(app.dataDir, 'other.pem')
    await writeFile(other, pem(generateKeyPairSync('ed25519').publicKey))
    await expect(check(other)).rejects.toThrow('no checkpoint that one of the given keys has signed')
    const [head, body, signature] = (await readFile(file(), 'utf8')).trim().split('.')
    const content = JSON.parse(Buffer.from(body ?? '', 'base64url').toString())
    content.chains = []
    await writeFile(file(), [head, Buffer.from(JSON.stringify(content)).toString('base64url'), signature].join('.'))
    await expect(check()).rejects.toThrow('no checkpoint')
  })
})

it('every column of the logs is hashed', async () => {
  for (const { name, hashed } of AUDIT_LOGS) {
    const columns = await app.database.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = $1`,
      [name],
    )
    expect(columns.map((column) => column.name).toSorted(), name).toEqual(hashed.toSorted())
  }
})

// Audit logs that had a signed beginning before it was noted beside it from when on all entries are there.
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signHeads } from '#kernel/keys/audit-checkpoints.ts'
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts'
import { migrate, migrationsIn } from './migrate.ts'

const directory = join(import.meta.dirname, '../../migrations')
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
beforeAll(async () => void (database = await emptyDatabase()))
afterAll(() => database.drop())

it('reads the moment from the signed text, of whatever length it is', async () => {
  const count = (await migrationsIn(directory)).indexOf('0113-audit-logs-kept-since')
  await migrate({ ownerUrl: database.url, directory, log, count })
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const removed_before = '2025-11-23T17:58:13.868Z'
  await database.query('alter table audit_beginning drop constraint audit_beginning_id_check')
  for (const [index, also] of ['', 'a', 'ab', 'é?>~'].entries()) {
    const { jws } = await signHeads('beginning', [pem], { made_at: removed_before, removed_before, chains: [], also })
    await database.query('insert into audit_beginning (id, made_at, jws) values ($1, now(), $2)', [index, jws])
  }
  await migrate({ ownerUrl: database.url, directory, log, count: count + 1 })
  const rows = await database.query<{ removed_before: Date }>('select removed_before from audit_beginning')
  expect(rows.map((row) => new Date(row.removed_before).toISOString())).toEqual(Array(4).fill(removed_before))
})

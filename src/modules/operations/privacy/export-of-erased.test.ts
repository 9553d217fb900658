// An export that is being made while its person is erased.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile({ environment: { ERASURE_DAYS: '0' } })

const at = (runAt: Date | 'infinity') =>
  app.database.query(`update jobs set run_at = $1 where kind = 'privacy/export-person'`, [runAt])

it('has no file after the erasure', async () => {
  const { owner, member } = await app.world.organization()
  const who = await member()
  const asked = await who.post('/privacy/exports')
  expect(asked.status).toBe(202)
  await at('infinity')
  expect((await who.post('/privacy/erasure')).status).toBe(202)
  await app.database.query(`insert into jobs (kind, run_at) values ('privacy/erase-due', $1)`, [app.clock.now])
  await app.service.worker.drain()
  const erasures = await app.database.query('select status from erasures where user_id = $1', [who.userId])
  expect(erasures).toEqual([{ status: 'done' }])
  await at(app.clock.now)
  await app.service.worker.drain()
  const [row] = await app.database.query('select status, storage_key from person_exports where id = $1', [
    asked.data.id,
  ])
  expect(row).toEqual({ status: 'queued', storage_key: null })
  const left = await app.database.query(`select 1 from jobs where kind = 'privacy/export-person'`)
  expect(left).toEqual([])
  await app.database.query(`insert into jobs (kind, run_at) values ('privacy/give-up-exports', $1)`, [app.clock.now])
  await app.service.worker.drain()
  const [ended] = await app.database.query('select status from person_exports where id = $1', [asked.data.id])
  expect(ended).toEqual({ status: 'failed' })
  expect((await owner.post('/privacy/exports')).status).toBe(202)
})

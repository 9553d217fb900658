// How many exports are kept, by the exports of each kind, and how they count in the storage quota.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { upload } from '#test/scenes/documents.ts'
import { NEWEST_EXPORTS } from './kept-exports.ts'

const QUOTA = 8

const app = await appOfFile({ environment: { FILES_QUOTA_COUNT: String(QUOTA) } })
const acme = await app.world.organization()

type Kind = { path: string; body?: object; done: string; table: string; by: () => Speaker }
const kinds: Kind[] = [
  { path: '/privacy/exports', done: 'completed', table: 'person_exports', by: () => acme.owner },
  { path: '/privacy/organization-exports', done: 'completed', table: 'organization_exports', by: () => acme.owner },
  {
    path: '/audit-log/sealed-exports',
    body: { format: 'csv' },
    done: 'completed',
    table: 'audit_exports',
    by: () => acme.owner,
  },
  {
    path: '/admin/exports',
    body: { source: 'orders', format: 'csv' },
    done: 'completed',
    table: 'exports',
    by: () => acme.staff,
  },
]

describe.each(kinds)('$path', ({ path, body, done, table, by }) => {
  it('keeps the newest three files, and removes the bytes of older ones', async () => {
    const who = by()
    const keys: string[] = []
    for (let made = 0; made < NEWEST_EXPORTS + 2; made++) {
      const asked: Answer = await who.post(path, body)
      expect(asked.status, asked.raw.body).toBe(202)
      await app.service.worker.drain()
      app.clock.advance(1)
      const [row] = await app.database.query<{ storage_key: string }>(
        `select storage_key from ${table} where id = $1`,
        [asked.data.id],
      )
      keys.push(row?.storage_key ?? '')
    }
    const states: string[] = (await who.get(path)).data
      .toSorted((one: { id: number }, other: { id: number }) => one.id - other.id)
      .map(({ status }: { status: string }) => status)
    expect(states).toEqual(['expired', 'expired', done, done, done])
    const stored = await Promise.all(keys.map((key) => app.service.ports.files.get(key)))
    for (const found of stored) found?.content.destroy()
    expect(stored.map((found) => found !== null)).toEqual([false, false, true, true, true])
  })
})

describe('POST /admin/exports of another source', () => {
  it('leaves the files of the first one', async () => {
    const { data } = await acme.staff.post('/admin/exports', { source: 'invoices', format: 'csv' })
    await app.service.worker.drain()
    const { data: all } = await acme.staff.get('/admin/exports')
    const done = all.filter(({ status }: { status: string }) => status === 'completed')
    expect(done).toHaveLength(NEWEST_EXPORTS + 1)
    expect(done.map(({ id }: { id: number }) => id)).toContain(data.id)
  })
})

describe('the storage quota of an organization', () => {
  it('counts its exports, and refuses none of them', async () => {
    const file = { fileName: 'plan.txt', content: 'plan' }
    const exports = 2 * NEWEST_EXPORTS
    for (let left = QUOTA - exports; left > 0; left--) expect((await upload(acme.owner, file)).status).toBe(201)
    const full = await upload(acme.owner, file)
    expect([full.status, full.errors?.reason]).toEqual([409, 'limit_reached'])
    expect((await acme.owner.post('/privacy/organization-exports')).status).toBe(202)
    await app.service.worker.drain()
    expect((await acme.owner.get('/privacy/organization-exports')).data[0].status).toBe('completed')
  })
})

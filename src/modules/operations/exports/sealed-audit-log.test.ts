// The audit logs with their seals, as files: whoever has one can verify it by the documented rule alone.
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { sealAll } from '#test/scenes/audit-seals.ts'
import type { Organization } from '#test/harness/world.ts'

type Line = Record<string, string | null> & { id: number; organization_id: number | null }

let app: TestApp
let acme: Organization
let other: Organization

const NAME = '=1+1; "Ltda" 🚀\\ \u2028'

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  other = await app.world.organization()
  for (const [index, one] of [acme, other, acme, acme].entries())
    await one.owner.put(`/organizations/${one.id}`, { phone: `${index}` })
  // For the service's own log.
  await fileOf({})
  await app.database.query(`update audit_log set reason = $1 where organization_id = $2`, [NAME, acme.id])
  await sealAll(app)
})
afterAll(() => app.close())

async function fileOf(filters: object, format = 'ndjson', by = acme.staff): Promise<string> {
  const { status, data, raw } = await by.post('/admin/exports', { source: 'audit-log/sealed', filters, format })
  expect(status, raw.body).toBe(202)
  await app.service.worker.drain()
  const { url } = (await by.get(`/admin/exports/${data.id}`)).data
  const answer = await app.service.app.inject({ method: 'GET', url: new URL(url).pathname })
  return answer.rawPayload.toString()
}
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const sha256 = (hex: string | null, text: string | null): string =>
  createHash('sha256')
    .update(Buffer.from(hex ?? '', 'hex'))
    .update(Buffer.from(text ?? '', 'utf8'))
    .digest('hex')

async function fieldsOf(filters: object): Promise<[number, string[]]> {
  const answer = await acme.staff.post('/admin/exports', { source: 'audit-log/sealed', filters, format: 'csv' })
  return [answer.status, Object.keys(answer.errors?.fields ?? {})]
}

describe('POST /admin/exports of audit-log/sealed', () => {
  it('202 with a chain for each organization, which the documented rule verifies', async () => {
    const lines = linesOf(await fileOf({}))
    const [{ count } = { count: 0 }] = await app.database.query<{ count: number }>(
      `select count(*)::int as count from audit_log where id <= $1`,
      [Math.max(...lines.map(({ id }) => id))],
    )
    expect(lines.length).toBe(count)
    expect(new Set(lines.map((line) => line.organization_id))).toEqual(new Set([acme.id, other.id]))
    for (const { id } of [acme, other]) {
      let previous = '0'.repeat(64)
      for (const line of lines.filter((one) => one.organization_id === id && one['hash'] !== null)) {
        expect(line['previous_hash']).toBe(previous)
        expect(sha256(previous, line['hashed'] ?? null)).toBe(line['hash'])
        previous = line['hash'] ?? ''
      }
      expect(previous).not.toBe('0'.repeat(64))
    }
  })
  it('202 with what was hashed beside what a reader reads', async () => {
    const [line] = linesOf(await fileOf({ organization_id: acme.id }))
    const hashed = JSON.parse(line?.['hashed'] ?? '')
    expect(hashed.slice(0, 4)).toEqual([1, 'audit_log', acme.id, line?.id])
    expect([line?.['reason'], hashed[13]]).toEqual([NAME, NAME])
    expect(new Date(hashed[4]).toISOString()).toBe(line?.['at'])
  })
  it('202 as CSV, with the same hashes', async () => {
    const records = parse<Record<string, string>>(await fileOf({ organization_id: acme.id }, 'csv'), { columns: true })
    const lines = linesOf(await fileOf({ organization_id: acme.id }))
    expect(records.map(({ hashed, hash }) => [hashed, hash])).toEqual(
      lines.slice(0, records.length).map((line) => [line['hashed'] ?? '', line['hash'] ?? '']),
    )
    expect(records[0]?.['reason']).toBe(`'${NAME}`)
  })
  it('202 with what comes behind an entry, from the hash that it had', async () => {
    const all = linesOf(await fileOf({ organization_id: acme.id }))
    const rest = linesOf(await fileOf({ organization_id: acme.id, after_id: all[0]?.id }))
    expect(rest.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id))
    expect(rest[0]?.['previous_hash']).toBe(all[0]?.['hash'])
  })
  it('202 with the service’s own log', async () => {
    const lines = linesOf(await fileOf({ log: 'service' }))
    const sealed = lines.filter((line) => line['hash'] !== null)
    expect(sealed.length).toBeGreaterThan(0)
    for (const line of sealed) expect(sha256(line['previous_hash'] ?? null, line['hashed'] ?? null)).toBe(line['hash'])
    expect(lines.every(({ organization_id }) => organization_id === null)).toBe(true)
  })
  it('422 for other filters, and for an organization of the service’s log', async () => {
    expect(await fieldsOf({ log: 'service', organization_id: 1 })).toEqual([422, ['filters.organization_id']])
    expect(await fieldsOf({ action: 'updated', after_id: -1 })).toEqual([422, ['filters.action', 'filters.after_id']])
  })
  it('403 without the scope audit', async () => {
    const body = { source: 'audit-log/sealed', format: 'ndjson' }
    const answer = await (await acme.staffAs('finance')).post('/admin/exports', body)
    expect([answer.status, answer.message]).toEqual([403, 'Scope not authorized: audit:read'])
  })
})

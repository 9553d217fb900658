// An organization's export of its audit log: what its owner sees, with the hashes of all.
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { Files } from '#ports/files.ts'
import { appOfFile } from '#test/harness/app.ts'
import { until } from '#test/harness/until.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

type Line = Record<string, unknown> & { id: number; hashed: string | null; hash: string | null }

const PATH = '/audit-log/sealed-exports'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const line_items = [{ product_name: 'Hosting "é" 🚀', quantity: 1, unit_price: '10.00' }]
const draft = { company: 'entity_br', currency: 'BRL', status: 'draft', line_items }
const invoice = (await acme.staff.post('/invoices', draft)).data
await acme.staff.post(`/invoices/${invoice.id}/finalize`)
await acme.owner.put(`/organizations/${acme.id}`, { phone: '1' })

async function work(kind: string, seconds = 61): Promise<void> {
  app.clock.advance(seconds)
  await app.database.query(`delete from jobs where kind = $1`, [kind])
  await app.database.query(`insert into jobs (kind, run_at) values ($1, $2)`, [kind, app.clock.now])
  await app.service.worker.drain()
}
/** Transactions of other tests on the same server are waited for. */
const sealed = () =>
  until(async () => {
    await work('audit-log/seal')
    const [left] = await app.database.query<{ count: number }>(
      `select count(*)::int as count from audit_log l where not exists (
         select 1 from audit_seals s where s.organization_id = l.organization_id and s.entry_id = l.id)`,
    )
    return left?.count === 0
  })
await sealed()

const follow = (url: string) => app.service.app.inject({ method: 'GET', url: new URL(url).pathname })

async function written(body: object = {}, by: Speaker = acme.owner): Promise<Answer['data']> {
  const { status, data, raw } = await by.post(PATH, { format: 'ndjson', ...body })
  expect(status, raw.body).toBe(202)
  await app.service.worker.drain()
  const found = (await by.get(`${PATH}/${data.id}`)).data
  expect(found.status, JSON.stringify(found)).toBe('completed')
  return found
}
async function linesOf({ url }: { url: string }): Promise<Line[]> {
  const { statusCode, rawPayload } = await follow(url)
  expect(statusCode).toBe(200)
  const lines = rawPayload.toString().split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
const sha256 = (hex: unknown, text: string): string =>
  createHash('sha256')
    .update(Buffer.from(String(hex), 'hex'))
    .update(text)
    .digest('hex')

describe('POST /audit-log/sealed-exports', () => {
  it('202 with all entries that the owner sees, and the hashes of the others', async () => {
    const found = await written()
    const lines = await linesOf(found)
    const { data: visible } = await acme.owner.get('/audit-log?per_page=100&sort=id')
    const seen = lines.filter(({ at }) => at !== null)
    const ids = new Set(visible.map(({ id }: Line) => id))
    // Requesting and writing the export are entries themselves.
    expect(seen.filter(({ id }) => !ids.has(id))).toEqual([])
    expect(seen.length).toBeGreaterThan(2)
    const hidden = lines.filter(({ at }) => at === null)
    expect(hidden.length).toBeGreaterThan(0)
    for (const line of hidden)
      expect(line).toMatchObject({ actor: null, before: null, after: null, hashed: null, hash: expect.any(String) })
    expect([found.rows, found.last_id]).toEqual([lines.length, lines.findLast(({ hash }) => hash !== null)?.id])
  })
  it('202 with a chain from the first entry to the last sealed one', async () => {
    const lines = (await linesOf(await written())).filter(({ hash }) => hash !== null)
    let previous = '0'.repeat(64)
    for (const { previous_hash, hash, hashed } of lines) {
      expect(previous_hash).toBe(previous)
      expect(hashed === null ? hash : sha256(previous, hashed)).toBe(hash)
      previous = hash ?? ''
    }
  })
  it('202 without what an invoice was as a draft', async () => {
    const finalized = (await linesOf(await written())).find(({ action }) => action === 'finalized')
    expect(finalized).toMatchObject({ resource: 'invoice', before: null, hashed: null })
    expect(finalized?.['after']).not.toBeNull()
  })
  it('202 as CSV, and with what comes behind an entry', async () => {
    const lines = await linesOf(await written())
    const { url } = await written({ format: 'csv', after_id: lines[1]?.id })
    const records = parse<Record<string, string>>((await follow(url)).rawPayload.toString(), { columns: true })
    expect(records[0]).toMatchObject({ id: String(lines[2]?.id), previous_hash: lines[1]?.hash })
    const nothing = await written({ after_id: 9_000_000_000 })
    expect([nothing.rows, nothing.last_id, nothing.size]).toEqual([0, null, 0])
  })
  it('202 with the log of the organization alone', async () => {
    await other.owner.put(`/organizations/${other.id}`, { phone: '2' })
    const lines = await linesOf(await written({}, other.owner))
    expect(new Set(lines.map((line) => line['organization_id']))).toEqual(new Set([other.id]))
  })
  it('409 while another one is being written, of eight at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => acme.owner.post(PATH, { format: 'csv' })))
    const refused = answers.filter(({ status }) => status === 409)
    expect([answers.filter(({ status }) => status === 202).length, refused.length]).toEqual([1, 7])
    expect(refused[0]?.errors?.reason).toBe('already_in_progress')
    await app.service.worker.drain()
  })
  it('422 with each bad field named', async () => {
    const { status, errors } = await acme.owner.post(PATH, { format: 'csv-br', after_id: 0, from: 1 })
    expect([status, Object.keys(errors?.fields ?? {}).toSorted()]).toEqual([422, ['after_id', 'format', 'from']])
  })
  it('403 for an admin with the scope, and for staff without the scope audit', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    for (const who of [admin, await acme.staffAs('support'), await acme.staffAs('sales')])
      for (const { status } of [
        await who.post(PATH, { format: 'csv' }),
        await who.get(PATH),
        await who.get(`${PATH}/1`),
      ])
        expect(status).toBe(403)
    expect((await (await acme.staffAs('auditor')).get(PATH)).status).toBe(200)
  })
})

describe('GET /audit-log/sealed-exports', () => {
  it('200 with those of the organization, and 404 for one of another', async () => {
    const { id } = await written()
    expect((await acme.owner.get(PATH)).data[0]).toMatchObject({ id, requested_by: acme.owner.userId })
    expect((await other.owner.get(`${PATH}/${id}`)).status).toBe(404)
  })
})

describe('GET /files/{token}', () => {
  it('404 when it was changed, is another organization’s, or has expired', async () => {
    const { id, url } = await written()
    expect((await follow(`${url}x`)).statusCode).toBe(404)
    expect((await follow(url.replace(`/${acme.id}.${id}.`, `/${other.id}.${id}.`))).statusCode).toBe(404)
    expect((await follow(url.replace(`/${acme.id}.`, '/0.'))).statusCode).toBe(404)
    app.clock.advance(3600)
    expect((await follow(url)).statusCode).toBe(404)
  })
})

describe('the jobs of the exports', () => {
  it('remove the file after its days', async () => {
    const { id } = await written()
    const [row] = await app.database.query<{ storage_key: string }>(
      `update audit_exports set expires_at = $1 where id = $2 returning storage_key`,
      [app.clock.now, id],
    )
    await work('audit-log/end-exports')
    expect((await acme.owner.get(`${PATH}/${id}`)).data).toMatchObject({ status: 'expired', url: null })
    await app.service.worker.drain()
    expect(await app.service.ports.files.get(row?.storage_key ?? '')).toBeNull()
  })
  it('end one that cannot be written, so that another can be asked for', async () => {
    const files: Files = app.service.ports.files
    const { put } = files
    files.put = () => Promise.reject(new Error('the disk is full'))
    const { data } = await acme.owner.post(PATH, { format: 'csv' })
    for (let attempt = 0; attempt < 10; attempt++) {
      app.clock.advance(3600)
      await app.service.worker.drain()
    }
    files.put = put
    expect((await acme.owner.get(`${PATH}/${data.id}`)).data.status).toBe('queued')
    await work('audit-log/end-exports')
    expect((await acme.owner.get(`${PATH}/${data.id}`)).data).toMatchObject({
      status: 'failed',
      ended_at: expect.any(String),
    })
    expect((await written({ format: 'csv' })).status).toBe('completed')
  })
})

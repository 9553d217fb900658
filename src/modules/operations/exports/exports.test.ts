// Exports over HTTP: their files against the lists and reports, rights that end, and jobs that are cut short.
import { describe, expect, inject, it } from 'vitest'
import { parse } from 'csv-parse/sync'
import { writeExportJob } from './start-export.ts'
import type { Files } from '#ports/files.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'

const NAMES = ['=cmd|x; "Ltda" 🚀', '-2+3', 'Padaria, São João', '@sum', '\tTab', '＝1+1']

const app = await appOfFile()
const acme = await app.world.organization()
const boss = acme.staff
for (const [index, product_name] of NAMES.entries()) {
  const line_items = [{ product_name: 'Hosting', quantity: 1, unit_price: `${index + 1}00.5` }]
  const body = { company: 'entity_br', currency: 'BRL', status: 'open', line_items, notes: product_name }
  await boss.post('/invoices', body)
}

const ask = (body: object, by = boss): Promise<Answer> => by.post('/admin/exports', { format: 'csv', ...body })
async function written(body: object, by = boss): Promise<Answer['data']> {
  const { status, data, raw } = await ask(body, by)
  expect(status, raw.body).toBe(202)
  await app.service.worker.drain()
  const found = (await by.get(`/admin/exports/${data.id}`)).data
  expect(found.status, JSON.stringify(found)).toBe('completed')
  return found
}
const follow = (url: string) => app.service.app.inject({ method: 'GET', url: new URL(url).pathname })
const fileOf = async (body: object, by = boss): Promise<string> => {
  const answer = await follow((await written(body, by)).url)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.rawPayload.toString()
}

describe('POST /admin/exports', () => {
  it('202 and a file with all records of the list, as the list has them', async () => {
    const { data: listed } = await boss.get('/admin/invoices?per_page=100')
    const lines = (await fileOf({ source: 'invoices', format: 'ndjson' })).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(listed)
    const records = parse<Record<string, string>>(await fileOf({ source: 'invoices' }), { columns: true })
    expect(records.map(({ number, total }) => [number, total])).toEqual(
      listed.map(({ number, total }: Record<string, string>) => [number, total]),
    )
    const notes = records.map((record) => record['notes']).toReversed()
    expect(notes).toEqual(['\'=cmd|x; "Ltda" 🚀', "'-2+3", 'Padaria, São João', "'@sum", "'\tTab", "'＝1+1"])
  })
  it('202 with the filters of the list, and 422 for those that it has not', async () => {
    const text = await fileOf({ source: 'invoices', filters: { status: 'paid' } })
    expect(text.trimEnd().split('\r\n').length).toBe(1)
    const { status, errors } = await ask({ source: 'invoices', filters: { status: 'lost', page: 2, search: 'x' } })
    expect([status, Object.keys(errors?.fields ?? {}).toSorted()]).toEqual([
      422,
      ['filters.page', 'filters.search', 'filters.status'],
    ])
    const months = { month_from: '2026-12', month_to: '2026-01' }
    const { errors: wrong } = await ask({ source: 'reports/billed', filters: months })
    expect(Object.keys(wrong?.fields ?? {})).toEqual(['filters.month_from'])
    expect((await ask({ source: 'jobs/1' })).status).toBe(422)
  })
  it('202 with the rows of the report, in the forms of a Brazilian spreadsheet', async () => {
    const { rows } = (await boss.get('/admin/reports/billed')).data
    const text = await fileOf({ source: 'reports/billed', format: 'csv-br' })
    const download = await boss.get('/admin/reports/billed?format=csv-br')
    expect(download.raw.rawPayload.toString()).toBe(text)
    expect(text.startsWith('\ufeffMês;')).toBe(false)
    const [head, first] = text.split('\r\n')
    expect(head).toContain(';Invoiced;')
    const [year, month] = rows[0].month.split('-')
    expect(first).toContain(`${month}/${year};entity_br;BRL;ORD;${rows[0].invoiced.replace('.', ',')};0,00`)
  })
  it.each([
    'orders',
    'tickets',
    'organizations',
    'users',
    'audit-log',
    'reports/recognized',
    'reports/recurring-revenue',
  ])('202 for %s', async (source) => {
    const text = await fileOf({ source })
    expect(text.split('\r\n')[0]).toMatch(/^[a-z_,]+$/)
  })
  it('202 for every source, whatever is in it', async () => {
    const { errors } = await ask({ source: 'everything' })
    const sources = (errors?.fields?.['source'] ?? '').replace('must be one of ', '').split(', ')
    expect(sources.length).toBeGreaterThan(15)
    for (const source of sources) await written({ source, format: 'ndjson' })
  })
  it('403 for a report of several kinds without the scopes of all that is asked; 202 with one kind', async () => {
    const support = await acme.staffAs('support')
    const source = 'reports/expiring'
    const refused = [await ask({ source }, support), await ask({ source, filters: { kind: 'quotes' } }, support)]
    expect(refused.map(({ status, message }) => [status, message])).toEqual([
      [403, 'Scope not authorized: quotes:read'],
      [403, 'Scope not authorized: quotes:read'],
    ])
    expect((await ask({ source, filters: { kind: 'nonsense' } }, support)).status).toBe(422)
    expect((await ask({ source, filters: { kind: 'licenses' } }, support)).status).toBe(202)
  })
  it('202 with the same export while it waits, and another one afterwards', async () => {
    const [one, other] = await Promise.all([ask({ source: 'orders' }), ask({ source: 'orders' })])
    expect([one.status, other.status, one.data.id]).toEqual([202, 202, other.data.id])
    expect((await ask({ source: 'orders', format: 'ndjson' })).data.id).not.toBe(one.data.id)
    await app.service.worker.drain()
    expect((await ask({ source: 'orders' })).data.id).not.toBe(one.data.id)
    await app.service.worker.drain()
  })
  it('403 without the scope of the source, for members and without credentials', async () => {
    const support = await acme.staffAs('support')
    expect((await ask({ source: 'reports/ticket-service-levels' }, support)).status).toBe(202)
    const { status, message } = await ask({ source: 'invoices' }, support)
    expect([status, message]).toEqual([403, 'Scope not authorized: finances:read'])
    expect((await ask({ source: 'reports/billed' }, support)).status).toBe(403)
    expect((await ask({ source: 'invoices' }, acme.owner)).status).toBe(403)
    await app.service.worker.drain()
  })
  it('202 for an auditor, who changes nothing', async () => {
    expect((await written({ source: 'invoices' }, await acme.staffAs('auditor'))).rows).toBe(NAMES.length)
  })
  it('409 beyond ten that are not written yet', async () => {
    const finance = await acme.staffAs('finance')
    for (let count = 0; count < 10; count++)
      expect((await ask({ source: 'invoices', filters: { organization_id: count + 1 } }, finance)).status).toBe(202)
    expect((await ask({ source: 'invoices' }, finance)).errors?.reason).toBe('limit_reached')
    await app.service.worker.drain()
  })
})

describe('GET /admin/exports', () => {
  it('200 with the caller’s own, and 404 for one of somebody else', async () => {
    const { id } = await written({ source: 'invoices' })
    expect((await boss.get('/admin/exports')).data[0].id).toBe(id)
    const auditor = await acme.staffAs('auditor')
    expect((await auditor.get('/admin/exports')).data).toEqual([])
    expect((await auditor.get(`/admin/exports/${id}`)).status).toBe(404)
  })
})

describe('GET /files/{token}', () => {
  it('404 when it was changed, has expired, or the role was taken away', async () => {
    const finance = await acme.staffAs('finance')
    const { id, url } = await written({ source: 'invoices' }, finance)
    expect((await follow(`${url}x`)).statusCode).toBe(404)
    expect((await follow(url.replace(`0.${id}.`, `0.${id + 1}.`))).statusCode).toBe(404)
    await app.database.query(`update users set roles = '{customer,support}' where id = $1`, [finance.userId])
    expect((await follow(url)).statusCode).toBe(404)
    await app.database.query(`update users set roles = '{customer,finance}' where id = $1`, [finance.userId])
    expect((await follow(url)).statusCode).toBe(200)
    await app.database.query(`update users set disabled_at = now() where id = $1`, [finance.userId])
    expect((await follow(url)).statusCode).toBe(404)
    const mine = await written({ source: 'orders' })
    app.clock.advance(3600)
    expect((await follow(mine.url)).statusCode).toBe(404)
  })
})

async function* changedMeanwhile(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    await app.database.query(`update invoices set notes = 'changed meanwhile'`)
    yield chunk
  }
}

describe('the job of an export', () => {
  it('writes nothing for somebody who may not read it any more', async () => {
    const finance = await acme.staffAs('finance')
    const { data } = await ask({ source: 'invoices' }, finance)
    await app.database.query(`update users set roles = '{customer,support}' where id = $1`, [finance.userId])
    await app.service.worker.drain()
    expect((await finance.get(`/admin/exports/${data.id}`)).data).toMatchObject({ status: 'failed', url: null })
  })
  it('begins anew after it was cut short, from one snapshot, and leaves one file', async () => {
    await app.database.query(
      `insert into invoices (organization_id, number, company, currency, total, line_items, issue_date, due_date, status)
       select organization_id, 'X-' || n, company, currency, total, line_items, issue_date, due_date, status
         from (select * from invoices order by id limit 1) first, generate_series(1, 2300) n`,
    )
    const files: Files = app.service.ports.files
    const { put } = files
    const keys: string[] = []
    files.put = async (key, content) => {
      keys.push(key)
      if (keys.length === 1) throw new Error('the process ended')
      return put.call(files, key, changedMeanwhile(content))
    }
    const { data } = await ask({ source: 'invoices', format: 'ndjson' })
    await app.service.worker.drain()
    app.clock.advance(60)
    await app.service.worker.drain()
    files.put = put
    const found = (await boss.get(`/admin/exports/${data.id}`)).data
    expect([found.status, found.rows, new Set(keys).size]).toEqual(['completed', NAMES.length + 2300, 2])
    expect(await app.database.query(`select 1 from jobs where kind = $1`, [writeExportJob.name])).toEqual([])
    const text = (await follow(found.url)).rawPayload.toString()
    // The nodes of a cluster have no moment in common (docs/scaling.md).
    const isOfOneMoment = !text.includes('changed meanwhile')
    expect(isOfOneMoment || inject('postgres').isDistributed).toBe(true)
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
    expect(new Set(ids).size).toBe(NAMES.length + 2300)
  })
  it('removes the file after its days', async () => {
    const { id, url } = await written({ source: 'orders' })
    const [row] = await app.database.query<{ storage_key: string }>(`select storage_key from exports where id = $1`, [
      id,
    ])
    app.clock.advance(8 * 86_400)
    await app.database.query(`update exports set expires_at = $1 where id = $2`, [app.clock.now, id])
    await app.database.query(`insert into jobs (kind, run_at) values ('exports/expire', $1)`, [app.clock.now])
    await app.service.worker.drain()
    expect((await follow(url)).statusCode).toBe(404)
    expect(await app.service.ports.files.get(row?.storage_key ?? '')).toBeNull()
    const [after] = await app.database.query<{ status: string }>(`select status from exports where id = $1`, [id])
    expect(after?.status).toBe('expired')
  })
})

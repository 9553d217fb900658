// The files of reports: CSV, CSV as spreadsheets in Brazil read it, and NDJSON.
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'csv-parse/sync'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'

type Row = Record<string, string | number>

const NAME = '=HYPERLINK("x"); "Ltda" 🚀'

const rowsOf = async (path: string, by: Speaker = acme.staff): Promise<Row[]> => {
  const { status, data, raw } = await by.get(path)
  expect(status, raw.body).toBe(200)
  return data.rows
}

const app = await appOfFile()
const at: Date = app.clock.now
const acme = await app.world.organization()
const other = await app.world.organization()
await app.database.query('update organizations set name = $1 where id = $2', [NAME, acme.id])

const download = async (format: string, report = 'receivables-by-organization', headers = {}) => {
  const { status, raw } = await acme.staff.get(`/admin/reports/${report}?format=${format}`, headers)
  expect(status, raw.body).toBe(200)
  return raw
}

describe('the files of a report', () => {
  beforeAll(async () => {
    for (const { id } of [acme, other]) {
      const line_items = [{ product_name: 'Hosting', quantity: 1, unit_price: '1234.56' }]
      const staff = app.world.inside(acme.staff, id)
      const body = { company: 'entity_br', currency: 'BRL', status: 'open', line_items }
      const invoice = (await staff.post('/invoices', body)).data.id
      const note = { reason: 'Too much', amount: '1000.00' }
      await staff.post(`/invoices/${invoice}/credit-notes`, note)
      // The invoice is of an earlier month than its credit note, in which nothing was invoiced.
      await app.database.query(`update invoices set issue_date = issue_date - 60 where id = $1`, [invoice])
    }
  })

  it('csv: what a spreadsheet would run gets an apostrophe, and what is quoted comes back', async () => {
    const raw = await download('csv')
    expect(raw.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(raw.headers['content-disposition']).toMatch(
      /^attachment; filename="receivables-by-organization-[\d-]+\.csv"/,
    )
    const found = parse<Record<string, string>>(raw.body, { columns: true })
    expect(found).toMatchObject([
      { organization_id: String(acme.id), organization_name: `'${NAME}`, not_due: '234.56', receivable: '234.56' },
      { organization_id: String(other.id), receivable: '234.56' },
    ])
  })
  it('csv-br: semicolons, decimal commas, months, and titles in the language of the reader', async () => {
    const raw = await download('csv-br', 'billed', { 'accept-language': 'pt-BR' })
    expect(raw.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const [head, ...lines] = raw.rawPayload.toString().slice(1).trimEnd().split('\r\n')
    expect(head).toBe('Mês;Entidade legal;Moeda;Classe;Faturado;Creditado;Anulado;Receita faturada;Imposto')
    const month = dayIn(at, 'America/Sao_Paulo').slice(0, 7).split('-').toReversed().join('/')
    expect(lines.at(-1)).toBe(`${month};entity_br;BRL;ORD;0,00;2000,00;0,00;-2000,00;0,00`)
    expect((await download('csv-br', 'billed', { 'accept-language': 'en' })).body).toContain('Month;Legal entity;')
  })
  it('csv: a negative amount stays a number', async () => {
    expect((await download('csv', 'billed')).body).toContain(',0.00,2000.00,0.00,-2000.00,0.00\r\n')
  })
  it('ndjson: the rows of the JSON', async () => {
    const raw = await download('ndjson')
    const lines = raw.body.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(await rowsOf('/admin/reports/receivables-by-organization'))
  })
  it('members: what is theirs, and nobody else’s', async () => {
    expect(await rowsOf('/reports/receivables', other.owner)).toMatchObject([{ invoices: 1, receivable: '234.56' }])
    const { body } = (await other.owner.get('/reports/receivables?format=csv')).raw
    expect(parse(body, { columns: true })).toMatchObject([{ receivable: '234.56' }])
    expect(await rowsOf(`/admin/reports/receivables?organization_id=${acme.id}`)).toMatchObject([{ invoices: 1 }])
  })
})

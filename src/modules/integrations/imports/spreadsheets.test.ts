// A CSV as spreadsheets and databases write it: words, white space, what was in use once, days.
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imported, importScene, type ImportScene, outcomes } from '#test/scenes/imports.ts'
import { csvRecords } from './csv-records.ts'
import { IMPORT_KINDS } from './import-kinds.ts'
import { MOMENTS } from './times-of-days.ts'

let scene: ImportScene
beforeAll(async () => void (scene = await importScene()))
afterAll(() => scene.app.close())

let sources = 0
const run = (asked: { kind: string } & Record<string, string>, content: string) =>
  imported(scene.app, scene.staff, { source: `sheet-${sources++}`, ...asked }, content)
const inside = (id: number) => scene.app.world.inside(scene.staff, id)

async function recordsOf(text: string, sizes: readonly number[]): Promise<string[][]> {
  async function* chunks() {
    const bytes = Buffer.from(text, 'latin1')
    let from = 0
    for (const size of sizes) yield bytes.subarray(from, (from += size))
    yield bytes.subarray(from)
  }
  const records: string[][] = []
  for await (const { cells } of csvRecords(chunks(), ';', { position: 0, line: 0 })) records.push(cells)
  return records
}

describe('csvRecords', () => {
  it('reads what csv-parse reads, however the bytes come', async () => {
    const plain = fc.stringMatching(/^[a-z ,]{0,5}$/)
    const quoted = fc.string({ unit: fc.constantFrom('a', '"', ';', '\n', '\r', ' '), maxLength: 6 })
    const cell = fc.oneof(
      plain,
      quoted.map((text) => `"${text.replaceAll('"', '""')}"`),
    )
    const record = fc.array(cell, { minLength: 2, maxLength: 4 }).map((cells) => cells.join(';'))
    const file = fc.array(fc.tuple(record, fc.constantFrom('\n', '\r\n', '\n\r\n')))
    await fc.assert(
      fc.asyncProperty(file, fc.array(fc.integer({ min: 1, max: 5 })), async (lines, sizes) => {
        const text = lines.flat().join('')
        const options = {
          delimiter: ';',
          record_delimiter: ['\r\n', '\n'],
          relax_column_count: true,
          skip_empty_lines: true,
        }
        expect(await recordsOf(text, sizes)).toEqual(parse(text, options))
      }),
    )
  })
  it('takes spaces behind a quoted cell, and quotation marks in one that is not', async () => {
    expect(await recordsOf('"a;" ;b"c";"d" \r\n"e"\r\n f"', [3, 1, 1])).toEqual([['a;', 'b"c"', 'd'], ['e'], [' f"']])
  })
})

describe('a cell', () => {
  it.each([
    ['TRUE', true],
    ['verdadeiro', true],
    ['Sim', true],
    ['YES', true],
    ['1', true],
    ['FALSE', false],
    ['Falso', false],
    ['não', false],
    ['NAO', false],
    ['no', false],
    ['0', false],
  ])('%s is %s', async (word, value) => {
    const done = await run({ kind: 'organizations' }, `external_id,name,requires_invoice_for_payment\n1,One,${word}\n`)
    const id = done.lines[0].organization_id
    expect((await inside(id).get(`/organizations/${id}`)).data).toMatchObject({ requires_invoice_for_payment: value })
  })
  it('with another word is no boolean', async () => {
    const done = await run({ kind: 'organizations' }, 'external_id,name,requires_invoice_for_payment\n1,One,maybe\n')
    expect(done.lines).toMatchObject([{ errors: { requires_invoice_for_payment: 'must be true or false' } }])
  })
  it('has no white space around it, and no form that keeps its zeros', async () => {
    const done = await run(
      { kind: 'organizations' },
      'external_id;name;email\n\u00a0="007"\u00a0;  Norte\t;"="" x@norte.example """\n',
    )
    expect(done.lines).toMatchObject([{ external_id: '007', outcome: 'created' }])
    const id = done.lines[0].organization_id
    expect((await inside(id).get(`/organizations/${id}`)).data).toMatchObject({
      name: 'Norte',
      email: 'x@norte.example',
    })
  })
})

describe('rows and columns that were in use once', () => {
  it('are left out, and the lines are counted with them', async () => {
    const done = await run({ kind: 'organizations' }, 'external_id;name;;\n ;\u00a0;\t;\n1;One;;;;\n;;;\n2;Two;;\n')
    expect(done).toMatchObject({ rows: 2, created: 2, layout: { columns: ['external_id', 'name'] } })
    expect(done.lines.map(({ line }: { line: number }) => line)).toEqual([3, 5])
  })
  it('are refused where they have a value, or a cell is missing', async () => {
    const done = await run({ kind: 'organizations' }, 'external_id;name;;\n1;One;;x\n2\n')
    expect(done.lines).toMatchObject([
      { errors: { row: 'has 4 cells, the first line 2' } },
      { errors: { row: 'has 1 cells, the first line 2' } },
    ])
  })
})

describe('sep=', () => {
  it.each(['sep=,\r\n', '\ufeffSEP=,\n', '"sep=,"\n'])('%j is no record', async (first) => {
    const done = await run({ kind: 'organizations' }, `${first}external_id,name\n1,"a;b;c;d"\n`)
    expect(done).toMatchObject({ created: 1, layout: { delimiter: ',' } })
    expect(done.lines).toMatchObject([{ line: 3 }])
  })
})

const isTime = (schema: object) => 'format' in schema && schema.format === 'date-time'

describe('a day in a column of times', () => {
  it('has a moment, whatever the column', () => {
    const columns = Object.values(IMPORT_KINDS).flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, schema]) => (isTime(schema) ? [name] : [])),
    )
    expect(new Set(columns)).toEqual(new Set(Object.keys(MOMENTS)))
  })
  it('is that of the legal entity of the line', async () => {
    const head = 'external_id,organization_id,class,product_name,company,expires_at,updates_until\n'
    const done = await run(
      { kind: 'entitlements' },
      `${head}1,${scene.id},PLG,Pro,entity_br,2099-12-31,2098-01-01 00:00:00\n` +
        `2,${scene.id},PLG,Pro,entity_global,2099-12-31,2098-01-01T12:00:00Z\n3,${scene.id},PLG,Pro,entity_br,2099-02-31,\n`,
    )
    expect(outcomes(done)).toEqual(['created', 'created', 'refused'])
    expect(done.lines[2].errors).toEqual({ expires_at: 'must be a time such as 2026-11-20T14:42:55.123Z' })
    const [brazilian, global] = await Promise.all(
      done.lines
        .slice(0, 2)
        .map(
          async ({ resource_id }: { resource_id: number }) =>
            (await scene.inside.get(`/entitlements/${resource_id}`)).data,
        ),
    )
    expect(brazilian).toMatchObject({
      expires_at: '2100-01-01T03:00:00.000Z',
      updates_until: '2098-01-02T03:00:00.000Z',
    })
    expect(global).toMatchObject({ expires_at: '2100-01-01T00:00:00.000Z', updates_until: '2098-01-01T12:00:00.000Z' })
  })
  it('begins with its first moment, in the entity that bills the organization', async () => {
    const done = await run(
      { kind: 'members', date_format: 'dd/mm/yyyy' },
      `external_id,organization_id,email,started_at,expired_at\n1,${scene.id},ana@norte.example,01/02/2026,31/12/2099\n`,
    )
    expect(outcomes(done)).toEqual(['created'])
    const { data } = await scene.inside.get(`/organizations/${scene.id}/collaborators`)
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ started_at: '2026-02-01T03:00:00.000Z', expired_at: '2100-01-01T03:00:00.000Z' }),
      ]),
    )
  })
  it('is no time in NDJSON', async () => {
    const line = {
      external_id: '1',
      organization_id: scene.id,
      class: 'PLG',
      product_name: 'Pro',
      company: 'entity_br',
    }
    const done = await imported(scene.app, scene.staff, { kind: 'entitlements' }, [
      { ...line, expires_at: '2099-12-31' },
    ])
    expect(Object.keys(done.lines[0].errors)).toEqual(['expires_at'])
  })
  it('is the same on the second attempt', async () => {
    const columns = 'external_id,organization_id,class,product_name,company,expires_at'
    const content = `${columns}\n1,${scene.id},PLG,Pro,entity_br,2099-12-31\n`
    const asked = { kind: 'entitlements', source: 'twice' }
    expect(outcomes(await run(asked, content))).toEqual(['created'])
    expect(outcomes(await run(asked, content))).toEqual(['unchanged'])
  })
})

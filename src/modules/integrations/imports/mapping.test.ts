// Files that another system wrote, under its names: the mapping of their columns and values to ours.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imported, importScene, type ImportScene, outcomes, sendImport } from '#test/scenes/imports.ts'
import { fieldsOfColumns, mappedValues, mappingOf, valueFor } from './mapping.ts'

const FIELDS = ['external_id', 'name', 'status', 'country']
const columns = { ID: 'external_id', Name: 'name' }
const now = new Date()

describe('mappingOf', () => {
  it.each([
    ['no JSON', '{', { mapping: 'must be a JSON object' }],
    ['a list', '[]', { mapping: 'must be a JSON object' }],
    ['no columns', {}, { 'mapping.columns': 'is required' }],
    ['a part that there is not', { columns, rows: 1 }, { 'mapping.rows': 'unknown field' }],
    ['a column of no text', { columns: { ID: 1 } }, { 'mapping.columns.ID': expect.stringContaining('text') }],
    ['columns as a list', { columns: ['ID'] }, { 'mapping.columns': expect.any(String) }],
    ['values of no object', { columns, values: { name: 'x' } }, { 'mapping.values.name': expect.any(String) }],
    [
      'a column of an unknown field',
      { columns: { ...columns, Nmae: 'nmae' } },
      { 'mapping.columns.Nmae': 'is no field of this kind' },
    ],
    [
      'a field of the prototype',
      '{"columns":{"ID":"external_id","__proto__":"constructor"}}',
      { 'mapping.columns.__proto__': 'is no field of this kind' },
    ],
    [
      'two columns of one field',
      { columns: { ...columns, Company: 'name' } },
      { 'mapping.columns.Company': 'is the field of the column "Name" too' },
    ],
    [
      'a field twice in a column',
      { columns: { ...columns, Company: ['status', 'status'] } },
      { 'mapping.columns.Company': 'has the field status twice' },
    ],
    ['a column of no fields', { columns: { ...columns, X: [] } }, { 'mapping.columns.X': expect.any(String) }],
    [
      'a field of two columns, one of which has several',
      { columns: { ...columns, Company: ['status', 'name'] } },
      { 'mapping.columns.Company': 'is the field of the column "Name" too' },
    ],
    [
      'values of an unknown field',
      { columns, values: { stauts: {} } },
      { 'mapping.values.stauts': 'is no field of this kind' },
    ],
    [
      'values of a field without a column',
      { columns, values: { status: { Active: 'publish' } } },
      { 'mapping.values.status': 'is the field of no column' },
    ],
    ['a fixed unknown field', { columns, fixed: { land: 'BR' } }, { 'mapping.fixed.land': 'is no field of this kind' }],
    [
      'a fixed field that has a column',
      { columns, fixed: { name: 'X' } },
      { 'mapping.fixed.name': 'is the field of a column too' },
    ],
    ['no id', { columns: { Name: 'name' } }, { 'mapping.columns': 'must have a column for external_id' }],
    [
      'an id that is the same for all',
      { columns: { Name: 'name' }, fixed: { external_id: '1' } },
      { 'mapping.columns': 'must have a column for external_id' },
    ],
  ])('refuses %s', (_, given, problems) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    expect(mappingOf(text, FIELDS, now)).toEqual({ problems })
  })
  it('takes what names fields of the kind', () => {
    const mapping = { columns, values: { name: { '-': null } }, fixed: { country: 'BR' } }
    expect(mappingOf(JSON.stringify(mapping), FIELDS, now)).toEqual({ mapping })
  })
})

describe('a mapping', () => {
  const mapping = { columns, values: { name: { a: 'Alpha', '-': null, 7: 8 } }, fixed: { country: 'BR' } }
  it('has the field of each column, in the order of the file', () => {
    expect(fieldsOfColumns(['Name', 'constructor', '', 'ID', 'Name '], mapping)).toEqual([
      ['name'],
      [],
      [],
      ['external_id'],
      [],
    ])
    expect(fieldsOfColumns(['name', 'x'], null)).toEqual([['name'], ['x']])
    expect(fieldsOfColumns(['ID'], { columns: { ID: ['external_id', 'name'] } })).toEqual([['external_id', 'name']])
  })
  it.each([
    ['name', 'a', 'Alpha'],
    ['name', '-', null],
    ['name', 'b', undefined],
    ['name', 'toString', undefined],
    ['constructor', 'name', undefined],
  ])('of %s %s says %s', (field, text, value) => expect(valueFor(mapping, field, text)).toBe(value))
  it.each([
    [
      { ID: '1', Name: 'a', Other: 'x', country: 'PT' },
      { external_id: '1', name: 'Alpha', country: 'BR' },
    ],
    [
      { ID: '1', Name: '-' },
      { external_id: '1', country: 'BR' },
    ],
    [{ Name: 7 }, { name: 8, country: 'BR' }],
    [{ Name: ['a'] }, { name: ['a'], country: 'BR' }],
    [{ Name: null }, { name: null, country: 'BR' }],
  ])('makes of %o %o', (given, values) => expect(mappedValues(given, mapping)).toEqual(values))
})

let at: ImportScene
beforeAll(async () => void (at = await importScene()))
afterAll(() => at.app.close())

describe('POST /admin/imports with a mapping', () => {
  const mapping = {
    columns: { 'Client ID': 'external_id', 'Company Name': 'name', Status: 'status', 'Registrado em': 'metadata' },
    values: { status: { Active: 'publish', Closed: 'draft' } },
    fixed: { country: 'BR' },
  }
  const asked = (source: string, more: Record<string, string> = {}) => ({
    kind: 'organizations',
    source,
    mapping: JSON.stringify(mapping),
    ...more,
  })
  const file =
    'Client ID;First Name;Company Name;;Status;;Registrado em\r\n' +
    '7;Ana;"Norte; ""Sul"" 😀";x;Active;y;"{""since"":""2019""}"\r\n' +
    '8;Bia;Oeste;;Closed;;\r\n' +
    '9;Caio;Leste;;Frozen;;\r\n'

  it('reads the file by its own names, and keeps the mapping with the import', async () => {
    const dry = await imported(at.app, at.staff, asked('crm', { dry_run: 'true' }), file)
    expect(dry).toMatchObject({
      mapping,
      created: 2,
      refused: 1,
      layout: { columns: expect.arrayContaining(['Status']) },
    })
    const done = await imported(at.app, at.staff, asked('crm'), file)
    expect(outcomes(done)).toEqual(['created', 'created', 'refused'])
    expect(Object.keys(done.lines[2].errors)).toEqual(['status'])
    const inside = at.app.world.inside(at.staff, done.lines[0].resource_id)
    expect((await inside.get(`/organizations/${done.lines[0].resource_id}`)).data).toMatchObject({
      name: 'Norte; "Sul" 😀',
      status: 'publish',
      country: 'BR',
      metadata: { since: '2019' },
    })
    expect(outcomes(await imported(at.app, at.staff, asked('crm'), file))).toEqual([
      'unchanged',
      'unchanged',
      'refused',
    ])
    const bare = [{ external_id: 'bare', name: 'Bare' }]
    expect(await imported(at.app, at.staff, { kind: 'organizations' }, bare)).toMatchObject({ mapping: null })
  })
  it('makes of NDJSON what it makes of a CSV', async () => {
    const lines = [
      { 'Client ID': '7', 'Company Name': 'Norte; "Sul" 😀', Status: 'Active', 'Registrado em': { since: '2019' } },
      { 'Client ID': '10', 'Company Name': 'Dez', Status: 'Active', Other: 1 },
    ]
    expect(outcomes(await imported(at.app, at.staff, asked('crm'), lines))).toEqual(['unchanged', 'created'])
  })
  it('fills several fields from one column, each with its own values', async () => {
    const several = {
      columns: { ID: ['external_id', 'id_number'], Name: ['name', 'legal_name'], Land: ['country', 'type'] },
      values: { country: { Brasil: 'BR' }, type: { Brasil: 'company' }, legal_name: { Um: null } },
    }
    const given = { kind: 'organizations', source: 'several', mapping: JSON.stringify(several) }
    const done = await imported(at.app, at.staff, given, 'ID,Name,Land\nS1,Um,Brasil\nS2,Dois,Brasil\n')
    expect(outcomes(done)).toEqual(['created', 'created'])
    const found = done.lines.map(async ({ resource_id: id }: { resource_id: number }) => {
      const { data } = await at.app.world.inside(at.staff, id).get(`/organizations/${id}`)
      return [data.id_number, data.legal_name, data.country, data.type]
    })
    expect(await Promise.all(found)).toEqual([
      ['S1', null, 'BR', 'company'],
      ['S2', 'Dois', 'BR', 'company'],
    ])
    const lines = [{ ID: 'S1', Name: 'Um', Land: 'Brasil' }]
    expect(outcomes(await imported(at.app, at.staff, given, lines))).toEqual(['unchanged'])
  })
  it('422 for a mapping that does not fit the kind or the file', async () => {
    const problems = async (given: object, content: string) =>
      (await sendImport(at.staff, asked('none', { mapping: JSON.stringify(given) }), content)).errors?.fields
    expect(await problems({ columns: { ID: 'id' } }, file)).toEqual({
      'mapping.columns.ID': 'is no field of this kind',
      'mapping.columns': 'must have a column for external_id',
    })
    expect(await problems({ columns: { 'Client Id': 'external_id' } }, file)).toEqual({
      'mapping.columns.Client Id': 'is no column of the file',
    })
    expect(await problems({ columns: { A: 'external_id' } }, 'A,B,A\n1,2,3\n')).toEqual({
      file: 'has the column A twice',
    })
    expect((await at.staff.get('/admin/imports?source=none')).meta?.total).toBe(0)
  })
})

describe('GET /admin/imports/{id}/rows', () => {
  it('says what is wrong in the language of the caller, as the report does', async () => {
    const lines = [
      { external_id: 'p1', name: 'Um', cnpj: '11.111.111/1111-11' },
      { external_id: 'p1', name: 'Dois' },
    ]
    const { id } = await imported(at.app, at.staff, { kind: 'organizations' }, lines)
    const inPortuguese = { 'accept-language': 'pt-BR' }
    const rows = await at.staff.get(`/admin/imports/${id}/rows`, inPortuguese)
    expect(rows.data.map(({ errors }: { errors: object }) => errors)).toEqual([
      { cnpj: 'deve ser um CNPJ com os dígitos verificadores corretos' },
      { external_id: 'é o da linha 1' },
    ])
    const csv = await at.staff.get(`/admin/imports/${id}/report`, inPortuguese)
    expect(csv.raw.body).toContain('external_id: é o da linha 1')
    expect((await at.staff.get(`/admin/imports/${id}/report`)).raw.body).toContain('external_id: is that of line 1')
  })
})

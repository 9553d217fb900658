// Imports of customers from another system: what each line becomes, again and again (docs/interface/integrations.md,
// Imports).
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { imported, outcomes, report, sendImport } from '#test/scenes/imports.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const staff = app.world.speaker({ authorization: acme.staff.headers['authorization'] ?? '' }, acme.staff)

const organizations = { kind: 'organizations' }
const counts = ({ rows, created, unchanged, differs, refused }: Record<string, number>) => ({
  rows,
  created,
  unchanged,
  differs,
  refused,
})
const none = { rows: 0, created: 0, unchanged: 0, differs: 0, refused: 0 }

describe('POST /admin/imports', () => {
  it('202: each line of a CSV becomes an organization, or is reported with its bad fields', async () => {
    const file = [
      'external_id;name;cnpj;country;requires_invoice_for_payment',
      '1;"Café; do Norte";12.ABC.345/01DE-35;BR;true',
      '',
      '2;Wrong number;11.222.333/0001-80;BR;perhaps',
      '3;=1+1;;US;',
      '4;too;few',
    ]
    const done = await imported(app, staff, { ...organizations, source: 'first' }, `\ufeff${file.join('\r\n')}`)
    expect(done).toMatchObject({ status: 'completed', problem: null, rows: 4, created: 2, refused: 2 })
    expect(done).toMatchObject({ layout: { delimiter: ';', encoding: 'utf-8' }, created_by_name: 'Staff' })
    const [cafe, wrong, formula, few] = done.lines
    expect(cafe).toMatchObject({ line: 2, external_id: '1', outcome: 'created', errors: null })
    expect(wrong).toEqual({
      line: 4,
      external_id: '2',
      outcome: 'refused',
      errors: {
        cnpj: 'must be a CNPJ with the right check digits',
        requires_invoice_for_payment: 'must be true or false',
      },
      organization_id: null,
      resource_id: null,
    })
    expect(few.errors).toEqual({ row: 'has 3 cells, the first line 5' })
    const at = app.world.inside(staff, cafe.organization_id)
    expect((await at.get(`/organizations/${cafe.resource_id}`)).data).toMatchObject({
      name: 'Café; do Norte',
      cnpj: '12ABC34501DE35',
      requires_invoice_for_payment: true,
      owner_id: null,
    })
    const other = app.world.inside(staff, formula.organization_id)
    expect((await other.get(`/organizations/${formula.resource_id}`)).data.name).toBe('=1+1')
    const [entry] = await app.database.query(
      `select actor, actor_id from audit_log where organization_id = $1 and action = 'created'`,
      [cafe.organization_id],
    )
    expect(entry).toEqual({ actor: 'Staff', actor_id: staff.userId })
  })
  it('changes nothing the second time, says which lines differ, and takes NDJSON for the same', async () => {
    const source = 'second'
    const lines = [
      { external_id: 'a', name: 'Alpha', country: 'BR' },
      { external_id: 'b', name: 'Beta', country: 'US' },
    ]
    const once = await imported(app, staff, { ...organizations, source }, lines)
    expect(counts(once)).toEqual({ ...none, rows: 2, created: 2 })
    const again = await imported(
      app,
      staff,
      { ...organizations, source },
      'name,external_id,country\nAlpha,a,BR\nBetter,b,US\nGamma,c,\n',
    )
    expect(counts(again)).toEqual({ ...none, rows: 3, created: 1, unchanged: 1, differs: 1 })
    const ids = (of: typeof once) => of.lines.slice(0, 2).map((one: { resource_id: number }) => one.resource_id)
    expect(ids(again)).toEqual(ids(once))
    expect(again.lines[1].errors).toEqual({ external_id: 'was imported with other values, and was left as it is' })
    const at = app.world.inside(staff, once.lines[1].organization_id)
    expect((await at.get(`/organizations/${once.lines[1].organization_id}`)).data.name).toBe('Beta')
    const elsewhere = await imported(app, staff, { ...organizations, source: 'another' }, lines)
    expect(counts(elsewhere)).toEqual({ ...none, rows: 2, created: 2 })
  })
  it('refuses an organization that asks for a second factor: it has no owner yet', async () => {
    const asked = { ...organizations, source: 'strict' }
    const { lines, refused } = await imported(app, staff, asked, [{ external_id: 'a', name: 'A', require_mfa: true }])
    expect([refused, lines[0].errors]).toEqual([1, { require_mfa: 'only the owner may set this' }])
  })
  it('reports the same in a dry run, and writes nothing', async () => {
    const source = 'third'
    const lines = [
      { external_id: 'a', name: 'Alpha', crm_company_id_br: 'crm-1' },
      { external_id: 'a', name: 'Alpha again' },
      { external_id: 'c', name: '' },
    ]
    const tables = ['organizations', 'events', 'audit_log', 'imported_records', 'claims', 'search_terms']
    const size = async () =>
      (
        await app.database.query(`select ${tables.map((one) => `(select count(*) from ${one}) as ${one}`).join(', ')}`)
      )[0]
    const before = await size()
    const dry = await imported(app, staff, { ...organizations, source, dry_run: 'true' }, lines)
    expect(await size()).toEqual(before)
    expect(dry).toMatchObject({ dry_run: true, status: 'completed', created: 1, refused: 2 })
    expect(dry.lines[0]).toMatchObject({ outcome: 'created', organization_id: null, resource_id: null })
    const real = await imported(app, staff, { ...organizations, source }, lines)
    const verdicts = (of: typeof dry) => of.lines.map(({ outcome, errors }: never) => ({ outcome, errors }))
    expect(verdicts(real)).toEqual(verdicts(dry))
    expect(real.lines[1].errors).toEqual({ external_id: 'is that of line 1' })
    expect(real.lines[2].errors).toHaveProperty('name')
  })
  it('refuses an id that an earlier line, or an organization, has already', async () => {
    const twins = [
      { external_id: '1', name: 'One', crm_company_id_global: 'twin' },
      { external_id: '2', name: 'Two', crm_company_id_global: 'twin' },
    ]
    const done = await imported(app, staff, { ...organizations, source: 'fourth' }, twins)
    expect(outcomes(done)).toEqual(['created', 'refused'])
    expect(done.lines[1].errors).toEqual({ crm_company_id_global: 'is that of line 1' })
    const another = await imported(app, staff, { ...organizations, source: 'another' }, twins.slice(1))
    expect(another.lines[0].errors).toEqual({ row: 'The crm_company_id_global belongs to an organization already' })
  })
  it('two imports of the same file at once make each record once', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => ({
      external_id: `${at}`,
      name: `Twin ${at}`,
      ...(at % 2 === 0 && { crm_company_id_br: `twin-${at}` }),
    }))
    const asked = { ...organizations, source: 'fifth' }
    const [one, other] = await Promise.all([sendImport(staff, asked, lines), sendImport(staff, asked, lines)])
    await app.service.worker.drain()
    const [first, second] = [await report(staff, one.data.id), await report(staff, other.data.id)]
    expect(first.created + second.created).toBe(20)
    expect(first.unchanged + second.unchanged).toBe(20)
    expect(first.refused + second.refused).toBe(0)
    const found = await app.database.query(`select 1 from organizations where name like 'Twin %'`)
    expect(found).toHaveLength(20)
  })
  it('takes a header alone, and an empty line at the end', async () => {
    const done = await imported(app, staff, { ...organizations, source: 'sixth' }, 'external_id,name')
    expect(done).toMatchObject({ status: 'completed', ...none })
    const spaced = await imported(app, staff, { ...organizations, source: 'sixth' }, 'external_id,name\n1,One\n\n\n')
    expect(counts(spaced)).toEqual({ ...none, rows: 1, created: 1 })
  })
  it('removes the file at the end', async () => {
    const { data } = await sendImport(staff, organizations, 'external_id,name\n')
    const [stored] = await app.database.query<{ storage_key: string }>(
      'select storage_key from imports where id = $1',
      [data.id],
    )
    const there = await app.service.ports.files.get(stored?.storage_key ?? '')
    expect(there?.size).toBe(17)
    there?.content.destroy()
    await app.service.worker.drain()
    expect(await app.service.ports.files.get(stored?.storage_key ?? '')).toBeNull()
  })
})

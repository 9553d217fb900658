// Lines of one file that cannot both be imported: the earlier one wins, and a dry run says what the import then does.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshCnpj, masked } from '#test/scenes/cnpj.ts'
import { imported, type ImportScene, importScene, outcomes } from '#test/scenes/imports.ts'

let at: ImportScene
beforeAll(async () => void (at = await importScene()))
afterAll(() => at.app.close())

type Verdict = { line: number; external_id: string; outcome: string; errors: Record<string, string> | null }
const verdicts = ({ lines }: { lines: Verdict[] }) =>
  lines.map(({ line, external_id, outcome, errors }) => ({ line, external_id, outcome, errors }))

const run = (kind: string, lines: object[], dry_run = false) =>
  imported(at.app, at.staff, { kind, dry_run: String(dry_run) }, lines)
/** What both say of the lines. */
async function both(kind: string, lines: object[]) {
  const dry = verdicts(await run(kind, lines, true))
  expect(verdicts(await run(kind, lines))).toEqual(dry)
  return dry.map(({ errors }) => errors)
}

describe('two lines of a file', () => {
  it('have one CNPJ, or one id in another system, however it is written', async () => {
    const [cnpj, other] = [freshCnpj(true), freshCnpj()]
    const found = await both('organizations', [
      { external_id: 'c1', name: 'One', cnpj },
      { external_id: 'c2', name: 'Two', cnpj: masked(cnpj), crm_company_id_br: 'c-crm' },
      { external_id: 'c3', name: 'Three', cnpj: other, crm_company_id_br: 'c-crm', payment_customer_id_br: 'c-pay' },
      { external_id: 'c4', name: 'Four', cnpj: other.toLowerCase(), payment_customer_id_br: 'c-pay' },
      { external_id: 'c5', name: '', payment_customer_id_br: 'c-new' },
      { external_id: 'c6', name: 'Six', payment_customer_id_br: 'c-new', crm_company_id_global: 'c-crm' },
    ])
    // The second is refused, so that the third may have its id.
    expect(found).toEqual([
      null,
      { cnpj: 'is that of line 1' },
      null,
      { cnpj: 'is that of line 3', payment_customer_id_br: 'is that of line 3' },
      { name: expect.any(String) },
      null,
    ])
  })
  it('have one address, or make two owners, in one organization', async () => {
    const member = { organization_external_id: '1' }
    const found = await both('members', [
      { ...member, external_id: 'a1', email: 'Ana@conflict.example', role: 'owner' },
      { ...member, external_id: 'a2', email: 'ana@conflict.example', role: 'owner' },
      { organization_id: at.id, external_id: 'a3', email: 'bia@conflict.example', role: 'owner' },
      { organization_external_id: '2', external_id: 'a4', email: 'ANA@conflict.example', role: 'owner' },
    ])
    expect(found).toEqual([
      null,
      { email: 'is that of line 1', role: 'is that of line 1' },
      { role: 'is that of line 1' },
      null,
    ])
  })
  it('have one number of an invoice of one legal entity', async () => {
    const invoice = { organization_external_id: '1', currency: 'BRL', total: '10.00', due_date: '2099-12-31' }
    const found = await both('invoices', [
      { ...invoice, external_id: 'n1', number: 'C-1' },
      { ...invoice, external_id: 'n2', number: 'C-1', company: 'entity_global' },
      { ...invoice, external_id: 'n3', number: 'C-1', company: 'entity_br' },
      { ...invoice, external_id: 'n4', number: 'C-1', organization_external_id: '2' },
    ])
    expect(found).toEqual([null, null, { number: 'is that of line 1' }, null])
  })
  it('stand far from each other', async () => {
    const lines = Array.from({ length: 450 }, (_, nth) => ({
      external_id: `f${nth}`,
      name: `Far ${nth}`,
      crm_company_id_br: `far-${nth % 449}`,
    }))
    for (const dry of [true, false]) {
      const done = await run('organizations', lines, dry)
      expect(done).toMatchObject({ rows: 450, created: 449, refused: 1 })
      const { data } = await at.staff.get(`/admin/imports/${done.id}/rows?outcome=refused`)
      expect(data).toMatchObject([{ line: 450, errors: { crm_company_id_br: 'is that of line 1' } }])
    }
  })
  it('are a hundred pairs: of each the earlier one is imported', async () => {
    const lines = Array.from({ length: 200 }, (_, nth) => ({
      external_id: `p${nth}`,
      name: `Pair ${nth}`,
      crm_company_id_br: `pair-${nth % 100}`,
      crm_company_id_global: `pair-${(nth * 7) % 100}`,
    }))
    const done = await run('organizations', lines)
    expect(done).toMatchObject({ created: 100, refused: 100 })
    expect(outcomes(done)).toEqual(Array(100).fill('created'))
  })
})

const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 4 })
const pool = (...values: string[]) => fc.constantFrom(...values)
const organization_external_id = pool('1', '1', '2', 'none')
const cnpjs = [freshCnpj(), freshCnpj(true), '11.222.333/0001-80']

/** `RUN` becomes another text in each run, so that a file finds few of the records of the files before it. */
const LINES: Record<string, fc.Arbitrary<object>> = {
  organizations: fc.record({
    name: pool('Alpha', 'Ω 🚀 "x"', ''),
    cnpj: optional(pool(...cnpjs, ...cnpjs.map(masked))),
    crm_company_id_br: optional(pool('RUN-1', 'RUN-2')),
    payment_customer_id_global: optional(pool('RUN-1', 'RUN-2')),
  }),
  members: fc.record({
    organization_external_id,
    email: pool('A', 'a', 'b', 'c', 'd').map((local) => `${local}@RUN.example`),
    role: optional(pool('owner', 'admin', 'none')),
  }),
  entitlements: fc.record({
    organization_external_id,
    class: pool('PLG', 'AFL'),
    product_name: pool('Backup', 'RUN'),
    company: pool('entity_br'),
    code: optional(
      fc.tuple(pool('PLG', 'AFL'), pool('0001', '0002', '0004')).map(([of, nth]) => `${of}-20MONTH${nth}`),
    ),
  }),
  licenses: fc.record({
    organization_external_id: pool('1', '1', '1', '2'),
    entitlement_external_id: pool('sold'),
    license_key: pool('RUN-key-1', ' RUN-key-1', 'RUN-KEY-1', 'RUN-key-2', 'RUN-key-3', 'short'),
    activated_domains: optional(fc.constantFrom(['a.example'], ['a.example', 'b.example'])),
  }),
  invoices: fc.record({
    organization_external_id,
    number: optional(pool('RUN-1', 'RUN-2')),
    currency: pool('BRL'),
    total: pool('10.00', '20.00', '-1'),
    company: optional(pool('entity_br', 'entity_global')),
  }),
}
const RUNS = 6

describe('a dry run', () => {
  beforeAll(async () => {
    const line = { class: 'PLG', product_name: 'Backup', company: 'entity_br' }
    await run('entitlements', [{ ...line, external_id: 'sold', organization_external_id: '1' }])
  })
  let runs = 0
  it.each(Object.entries(LINES))('of %s says of any small file what the import then does', async (kind, line) => {
    const seen = new Set<string>()
    const ofFile = fc.asyncProperty(fc.array(line, { minLength: 12, maxLength: 16 }), async (file) => {
      const [name, month] = [`run${++runs}`, String(1000 + runs * 100 + 1)]
      const lines: object[] = file.map((values, nth) => ({ ...values, external_id: `${name}-${nth === 9 ? 3 : nth}` }))
      const written = JSON.parse(JSON.stringify(lines).replaceAll('RUN', name).replaceAll('MONTH', month))
      for (const errors of await both(kind, written))
        seen.add(errors === null ? 'created' : Object.values(errors).join().replace(/\d+/g, '').slice(0, 15))
    })
    await fc.assert(ofFile, { numRuns: RUNS, endOnFailure: true })
    expect([...seen]).toEqual(expect.arrayContaining(['created', 'is that of line']))
    expect(seen.size).toBeGreaterThan(2)
  })
})

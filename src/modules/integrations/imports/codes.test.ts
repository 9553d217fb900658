// Entitlements that keep the codes that they had elsewhere (docs/interface/integrations.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imported, type ImportScene, importScene, outcomes, report, sendImport } from '#test/scenes/imports.ts'

let at: ImportScene
beforeAll(async () => void (at = await importScene()))
afterAll(() => at.app.close())

const sold = { organization_external_id: '1', class: 'PLG', product_name: 'Backup', company: 'entity_br' }
const errorsOf = ({ lines }: { lines: { errors: object | null }[] }) => lines.map(({ errors }) => errors)
const month = () => at.app.clock.now.toISOString().slice(0, 7).replace('-', '')
/** A sale by staff, which gets the next code. */
const sell = async (): Promise<string> => {
  const { organization_external_id: _, ...body } = sold
  const { status, data, raw } = await at.inside.post('/entitlements', { ...body, organization_id: at.id })
  expect(status, raw.body).toBe(201)
  return data.code
}

describe('the code of an entitlement', () => {
  it('is kept, in whatever order the file has them, and gives the entitlement its name', async () => {
    const codes = ['PLG-2024030017', 'PLG-2024030005', 'PLG-20240310000', 'PLG-2024030016', 'PLG-2024030001']
    const lines = codes.map((code, nth) => ({ ...sold, external_id: `k${nth}`, code }))
    const done = await imported(at.app, at.staff, { kind: 'entitlements' }, lines)
    expect(outcomes(done)).toEqual(Array(5).fill('created'))
    expect((await at.inside.get(`/entitlements/code/${codes[0]}`)).data.id).toBe(done.lines[0].resource_id)
    expect(errorsOf(await imported(at.app, at.staff, { kind: 'entitlements' }, lines))).toEqual(Array(5).fill(null))
  })
  it('422 when it has another form, is of another class or of a month to come', async () => {
    const refused = [
      'plg-2024030018',
      'PLG-202403018',
      'PLG-20240300018',
      'PLG-2024030000',
      'PLG-2024130001',
      'PLG-2024031000000',
      'WHMCS-1',
      'ENV-2024030018',
      'PLG-2999010001',
    ]
    const lines = refused.map((code, nth) => ({ ...sold, external_id: `f${nth}`, code }))
    const done = await imported(at.app, at.staff, { kind: 'entitlements', dry_run: 'true' }, lines)
    expect(errorsOf(done).map((errors) => Object.keys(errors ?? {}).join())).toEqual(Array(9).fill('code'))
    expect(errorsOf(done).slice(-2)).toEqual([{ code: 'is not of the class PLG' }, { code: 'is of a month to come' }])
  })
  it('422 when any organization has it, or when it was given out here', async () => {
    const own = await sell()
    const lines = [
      { ...sold, external_id: 't1', code: own },
      { ...sold, external_id: 't2', code: 'PLG-2024040001', organization_external_id: '2' },
      { ...sold, external_id: 't3', code: 'PLG-2024040001' },
    ]
    const taken = { code: 'is given out already' }
    const dry = await imported(at.app, at.staff, { kind: 'entitlements', dry_run: 'true' }, lines)
    expect(errorsOf(dry)).toEqual([taken, null, { code: 'is that of line 2' }])
    expect(errorsOf(await imported(at.app, at.staff, { kind: 'entitlements' }, lines))).toEqual(errorsOf(dry))
    const later = [{ ...sold, external_id: 't4', code: 'PLG-2024040001' }]
    expect(errorsOf(await imported(at.app, at.staff, { kind: 'entitlements' }, later))).toEqual([taken])
  })
  it('is free again when its line is refused', async () => {
    const code = 'PLG-2024050001'
    const quantity = { quantity: 2_000_000_000 }
    const lost = [{ ...sold, external_id: 'r1', code, product_id: 999_999 }]
    expect(outcomes(await imported(at.app, at.staff, { kind: 'entitlements' }, lost))).toEqual(['refused'])
    const lines = [
      { ...sold, external_id: 'r2', code, ...quantity },
      { ...sold, external_id: 'r3', code },
    ]
    const done = await imported(at.app, at.staff, { kind: 'entitlements' }, lines)
    expect(outcomes(done)).toEqual(['refused', 'created'])
  })
  it('is never given out again, also while sales are made at once', async () => {
    const of = month()
    const first = Number((await sell()).slice(10))
    const lines = Array.from({ length: 60 }, (_, nth) => ({
      ...sold,
      external_id: `s${nth}`,
      organization_external_id: nth % 2 === 0 ? '1' : '2',
      code: `PLG-${of}${String(first + 1 + ((nth * 7) % 60)).padStart(4, '0')}`,
    }))
    const { data } = await sendImport(at.staff, { kind: 'entitlements' }, lines)
    const sales = async () => {
      const codes: string[] = []
      for (let nth = 0; nth < 16; nth++) codes.push(await sell())
      return codes
    }
    const [given] = await Promise.all([sales(), sales(), at.app.service.worker.drain()])
    expect(given).toHaveLength(16)
    const done = await report(at.staff, data.id)
    expect(done).toMatchObject({ status: 'completed', rows: 60 })
    expect(done.created).toBeGreaterThan(0)
    const [codes] = await at.app.database.query<{ all: number; different: number }>(
      `select count(*)::int as all, count(distinct code)::int as different from entitlements where code like $1`,
      [`PLG-${of}%`],
    )
    expect(codes?.different).toBe(codes?.all)
    const highest = await at.app.database.query<{ most: number }>(
      `select max(substr(code, 11)::int) as most from entitlements where code like $1`,
      [`PLG-${of}%`],
    )
    expect(Number((await sell()).slice(10))).toBeGreaterThan(highest[0]?.most ?? 0)
    const problems = new Set(errorsOf(done).map((errors) => JSON.stringify(errors)))
    problems.delete('null')
    expect([...problems]).toEqual(done.refused > 0 ? [JSON.stringify({ code: 'is given out already' })] : [])
  })
})

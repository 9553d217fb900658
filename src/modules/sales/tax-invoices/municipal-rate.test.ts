// The municipality's rate in a declaration: where it is needed and nobody names one, as of the day of competence.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MunicipalAnswer } from '#ports/municipal-parameters.ts'
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'
import { lineOf, paidInvoice } from '#test/scenes/paid-invoices.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import { AGREEMENT, NONE, rateOf } from '#test/stand-ins/municipality.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

const { services: _named, ...REGIME } = PROFILE
const UNNAMED: FiscalProfile = { ...REGIME, services: { default: { national: '010501' } } }
const SIMPLES: FiscalProfile = { ...UNNAMED, simples: '3', simples_regime: '1', simples_burden: '6.00' }

let scene: TaxScene
let administrator: Speaker
beforeAll(async () => {
  scene = await taxScene()
  administrator = await scene.app.world.user({ roles: ['customer', 'administrator'] })
})
beforeEach(async () => {
  scene.authority.reset()
  scene.municipality.reset()
  scene.authority.profile = UNNAMED
  await scene.app.database.query('truncate municipal_parameters, municipal_questions cascade')
})
afterAll(() => scene.app.close())

/** The municipality answers so from now on: about its agreement, and about the rate of `010501`. */
async function published(agreement: MunicipalAnswer, rate: MunicipalAnswer): Promise<void> {
  scene.municipality.answers = new Map([
    ['', agreement],
    ['010501000', rate],
  ])
  expect((await administrator.post('/admin/municipal-parameters/ask')).status).toBe(200)
}
const declaredRates = () => scene.authority.declared.map(({ service }) => service.iss_rate)
const rowOf = async (rate: string) =>
  (await administrator.get('/admin/municipal-parameters?service_code=010501000')).data.find(
    (one: { rate: string }) => one.rate === rate,
  ).id
/** The tax invoice of an invoice that was paid on the day. */
async function paidOn(day: string): Promise<Answer['data']> {
  const invoice = await paidInvoice(scene.app, scene.acme, { total: '100.00', lines: [lineOf('PLG', '100.00')] })
  await scene.app.database.query('update invoices set payment_date = $2 where id = $1', [invoice, day])
  await scene.work()
  const [row] = await scene.app.database.query<{ id: number }>('select id from tax_invoices where invoice_id = $1', [
    invoice,
  ])
  return scene.get(row?.id ?? 0)
}

describe('a declaration without a named rate', () => {
  it('has the municipality’s where no agreement is in force, and keeps what it was made by', async () => {
    await published(NONE, rateOf('2.90'))
    const made = await scene.made('issue')
    expect(made).toMatchObject({ status: 'issued', iss_rate: '2.90', rate_id: await rowOf('2.90') })
    const { data } = await administrator.get('/admin/municipal-parameters')
    expect(data.find((one: { id: number }) => one.id === made.agreement_id)).toMatchObject({ service_code: null })
    expect(declaredRates()).toEqual(['2.90'])
  })
  it('has none under an agreement, by which the authority computes it; what was known is kept', async () => {
    await published(AGREEMENT, rateOf('2.90'))
    const made = await scene.made('issue')
    expect(made).toMatchObject({ iss_rate: null, rate_id: await rowOf('2.90'), agreement_id: expect.any(Number) })
    expect(declaredRates()).toEqual([undefined])
  })
  it('has none while nothing is known', async () => {
    expect(await scene.made('issue')).toMatchObject({ iss_rate: null, rate_id: null, agreement_id: null })
  })
  it('has none in the Simples, whose rates no municipality publishes', async () => {
    scene.authority.profile = { ...SIMPLES, iss_withheld: '2' }
    await published(NONE, rateOf('2.90'))
    expect((await scene.made('issue')).iss_rate).toBeNull()
    scene.authority.profile = { ...SIMPLES, simples_regime: '2' }
    expect((await scene.made('issue')).iss_rate, 'ISS outside of the Simples').toBe('2.90')
  })
  it('has none for a service that is not levied, nor under a special regime', async () => {
    await published(NONE, { ...rateOf('2.90'), levied: false })
    expect((await scene.made('issue')).iss_rate).toBeNull()
    await published(NONE, rateOf('2.90'))
    scene.authority.profile = { ...UNNAMED, special_regime: '1' }
    expect((await scene.made('issue')).iss_rate).toBeNull()
  })
})

describe('the day of competence', () => {
  it('decides which rate holds, whatever was answered later', async () => {
    await published(NONE, rateOf('2.00', '2020-01-01'))
    await published(NONE, rateOf('2.00', '2020-01-01', '2026-09-30'))
    await published(NONE, rateOf('3.00', '2026-10-01'))
    expect(await paidOn('2026-09-30')).toMatchObject({ competence: '2026-09-30', iss_rate: '2.00' })
    expect(await paidOn('2026-10-01')).toMatchObject({ iss_rate: '3.00', rate_id: await rowOf('3.00') })
    expect((await paidOn('2020-01-01')).iss_rate).toBe('2.00')
  })
  it('has none after the last day of a rate, nor from the day on of which none is published any more', async () => {
    await published(NONE, rateOf('2.00', '2020-01-01', '2026-09-30'))
    expect((await paidOn('2026-10-01')).iss_rate).toBeNull()
    await published(NONE, rateOf('2.00'))
    await published(NONE, NONE)
    expect((await paidOn('2026-10-01')).iss_rate, 'it was published then').toBe('2.00')
    const today = (await administrator.get('/admin/municipal-parameters/in-use')).data.competence
    expect((await paidOn(today)).iss_rate).toBeNull()
  })
})

describe('a named rate', () => {
  it('of the profile or of a product stays, whatever is published', async () => {
    scene.authority.profile = PROFILE
    await published(NONE, rateOf('2.90'))
    expect((await scene.made('issue')).iss_rate).toBe('2.00')
    await published(AGREEMENT, rateOf('2.90'))
    expect((await scene.made('issue')).iss_rate).toBe('2.00')
  })
})

describe('a retry after a refusal', () => {
  it('is declared by what is known then', async () => {
    await published(NONE, NONE)
    const refused = await scene.made([{ code: 'E0619', message: 'É obrigatório informar alíquota', detail: null }])
    expect(refused).toMatchObject({
      status: 'error',
      iss_rate: null,
      error_explanation: expect.stringContaining('rate'),
    })
    await published(NONE, rateOf('2.90'))
    expect((await scene.acme.staff.post(`/tax-invoices/${refused.id}/retry`)).status).toBe(200)
    await scene.work()
    expect(await scene.get(refused.id)).toMatchObject({
      status: 'issued',
      iss_rate: '2.90',
      rate_id: await rowOf('2.90'),
    })
  })
})

// Municipal parameters: asked for once a day and by staff, kept with their dates.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import { AGREEMENT, NONE, rateOf } from '#test/stand-ins/municipality.ts'
import type { Speaker } from '#test/harness/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let scene: TaxScene
let administrator: Speaker
let began: Date
beforeAll(async () => {
  scene = await taxScene()
  administrator = await scene.app.world.user({ roles: ['customer', 'administrator'] })
  began = scene.app.clock.now
})
beforeEach(async () => {
  scene.authority.reset()
  scene.municipality.reset()
  scene.app.clock.now = began
  await scene.app.database.query('truncate municipal_parameters, municipal_questions cascade')
})
afterAll(() => scene.app.close())

const path = '/admin/municipal-parameters'
const ask = () => administrator.post(`${path}/ask`)
const report = async () => (await administrator.get(`${path}/in-use`)).data
const kept = async (query = '') => (await administrator.get(`${path}${query}`)).data
const publish = (code: string, answer: Parameters<typeof scene.municipality.answers.set>[1]) =>
  scene.municipality.answers.set(code, answer)
const codes = () => scene.municipality.asked.map(({ service_code }) => service_code)

/** The job, so many milliseconds later; as many at once as schedulers. */
async function askDue(later = 0, schedulers = 1): Promise<void> {
  scene.app.clock.now = new Date(scene.app.clock.now.getTime() + later)
  scene.municipality.asked.length = 0
  for (let one = 0; one < schedulers; one++)
    await scene.app.database.query(`insert into jobs (kind, run_at) values ('municipal-parameters/ask', $1)`, [
      scene.app.clock.now,
    ])
  await Promise.all(Array.from({ length: schedulers }, scene.work))
}

describe('POST /admin/municipal-parameters/ask', () => {
  it('200 with the agreement and the rate of each code of the profile', async () => {
    publish('010501000', rateOf('2.00'))
    const answer = await ask()
    expect(answer.status, answer.raw.body).toBe(200)
    expect(codes().toSorted()).toEqual(['', '010301001', '010501000'])
    expect(scene.municipality.asked[0]).toMatchObject({ municipality: '3550308', competence: answer.data.competence })
    const times = { asked_at: began.toISOString(), confirmed_at: began.toISOString(), problem: null }
    expect(answer.data).toMatchObject({
      municipality: '3550308',
      agreement: { ...times, parameters: { outcome: 'published', national_issuer: true, service_code: null } },
      services: [
        { service_code: '010301001', used_by: [{ by: 'ENV', iss_rate: '2.90' }], parameters: { outcome: 'none' } },
        { service_code: '010501000', ...times, parameters: { rate: '2.00', valid_from: '2020-01-01' } },
      ],
    })
    expect(await report()).toEqual(answer.data)
  })
  it('200 and asks for the codes of active products, too', async () => {
    const product = { name: 'Backup', entitlement_class: 'PLG' }
    const add = (more: object) => administrator.post('/admin/products', { ...product, ...more })
    await add({ sku: 'OWN-1', service_code: '010701', iss_rate: '5.00' })
    await add({ sku: 'OLD-1', service_code: '010801', active: false })
    await add({ sku: 'RATE-1', iss_rate: '3.00' })
    const { data } = await ask()
    expect(codes()).toContain('010701000')
    expect(codes()).not.toContain('010801000')
    const used = data.services.map((one: { service_code: string; used_by: object[] }) => [
      one.service_code,
      one.used_by,
    ])
    expect(Object.fromEntries(used)).toMatchObject({
      '010701000': [{ by: 'OWN-1', iss_rate: '5.00' }],
      '010501000': [
        { by: 'default', iss_rate: '2.00' },
        { by: 'RATE-1', iss_rate: '3.00' },
      ],
    })
    await scene.app.database.query('update products set active = false')
  })
  it('200 without an answer: what is known stays, and the reason is shown', async () => {
    publish('010501000', rateOf('2.00'))
    await ask()
    publish('', 'away')
    publish('010501000', 'away')
    publish('010301001', 'away')
    scene.app.clock.now = new Date(began.getTime() + HOUR_MS)
    scene.municipality.asked.length = 0
    const { status, data } = await ask()
    expect([status, codes()]).toEqual([200, ['']])
    expect(data.agreement).toMatchObject({
      asked_at: scene.app.clock.now.toISOString(),
      confirmed_at: began.toISOString(),
      problem: '503',
      parameters: { outcome: 'published' },
    })
    expect(data.services[1].parameters).toMatchObject({ rate: '2.00' })
    expect(data.findings).toContainEqual({ code: 'unanswered', service_code: null, message: '503' })
  })
  it('409 without a fiscal profile; 403 for others', async () => {
    scene.authority.profile = null
    expect((await ask()).status).toBe(409)
    expect(await report()).toMatchObject({ municipality: null, services: [], findings: [] })
    for (const method of ['/in-use', '']) expect((await scene.acme.owner.get(`${path}${method}`)).status).toBe(403)
    expect((await scene.acme.owner.post(`${path}/ask`)).status).toBe(403)
  })
  it('200 for two at once, who keep one answer of each', async () => {
    publish('010501000', rateOf('2.00'))
    const answers = await Promise.all([ask(), ask(), askDue(0, 2)])
    expect(answers.slice(0, 2).map((one) => one?.status)).toEqual([200, 200])
    expect(await kept()).toHaveLength(3)
  })
})

describe('GET /admin/municipal-parameters', () => {
  it('200 with each answer that differs, the newest first; an equal one adds none', async () => {
    publish('010501000', rateOf('2.00'))
    await ask()
    await ask()
    publish('010501000', { ...rateOf('2.00'), message: 'Other words' })
    await ask()
    expect(await kept('?service_code=010501000')).toHaveLength(1)
    publish('010501000', rateOf('2.00', '2020-01-01', '2026-12-31'))
    await ask()
    publish('010501000', rateOf('3.00', '2027-01-01'))
    await ask()
    const rows = await kept('?service_code=010501000&municipality=3550308')
    expect(rows.map((one: { rate: string; valid_until: string }) => [one.rate, one.valid_until])).toEqual([
      ['3.00', null],
      ['2.00', '2026-12-31'],
      ['2.00', null],
    ])
    expect(await kept('?municipality=9999999')).toEqual([])
    expect((await administrator.get(`${path}?municipality=x`)).status).toBe(422)
  })
  it('200 in the order in which it was answered: an answer that comes late does not count', async () => {
    const { promise: asked, resolve: hasAsked } = Promise.withResolvers<void>()
    const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
    publish('', NONE)
    scene.municipality.pause = () => {
      hasAsked()
      return released
    }
    const early = ask()
    await asked
    scene.municipality.pause = null
    publish('', AGREEMENT)
    scene.app.clock.now = new Date(began.getTime() + 1000)
    await ask()
    goOn()
    expect((await early).status).toBe(200)
    expect((await report()).agreement.parameters).toMatchObject({ outcome: 'published' })
  })
  it('rows cannot be changed or removed by the service', async () => {
    await ask()
    for (const role of ['titular_app', 'titular_system'])
      for (const statement of ['update municipal_parameters set raw = raw', 'delete from municipal_parameters']) {
        const [{ allowed } = { allowed: true }] = await scene.app.database.query<{ allowed: boolean }>(
          `select has_table_privilege($1, 'municipal_parameters', $2) as allowed`,
          [role, statement.split(' ')[0]],
        )
        expect(allowed, `${role}: ${statement}`).toBe(false)
      }
  })
})

describe('the daily job', () => {
  it('asks each question once a day, and again the next day', async () => {
    await askDue()
    expect(codes()).toHaveLength(3)
    await askDue(1000)
    expect(codes()).toEqual([])
    await askDue(DAY_MS)
    expect(codes()).toHaveLength(3)
    scene.app.clock.now = began
    expect(await kept()).toHaveLength(3)
  })
  it('asks again what had no answer, after the others, and keeps what is known', async () => {
    publish('', 'away')
    await askDue()
    expect(codes()).toEqual([''])
    await askDue(1000)
    expect(codes(), 'those never asked go first').toEqual(['010301001', '010501000', ''])
    expect((await report()).agreement).toMatchObject({ confirmed_at: null, problem: '503', parameters: null })
    publish('', AGREEMENT)
    await askDue(1000)
    expect(codes()).toEqual([''])
    expect((await report()).agreement).toMatchObject({ problem: null, parameters: { outcome: 'published' } })
  })
  it('does nothing without a profile', async () => {
    scene.authority.profile = null
    await askDue()
    expect([codes(), await kept()]).toEqual([[], []])
  })
  it('asks as of the day in the legal entity’s time zone', async () => {
    scene.app.clock.now = new Date('2026-12-01T02:30:00Z')
    await askDue()
    expect(scene.municipality.asked[0]?.competence).toBe('2026-11-30')
    await askDue(HOUR_MS)
    expect(scene.municipality.asked[0]?.competence).toBe('2026-12-01')
  })
})

// What does not fit between the fiscal profile, the products and what the municipality publishes, as staff see it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import { AGREEMENT, NONE, rateOf } from '#test/stand-ins/municipality.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import type { Speaker } from '#test/harness/world.ts'

let scene: TaxScene
let administrator: Speaker
beforeAll(async () => {
  scene = await taxScene()
  administrator = await scene.app.world.user({ roles: ['customer', 'administrator'] })
})
beforeEach(async () => {
  scene.authority.reset()
  scene.municipality.reset()
  await scene.app.database.query('truncate municipal_parameters, municipal_questions cascade')
})
afterAll(() => scene.app.close())

const ask = () => administrator.post('/admin/municipal-parameters/ask')
const report = async () => (await administrator.get('/admin/municipal-parameters/in-use')).data
const publish = (code: string, answer: typeof NONE) => scene.municipality.answers.set(code, answer)
const findings = async () => (await report()).findings.map(({ code }: { code: string }) => code)

describe('findings', () => {
  const simples = { simples: '3', simples_regime: '1' } as const
  const unnamed = { services: { default: { national: '010501' } } }

  it('say that nothing is known, and that there is no agreement before a declaration is refused', async () => {
    expect(await findings()).toContain('unknown')
    publish('', NONE)
    await ask()
    expect(await findings()).toContain('no_agreement')
    publish('', { ...AGREEMENT, national_issuer: false })
    await ask()
    expect(await findings()).toContain('no_national_issuer')
  })
  it('name a rate that differs, and change no declaration', async () => {
    publish('', NONE)
    publish('010501000', rateOf('2.90'))
    await ask()
    const found = (await report()).findings
    expect(found).toContainEqual({
      code: 'rate_differs',
      service_code: '010501000',
      message: 'default declares 2.00 %, the municipality publishes 2.90 %',
    })
    expect((await scene.made('issue')).iss_rate).toBe('2.00')
    publish('010501000', rateOf('2.00'))
    await ask()
    expect(await findings()).not.toContain('rate_differs')
  })
  it('name a rate that the agreement forbids', async () => {
    await ask()
    expect((await findings()).filter((code: string) => code === 'rate_forbidden')).toHaveLength(2)
    publish('', NONE)
    await ask()
    expect(await findings()).toEqual(['no_agreement'])
  })
  it('name a service on which the municipality levies nothing', async () => {
    scene.authority.profile = { ...PROFILE, ...unnamed }
    publish('010501000', { ...rateOf('2.00'), levied: false })
    await ask()
    expect(await findings()).toEqual(['not_levied'])
    scene.authority.profile = { ...PROFILE, ...unnamed, iss: '4' }
    expect(await findings()).toEqual([])
  })
  it('name a rate that is missing: the municipality’s, and the company’s own in the Simples', async () => {
    scene.authority.profile = { ...PROFILE, ...unnamed }
    publish('', NONE)
    await ask()
    expect(await findings()).toEqual(['no_agreement', 'rate_missing'])
    publish('010501000', rateOf('2.90'))
    await ask()
    expect(await findings()).toEqual(['no_agreement'])
    scene.authority.profile = { ...PROFILE, ...simples, ...unnamed, iss_withheld: '2' }
    expect(await findings()).toEqual(['no_agreement', 'rate_missing'])
    scene.authority.profile = { ...PROFILE, ...simples, ...unnamed }
    expect(await findings(), 'not withheld: none is named').toEqual(['no_agreement'])
  })
})

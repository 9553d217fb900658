import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { license } from '#test/scenes/licenses.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
})
afterAll(() => app.close())

const ask = (license_key: unknown, domain: unknown): Promise<Answer> =>
  app.world.anonymous.post('/licenses/validate', { license_key, domain })
const activate = (id: number, domain: string) => acme.owner.post(`/licenses/${id}/activate`, { domain })
const UNKNOWN = { valid: false, reason: 'unknown_key', product_name: null, expires_at: null }

describe('POST /licenses/validate', () => {
  it('200 with status and reason in every state of the license', async () => {
    const end = new Date(app.clock.now.getTime() + 3_600_000).toISOString()
    const { id, license_key, entitlement_id } = await license(acme, {}, { expires_at: end })
    const known = { product_name: 'Backup Pro', expires_at: end }
    const expectReason = async (reason: string, domain = 'shop.acme.example') => {
      const valid = reason === 'activated' || reason === 'staging'
      expect(await ask(license_key, domain)).toMatchObject({ status: 200, data: { valid, reason, ...known } })
    }
    await expectReason('not_activated')
    await activate(id, 'shop.acme.example')
    await expectReason('activated')
    await expectReason('activated', 'https://WWW.Shop.ACME.example:443/')
    await expectReason('staging', 'localhost')
    await expectReason('not_activated', 'acme.example')
    await acme.staff.post(`/entitlements/${entitlement_id}/suspend`)
    await expectReason('suspended')
    await expectReason('suspended', 'localhost')
    await acme.staff.post(`/entitlements/${entitlement_id}/resume`)
    await expectReason('activated')
    app.clock.advance(3600)
    await expectReason('expired')
    await acme.staff.post(`/licenses/${id}/revoke`)
    await expectReason('revoked')
  })
  it('200 for a key in lower case, with spaces, without dashes or with those of a word processor', async () => {
    const { id, license_key } = await license(acme)
    await activate(id, 'a.example')
    for (const typed of [
      license_key.toLowerCase(),
      license_key.replaceAll('-', ' '),
      ` ${license_key.replaceAll('-', '')}\n`,
      ...['\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\uff0d', ' \u2013\u00a0', '\u00ad-\u200b'].map((dash) =>
        license_key.replaceAll('-', dash),
      ),
    ])
      expect((await ask(typed, 'a.example')).data.valid, typed).toBe(true)
  })
  it('200 with the same answer for all unknown keys', async () => {
    const { license_key } = await license(acme)
    const bodies = new Set<string>()
    for (const key of ['22222-22222-22222-22222-22222', 'x', `${license_key}2`, "' or true --", '%', '{}', '😀'])
      for (const domain of ['a.example', 'localhost']) {
        const answer = await ask(key, domain)
        expect(answer.status).toBe(200)
        expect(answer.data).toEqual(UNKNOWN)
        bodies.add(answer.raw.body)
      }
    expect(bodies.size).toBe(1)
  })
  it('200 with key_replaced for the key before a rotation, and the one before that', async () => {
    const { id, license_key: first } = await license(acme)
    await activate(id, 'a.example')
    const rotate = async () => (await acme.owner.post(`/licenses/${id}/rotate-key`)).data.license_key
    const second = await rotate()
    const third = await rotate()
    for (const old of [first, second])
      expect((await ask(old, 'a.example')).data).toEqual({ ...UNKNOWN, reason: 'key_replaced' })
    expect((await ask(third, 'a.example')).data).toMatchObject({ valid: true, reason: 'activated' })
  })
  it('200 with unknown when the organization is deleted', async () => {
    const gone = await app.world.organization()
    const { license_key } = await license(gone)
    expect((await ask(license_key, 'localhost')).data.valid).toBe(true)
    expect((await gone.owner.delete(`/organizations/${gone.id}`)).status).toBe(200)
    expect((await ask(license_key, 'localhost')).data).toEqual(UNKNOWN)
  })
  it('422 for text that is not a host name, a missing key, and unknown fields', async () => {
    for (const domain of ['', '*', '127.0.0.1', null, 5]) expect((await ask('x', domain)).status).toBe(422)
    expect((await app.world.anonymous.post('/licenses/validate', { domain: 'a.example' })).status).toBe(422)
    expect((await ask('', 'a.example')).status).toBe(422)
    const more = { license_key: 'x', domain: 'a.example', organization_id: acme.id }
    expect((await app.world.anonymous.post('/licenses/validate', more)).status).toBe(422)
  })
  it('429 beyond the public limit', async () => {
    const strict = await startApp({ environment: { LIMIT_PUBLIC: '3/60' } })
    try {
      const tries = []
      for (let count = 0; count < 4; count++)
        tries.push(
          (await strict.world.anonymous.post('/licenses/validate', { license_key: 'x', domain: 'a.example' })).status,
        )
      expect(tries).toEqual([200, 200, 200, 429])
    } finally {
      await strict.close()
    }
  })
})

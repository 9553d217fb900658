import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { license } from '#test/scenes/licenses.ts'
import { product, release } from '#test/scenes/releases.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
})
afterAll(() => app.close())

const LINUX = { platform: 'linux', architecture: 'x64' }
const ask = (license_key: unknown, more: object = {}): Promise<Answer> =>
  app.world.anonymous.post('/downloads/latest', { license_key, ...LINUX, ...more })
const newestFor = async (key: string, channel?: string) => (await ask(key, channel ? { channel } : {})).data.version
const NOTHING = {
  update_available: false,
  version: null,
  channel: null,
  released_at: null,
  release_notes: null,
  release_notes_by_language: null,
  file: null,
  url: null,
  expires_at: null,
}

async function installed(entitled: object = {}) {
  const sold = await product(acme)
  const customer = await app.world.organization()
  return { sold, customer, ...(await license(customer, {}, { product_id: sold.id, ...entitled })) }
}

describe('POST /downloads/latest', () => {
  it('200 with the newest release and a link to it', async () => {
    const { sold, license_key } = await installed()
    await release(acme, sold.id, { version: '1.9.0' })
    await release(acme, sold.id, { version: '1.10.0-rc.1' })
    const notes = { en: 'Faster', 'pt-BR': 'Mais rápido' }
    const newest = await release(acme, sold.id, { version: '1.10.0', release_notes_by_language: notes })
    const { status, data } = await ask(license_key, { current_version: '1.9.0' })
    expect([status, data]).toEqual([
      200,
      {
        update_available: true,
        reason: 'update_available',
        version: '1.10.0',
        channel: 'stable',
        released_at: newest.released_at,
        release_notes: 'Faster',
        release_notes_by_language: notes,
        file: newest.files[0],
        url: expect.stringContaining('/files/'),
        expires_at: expect.any(String),
      },
    ])
    const path = data.url.replace(/^.*\/api\/v1/, '')
    expect((await app.world.anonymous.get(path)).raw.body).toBe('PK\u0003\u0004 bytes')
    expect((await ask(license_key)).data.version).toBe('1.10.0')
  })
  it('200 with up_to_date for the same version, a newer one, and another build of it', async () => {
    const { sold, license_key } = await installed()
    await release(acme, sold.id, { version: '1.10.0+a' })
    for (const current_version of ['1.10.0', '1.10.0+b', '1.10.1-rc.1', '2.0.0'])
      expect((await ask(license_key, { current_version })).data).toEqual({ ...NOTHING, reason: 'up_to_date' })
    expect((await ask(license_key, { current_version: '1.10.0-rc.9' })).data.update_available).toBe(true)
  })
  it('200 with the file for the platform and the architecture, the closest first', async () => {
    const { sold, license_key } = await installed()
    const files = [
      { fileName: 'any.zip' },
      { fileName: 'linux-any.tar', platform: 'linux', architecture: 'any' },
      { fileName: 'linux-arm64.tar', platform: 'linux', architecture: 'arm64' },
    ]
    await release(acme, sold.id, { version: '1.0.0', files })
    await release(acme, sold.id, {
      version: '2.0.0',
      files: [{ fileName: 'win.exe', platform: 'windows', architecture: 'x64' }],
    })
    const offered = async (platform: string, architecture: string) =>
      (await ask(license_key, { platform, architecture })).data.file?.file_name
    expect(await offered('linux', 'arm64')).toBe('linux-arm64.tar')
    expect(await offered('linux', 'x64')).toBe('linux-any.tar')
    expect(await offered('macos', 'x64')).toBe('any.zip')
    expect(await offered('windows', 'x64')).toBe('win.exe')
    expect(await offered('windows', 'arm64')).toBe('any.zip')
  })
  it('200 with beta releases only where asked for and covered', async () => {
    const both = await installed({ release_channels: ['stable', 'beta'] })
    const { license_key: stable } = await license(both.customer, {}, { product_id: both.sold.id })
    await release(acme, both.sold.id, { version: '1.0.0' })
    await release(acme, both.sold.id, { version: '1.1.0', channel: 'beta' })
    expect(await newestFor(both.license_key)).toBe('1.0.0')
    expect(await newestFor(both.license_key, 'beta')).toBe('1.1.0')
    expect(await newestFor(stable, 'beta')).toBe('1.0.0')
    await release(acme, both.sold.id, { version: '1.2.0' })
    expect(await newestFor(both.license_key, 'beta')).toBe('1.2.0')
  })
  it('200 with what the license’s own entitlement covers, not another one of the organization', async () => {
    const { sold, customer, license_key } = await installed({ updates_until: '2026-01-01T00:00:00.000Z' })
    await license(customer, {}, { product_id: sold.id })
    await release(acme, sold.id, { version: '1.0.0', released_at: '2025-12-31T00:00:00.000Z' })
    await release(acme, sold.id, { version: '1.1.0', released_at: '2026-01-02T00:00:00.000Z' })
    expect((await ask(license_key)).data.version).toBe('1.0.0')
    const ended = await ask(license_key, { current_version: '1.0.0' })
    expect(ended.data).toEqual({ ...NOTHING, reason: 'updates_ended' })
  })
  it('200 with no_release where there is none, and none that is a draft or yanked', async () => {
    const { sold, license_key } = await installed()
    const none = { ...NOTHING, reason: 'no_release' }
    expect((await ask(license_key)).data).toEqual(none)
    const { id } = await release(acme, sold.id)
    await acme.staff.post('/downloads', { product_id: sold.id, version: '2.0.0' })
    expect((await ask(license_key)).data.version).toBe('1.0.0')
    await acme.staff.post(`/downloads/${id}/yank`, { reason: 'x' })
    expect((await ask(license_key)).data).toEqual(none)
  })
  it('200 with the reason of /licenses/validate for a key that is not good', async () => {
    const { sold, customer, license_key, id, entitlement_id } = await installed()
    await release(acme, sold.id)
    const domain = 'shop.acme.example'
    const expectSame = async (key: string, wanted: string) => {
      const validated = await app.world.anonymous.post('/licenses/validate', { license_key: key, domain })
      expect(validated.data.reason).toBe(wanted)
      expect((await ask(key, { domain })).data).toEqual({ ...NOTHING, reason: wanted })
    }
    await expectSame(license_key, 'not_activated')
    expect((await ask(license_key)).data.update_available).toBe(true)
    await customer.owner.post(`/licenses/${id}/activate`, { domain })
    expect((await ask(license_key.toLowerCase().replaceAll('-', ' '), { domain })).data.update_available).toBe(true)
    await customer.staff.post(`/entitlements/${entitlement_id}/suspend`)
    await expectSame(license_key, 'suspended')
    await customer.staff.post(`/entitlements/${entitlement_id}/resume`)
    const rotated = (await customer.owner.post(`/licenses/${id}/rotate-key`)).data.license_key
    await expectSame(license_key, 'key_replaced')
    await expectSame('22222-22222-22222-22222-22222', 'unknown_key')
    await customer.staff.post(`/licenses/${id}/revoke`)
    await expectSame(rotated, 'revoked')
    await customer.owner.delete(`/organizations/${customer.id}`)
    await expectSame(rotated, 'unknown_key')
  })
  it('200 with expired after the end of the license', async () => {
    const expires_at = new Date(app.clock.now.getTime() + 1000).toISOString()
    const { license_key } = await installed({ expires_at })
    app.clock.advance(1)
    expect((await ask(license_key)).data.reason).toBe('expired')
  })
  it('200 while the payment of a renewal is awaited, as /licenses/validate answers', async () => {
    const { sold, license_key, id, entitlement_id } = await installed()
    await release(acme, sold.id)
    for (const [table, record] of [
      ['entitlements', entitlement_id],
      ['licenses', id],
    ])
      await app.database.query(`update ${table} set renews = true, expires_at = $2 where id = $1`, [
        record,
        app.clock.now,
      ])
    app.clock.advance(3600)
    const domain = 'localhost'
    const validated = await app.world.anonymous.post('/licenses/validate', { license_key, domain })
    expect(validated.data).toMatchObject({ valid: true })
    expect((await ask(license_key, { domain })).data).toMatchObject({ update_available: true, version: '1.0.0' })
  })
  it('422 names every bad field; 429 beyond the public limit', async () => {
    const bad = { license_key: '', domain: '*', platform: 'amiga', architecture: 'x86', current_version: '1.0', x: 1 }
    const { status, errors } = await app.world.anonymous.post('/downloads/latest', bad)
    expect([status, Object.keys(errors?.fields ?? {}).toSorted()]).toEqual([422, Object.keys(bad).toSorted()])
    const strict = await startApp({ environment: { LIMIT_PUBLIC: '2/60' } })
    try {
      const { anonymous } = strict.world
      const send = () => anonymous.post('/downloads/latest', { license_key: 'x', ...LINUX })
      expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([200, 200, 429])
    } finally {
      await strict.close()
    }
  })
})

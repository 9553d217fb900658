import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const DAY_MS = 86_400_000
const pem = (type: 'ed25519' | 'x25519') =>
  (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString()

let app: TestApp
let acme: Organization
let member: Speaker
let folder: string

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  member = await acme.member({ scopes: ['licenses'] })
  folder = await mkdtemp(join(tmpdir(), 'titular-license-'))
  const docs = await readFile(join(import.meta.dirname, '../../../../docs/licenses.md'), 'utf8')
  const [, example = ''] = /<!-- verify -->\n```js\n([^]*?)```/.exec(docs) ?? []
  await writeFile(join(folder, 'verify.mjs'), example)
  await writeFile(join(folder, 'license-keys.json'), (await publicKeys(app)).body)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await app.close()
})

const publicKeys = (at: TestApp) => at.service.app.inject('/.well-known/license-keys.json')
const fileOf = (id: number) => member.get(`/licenses/${id}/file`)
const claimsOf = (content: string) => JSON.parse(Buffer.from(content.split('.')[1] ?? '', 'base64url').toString())

/** The outcome of the documented example, run as it is written in docs/licenses.md. */
async function outcome(content: string, domain: string): Promise<string> {
  await writeFile(join(folder, 'license.lic'), content)
  const run = promisify(execFile)(process.execPath, ['verify.mjs', domain], { cwd: folder })
  return run.then(
    ({ stdout }) => stdout.trim(),
    () => 'error',
  )
}

describe('GET /licenses/{id}/file', () => {
  it('200 with a file that the documented example accepts for its domains, until its end', async () => {
    const example = await readFile(join(folder, 'verify.mjs'), 'utf8')
    expect(example.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10)
    const { id, license_key } = await license(acme)
    for (const domain of ['a.example', 'Bücher.example', 'shop.test'])
      await member.post(`/licenses/${id}/activate`, { domain })
    const { status, data } = await fileOf(id)
    expect(status).toBe(200)
    expect(data).toMatchObject({ file_name: `license-${id}.lic`, key_id: (await publicKeys(app)).json().keys[0].kid })
    expect(claimsOf(data.content)).toMatchObject({
      sub: String(id),
      license_key,
      domains: ['a.example', 'xn--bcher-kva.example', 'shop.test'],
      exp: Date.parse(data.expires_at) / 1000,
    })
    expect(await outcome(data.content, 'a.example')).toBe('valid')
    expect(await outcome(`${data.content}\n`, 'shop.test')).toBe('valid')
    expect(await outcome(data.content, 'b.example')).toBe('refused')
    const [header = '', payload = '', signature = ''] = data.content.split('.')
    const more = Buffer.from(JSON.stringify({ ...claimsOf(data.content), domains: ['b.example'] })).toString(
      'base64url',
    )
    expect(await outcome(`${header}.${more}.${signature}`, 'b.example')).toBe('refused')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'titular-license' })).toString('base64url')
    expect(await outcome(`${none}.${payload}.`, 'a.example')).toBe('error')
    const other = await startApp({ environment: { LICENSE_SIGNING_KEY: pem('ed25519') } })
    try {
      await writeFile(join(folder, 'license-keys.json'), (await publicKeys(other)).body)
      expect(await outcome(data.content, 'a.example')).toBe('error')
    } finally {
      await writeFile(join(folder, 'license-keys.json'), (await publicKeys(app)).body)
      await other.close()
    }
  })
  it('200 valid for `license_file_days`, or until the end of the license if that is sooner', async () => {
    const now = app.clock.now.getTime()
    const end = (days: number) => ({ expires_at: new Date(now + days * DAY_MS).toISOString() })
    const lives = async (more: object) => {
      const { data } = await fileOf((await license(acme, {}, more)).id)
      return Math.round((Date.parse(data.expires_at) - now) / DAY_MS)
    }
    expect([await lives({}), await lives(end(90)), await lives(end(3))]).toEqual([30, 30, 3])
    const { id } = await license(acme)
    const claims = { ...claimsOf((await fileOf(id)).data.content), domains: ['a.example'] }
    const over = { ...claims, exp: Math.floor(Date.now() / 1000) - 1 }
    expect(await outcome(app.service.ports.licenseKeys.sign('titular-license', claims), 'a.example')).toBe('valid')
    expect(await outcome(app.service.ports.licenseKeys.sign('titular-license', over), 'a.example')).toBe('refused')
  })
  it('200 with the hosts of non-production environments of this organization only', async () => {
    const { id, entitlement_id, entitlement_code } = await license(acme)
    const add = (organizationId: number, type: string, url: string, entitled: number) =>
      app.database.query(
        `insert into environments (organization_id, name, platform, environment_type, url, entitlement_id, entitlement_code)
         values ($1, 'Site', 'custom', $2, $3, $4, $5)`,
        [organizationId, type, url, entitled, entitlement_code],
      )
    await add(acme.id, 'staging', 'https://Staging.acme.example:8443/x', entitlement_id)
    await add(acme.id, 'production', 'https://acme.example', entitlement_id)
    const other = await app.world.organization()
    await add(other.id, 'staging', 'https://other.example', (await license(other)).entitlement_id)
    expect(claimsOf((await fileOf(id)).data.content).domains).toEqual(['staging.acme.example'])
  })
  it('200 without a staging host that has gone into production since its activation', async () => {
    const { id } = await license(acme)
    const { id: entitlement_id } = await entitlement(acme, { class: 'ENV' })
    const place = { name: 'Next', platform: 'custom', url: 'https://next.acme.example', status: 'active' }
    const next = await acme.staff.post('/environments', { ...place, environment_type: 'staging', entitlement_id })
    for (const domain of ['next.acme.example', 'shop.test']) await member.post(`/licenses/${id}/activate`, { domain })
    const domains = async () => claimsOf((await fileOf(id)).data.content).domains
    expect(await domains()).toContain('next.acme.example')
    await acme.staff.patch(`/environments/${next.data.id}`, { environment_type: 'production' })
    expect(await domains()).not.toContain('next.acme.example')
    expect(await domains()).toContain('shop.test')
  })
  it('409 unless it is active and not expired; 404 for another organization’s; 403 without the scope', async () => {
    const { id } = await license(acme)
    const other = await app.world.organization()
    expect((await other.owner.get(`/licenses/${id}/file`)).status).toBe(404)
    expect((await (await acme.member({ scopes: ['entitlements'] })).get(`/licenses/${id}/file`)).status).toBe(403)
    await acme.staff.post(`/licenses/${id}/suspend`)
    expect((await fileOf(id)).status).toBe(409)
    const ending = await license(acme, { expires_at: new Date(app.clock.now.getTime() + 1000).toISOString() })
    app.clock.advance(1)
    expect((await fileOf(ending.id)).status).toBe(409)
  })
})

describe('/.well-known/license-keys.json', () => {
  it('200 with public keys only, the same after a restart; of several keys the first signs', async () => {
    const [key, ...others] = (await publicKeys(app)).json().keys
    expect(others).toEqual([])
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    const again = await startApp({ environment: { DATA_DIR: app.dataDir } })
    const two = await startApp({ environment: { LICENSE_SIGNING_KEY: [pem('ed25519'), pem('ed25519')].join('\n') } })
    try {
      expect((await publicKeys(again)).json().keys).toEqual([key])
      const { keys } = (await publicKeys(two)).json()
      expect(keys.length).toBe(2)
      expect(keys[0].kid).toBe(two.service.ports.licenseKeys.keyId)
    } finally {
      await again.close()
      await two.close()
    }
  })
  it('the start fails with a key of another kind or an invalid one, and does not print it', async () => {
    for (const wrong of ['hush', pem('x25519')]) {
      const failure = await startApp({ environment: { LICENSE_SIGNING_KEY: wrong } }).then(
        () => '',
        (error: Error) => error.message,
      )
      expect(failure).toMatch(/signing key/i)
      expect(failure).not.toContain(wrong.slice(30, 60) || wrong)
    }
  })
})

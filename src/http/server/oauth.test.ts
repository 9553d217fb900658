// OAuth 2.0 for API keys: the grant of client credentials (RFC 6749, 4.4) and the metadata (RFC 8414).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { apiKeyPair } from '#test/scenes/records.ts'
import { basic, vendorKey } from '#test/scenes/vendor-keys.ts'

let app: TestApp
let acme: Organization

beforeAll(async () => {
  app = await startApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  acme = await app.world.organization()
})
afterAll(() => app.close())

type Form = Record<string, string> | string
const token = (form: Form, headers: Record<string, string> = {}) =>
  app.service.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })
const grant = { grant_type: 'client_credentials' }
const encoded = (text: string) => text.replaceAll('_', '%5F').replaceAll('-', '%2D')
const pair = () => apiKeyPair(app, acme, { permission: 'read', scopes: ['quotes', 'orders'] })

async function bearer(key: { consumerKey: string; secret: string }, scope?: string): Promise<Speaker> {
  const answer = await token(
    { ...grant, ...(scope && { scope }) },
    { authorization: basic(key.consumerKey, key.secret) },
  )
  expect(answer.statusCode).toBe(200)
  return app.world.speaker({ authorization: `Bearer ${answer.json().access_token}` }, app.world.anonymous)
}

describe('POST /oauth/token', () => {
  it('200 with a token for a key of an organization, by Basic and by the body', async () => {
    const { consumerKey, secret } = await pair()
    for (const [form, headers] of [
      [grant, { authorization: basic(consumerKey, secret) }],
      [{ ...grant, client_id: consumerKey }, { authorization: basic(consumerKey, secret) }],
      [{ ...grant, client_id: consumerKey, client_secret: secret }, {}],
    ] as const) {
      const answer = await token(form, headers)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'quotes orders',
      })
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
      const headersOf = { authorization: `Bearer ${answer.json().access_token}` }
      expect((await app.world.anonymous.get('/quotes', headersOf)).status).toBe(200)
      expect((await app.world.anonymous.post('/quotes/1/accept', {}, headersOf)).status).toBe(403)
      expect((await app.world.anonymous.get('/auth/me', headersOf)).status).toBe(401)
    }
    expect(app.log.join('')).not.toContain(secret)
    expect(app.log.join('')).not.toContain(consumerKey)
  })
  it('200 with a token for a key of the vendor, which ends a quarter of an hour later', async () => {
    const key = await vendorKey(app, { permissions: ['orders:read', 'finances:read'] })
    const who = await bearer(key)
    expect((await who.get('/admin/orders')).status).toBe(200)
    expect((await app.world.inside(who, acme.id).get('/invoices')).status).toBe(200)
    expect((await app.world.inside(who, acme.id).get('/tickets')).status).toBe(403)
    app.clock.advance(899)
    expect((await who.get('/admin/orders')).status).toBe(200)
    app.clock.advance(1)
    expect((await who.get('/admin/orders')).status).toBe(401)
  })
  it('200 with fewer scopes, which later ones of the key do not widen', async () => {
    const key = await vendorKey(app, { permissions: ['orders:read', 'finances:read'] })
    const narrow = await bearer(key, 'orders:read')
    expect((await narrow.get('/admin/orders')).status).toBe(200)
    expect((await narrow.get('/admin/invoices')).message).toContain('Scope not authorized: finances:read')
    await app.database.query(`update vendor_keys set permissions = '{finances:read,tickets:read}' where id = $1`, [
      key.id,
    ])
    for (const path of ['/admin/orders', '/admin/invoices', '/admin/tickets'])
      expect((await narrow.get(path)).status, path).toBe(403)
    const ofOrganization = await bearer(await pair(), 'quotes')
    expect((await ofOrganization.get('/quotes')).status).toBe(200)
    expect((await ofOrganization.get('/orders')).message).toBe('Scope not authorized: orders')
  })
  it('200 for a client that encodes both halves, as the standard has it', async () => {
    const { consumerKey, secret } = await pair()
    const answer = await token(grant, { authorization: basic(encoded(consumerKey), encoded(secret)) })
    expect(answer.statusCode).toBe(200)
    const broken = await token(grant, { authorization: basic(`${consumerKey}%E0%A4`, secret) })
    expect([broken.statusCode, broken.json().error]).toEqual([401, 'invalid_client'])
  })
  it('says that a token ends no later than the key, and than the former secret', async () => {
    const expiresAt = new Date(app.clock.now.getTime() + 60_500)
    const key = await vendorKey(app, { permissions: ['orders:read'], expiresAt })
    const lifetime = async (secret: string) =>
      (await token(grant, { authorization: basic(key.consumerKey, secret) })).json().expires_in
    expect(await lifetime(key.secret)).toBe(60)
    const boss = await app.world.user({ roles: ['customer', 'administrator'] })
    await boss.patch(`/admin/api-keys/${key.id}`, { expires_at: null })
    const { data } = await boss.post(`/admin/api-keys/${key.id}/rotate`, { overlap_minutes: 5 })
    expect([await lifetime(key.secret), await lifetime(data.consumer_secret)]).toEqual([300, 900])
  })
  it('401 invalid_client for wrong, ended or malformed credentials, with WWW-Authenticate', async () => {
    const key = await vendorKey(app, { permissions: ['orders:read'] })
    const other = await vendorKey(app, { permissions: ['orders:read'] })
    const ended = await vendorKey(app, { permissions: ['orders:read'], expiresAt: new Date(app.clock.now) })
    for (const authorization of [
      basic(key.consumerKey, other.secret),
      basic(key.consumerKey, `${key.secret}x`),
      basic(key.consumerKey, ''),
      basic("' or 1=1 --", '\u0000'),
      basic(ended.consumerKey, ended.secret),
      'Basic !!',
      'Basic',
      `Bearer ${acme.owner.token}`,
    ]) {
      const answer = await token(grant, { authorization })
      expect([answer.statusCode, answer.json().error], authorization).toEqual([401, 'invalid_client'])
      expect(answer.headers['www-authenticate']).toContain('Basic')
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    expect((await token(grant)).json().error).toBe('invalid_client')
    expect((await token({ ...grant, client_id: key.consumerKey })).statusCode).toBe(401)
  })
  it('400 for other grants, scopes that the key lacks, and malformed requests', async () => {
    const key = await vendorKey(app, { permissions: ['orders:read'] })
    const headers = { authorization: basic(key.consumerKey, key.secret) }
    const errorOf = async (form: Form, more = {}) => {
      const answer = await token(form, { ...headers, ...more })
      expect(Object.keys(answer.json())).toEqual(['error', 'error_description'])
      return [answer.statusCode, answer.json().error]
    }
    for (const grant_type of ['password', 'refresh_token', 'authorization_code', 'x'])
      expect(await errorOf({ grant_type })).toEqual([400, 'unsupported_grant_type'])
    for (const scope of ['orders:write', 'orders:read tickets:read', 'orders', '*', '\u{1F511}'])
      expect(await errorOf({ ...grant, scope }), scope).toEqual([400, 'invalid_scope'])
    expect(await errorOf('')).toEqual([400, 'invalid_request'])
    expect(await errorOf('grant_type=client_credentials&grant_type=x')).toEqual([400, 'invalid_request'])
    expect(await errorOf({ ...grant, client_secret: key.secret })).toEqual([400, 'invalid_request'])
    expect(await errorOf({ ...grant, client_id: 'vk_other' })).toEqual([400, 'invalid_request'])
    expect(await errorOf(JSON.stringify(grant), { 'content-type': 'application/json' })).toEqual([
      400,
      'invalid_request',
    ])
    expect(await errorOf(`a=${'x'.repeat(9000)}`)).toEqual([413, 'invalid_request'])
    const inAddress = await app.service.app.inject({ method: 'POST', url: '/oauth/token?client_secret=x', headers })
    expect([inAddress.statusCode, inAddress.json().error]).toEqual([400, 'invalid_request'])
    const wrongMethod = await app.service.app.inject({ method: 'GET', url: '/oauth/token' })
    expect([wrongMethod.statusCode, wrongMethod.headers['allow']]).toEqual([405, 'POST'])
  })
  it('ends tokens with the key, its networks and the secret that they were made with', async () => {
    const key = await vendorKey(app, { permissions: ['orders:read'] })
    const who = await bearer(key)
    const asked = async () => (await who.get('/admin/orders')).status
    const change = (set: string) => app.database.query(`update vendor_keys set ${set} where id = $1`, [key.id])
    expect(await asked()).toBe(200)
    await change(`allowed_ips = '{10.0.0.0/8}'`)
    expect(await asked()).toBe(403)
    expect((await token(grant, { authorization: basic(key.consumerKey, key.secret) })).json().error).toBe(
      'invalid_client',
    )
    await change('allowed_ips = null')
    const boss = await app.world.user({ roles: ['customer', 'administrator'] })
    await boss.post(`/admin/api-keys/${key.id}/rotate`, { overlap_minutes: 5 })
    expect(await asked()).toBe(200)
    const ofFormer = await bearer(key)
    app.clock.advance(299)
    expect([await asked(), (await ofFormer.get('/admin/orders')).status]).toEqual([200, 200])
    app.clock.advance(1)
    expect([await asked(), (await ofFormer.get('/admin/orders')).status]).toEqual([401, 401])
    const { data } = await boss.post(`/admin/api-keys/${key.id}/rotate`, { overlap_minutes: 0 })
    const last = await bearer({ consumerKey: key.consumerKey, secret: data.consumer_secret })
    expect((await last.get('/admin/orders')).status).toBe(200)
    await boss.delete(`/admin/api-keys/${key.id}`)
    expect((await last.get('/admin/orders')).status).toBe(401)
  })
  it('ends tokens of an organization’s key with the membership of its creator', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    const { data } = await admin.post('/auth/api-keys', { name: 'ERP' })
    const who = await bearer({ consumerKey: data.consumer_key, secret: data.consumer_secret })
    expect((await who.get('/auth/api-keys')).status).toBe(200)
    await app.database.query('delete from collaborators where user_id = $1', [admin.userId])
    expect((await who.get('/auth/api-keys')).status).toBe(401)
  })
  it('429 in the form of the standard, by address', async () => {
    const strict = await startApp({ environment: { LIMIT_CREDENTIALS: '2/60' } })
    const ask = () => strict.service.app.inject({ method: 'POST', url: '/oauth/token' })
    const answers = [await ask(), await ask(), await ask()]
    await strict.close()
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 429])
    expect(answers[2]?.json().error).toBe('temporarily_unavailable')
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('GET /.well-known/oauth-authorization-server', () => {
  it('200 with where and how tokens are made', async () => {
    const answer = await app.service.app.inject('/.well-known/oauth-authorization-server')
    const found = answer.json()
    expect(found.token_endpoint).toBe(`${found.issuer}/oauth/token`)
    expect(found).toMatchObject({
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      response_types_supported: [],
    })
    expect(found.scopes_supported).toEqual(expect.arrayContaining(['orders', 'orders:read', 'jobs:write']))
  })
})

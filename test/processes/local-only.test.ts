// What is open for development is reachable from this machine, but refused through a proxy that no setting mentions.
import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'
import { VENDOR_IDENTITY } from '#test/scenes/vendor-identity.ts'
import { startApp, type TestApp, type TestAppOptions } from '#test/harness/app.ts'

/** The headers that proxies add, or the host that they set. */
const THROUGH_A_PROXY: Record<string, string>[] = [
  { 'x-forwarded-for': '203.0.113.7' },
  { 'x-forwarded-host': 'portal.example.com' },
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for=203.0.113.7' },
  { via: '1.1 proxy.example.com' },
  { 'x-real-ip': '203.0.113.7' },
  { host: 'portal.example.com' },
  { host: 'localhost.example.com' },
  { host: '127.0.0.1.example.com:3000' },
  { host: '10.0.0.7:3000' },
]
const DIRECT: Record<string, string>[] = [
  {},
  { host: 'localhost:3000' },
  { host: '127.0.0.1:3000' },
  { host: '[::1]:3000' },
  { host: 'titular.localhost:3000' },
]
const SYSTEMS = [
  '/sandbox/pay/br/in_1',
  '/sandbox/tax/nfse/1',
  '/sandbox/tracker/titular/support/issues/1',
  '/sandbox/shop/entity_br/wp-json/wc/v3/orders',
  '/sandbox/crm/entity_br/crm/objects/2026-09/companies/1',
]
const OPEN_FOR_DEVELOPMENT = ['/mail', '/mail/nothing.eml', '/metrics', ...SYSTEMS]

const PRODUCTION = {
  SANDBOX: '0',
  SMTP_URL: 'smtp://127.0.0.1:9',
  PUBLIC_URL: 'https://portal.example.com',
  LICENSE_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ENTITY_BR_PAYMENTS: 'offline',
  ENTITY_GLOBAL_PAYMENTS: 'offline',
  ...VENDOR_IDENTITY,
}

const apps: TestApp[] = []
const appWith = async (environment: Record<string, string>, more: TestAppOptions = {}): Promise<TestApp> => {
  const made = await startApp({ environment, ...more })
  apps.push(made)
  return made
}
let local: TestApp
let customer: string
beforeAll(async () => {
  local = await appWith({}, { listens: true })
  customer = await registered(local)
})
afterAll(() => Promise.all(apps.map((one) => one.close())))

const get = (app: TestApp, url: string, headers: Record<string, string> = {}) =>
  app.service.app.inject({ url, headers })

const signIn = (app: TestApp, path: string, email: string, headers: Record<string, string> = {}) =>
  app.service.app.inject({
    method: 'POST',
    url: `/api/v1/auth/${path}`,
    headers,
    payload: { email, password: DEMO_SIGN_INS.password },
  })

const registered = async (app: TestApp): Promise<string> => {
  const email = `demo-${apps.indexOf(app)}@padaria.example`
  const body = { email, name: 'Ana', password: DEMO_SIGN_INS.password }
  expect((await app.world.anonymous.post('/auth/register', body)).status).toBe(201)
  return email
}

describe('mail, metrics and the sandbox’s systems', () => {
  it.each(OPEN_FOR_DEVELOPMENT)('403 at %s for what came through a proxy, and says what to do', async (path) => {
    for (const headers of THROUGH_A_PROXY) {
      const answer = await get(local, path, headers)
      expect([headers, answer.statusCode]).toEqual([headers, 403])
      expect(answer.json()).toMatchObject({ message: expect.stringContaining('TRUSTED_PROXIES') })
    }
    for (const headers of DIRECT) expect((await get(local, path, headers)).statusCode, headers['host']).not.toBe(403)
  })
  it('403 through a proxy that uses HTTP/1.0', async () => {
    const { hostname, port } = new URL(local.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /mail HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.[01] 403 /)
  })
  it('200 over a real connection from this machine', async () => {
    expect((await fetch(`${local.url}/mail`)).status).toBe(200)
    expect((await fetch(`${local.url}/metrics`)).status).toBe(200)
  })
  it('200 for everybody when the settings open the service to others, with SANDBOX=1', async () => {
    const known = await appWith({ PUBLIC_URL: 'https://portal.example.com', TRUSTED_PROXIES: '127.0.0.1' })
    for (const headers of THROUGH_A_PROXY) {
      expect((await get(known, '/mail', headers)).statusCode).toBe(200)
      expect((await get(known, '/metrics', headers)).statusCode).toBe(200)
    }
  })
  it('404 outside the sandbox', async () => {
    const production = await appWith(PRODUCTION)
    for (const path of ['/mail', ...SYSTEMS]) expect((await get(production, path)).statusCode, path).toBe(404)
  })
  it('200 for /metrics with its token, whatever the host', async () => {
    const guarded = await appWith({ METRICS_TOKEN: 'a token of the tests' })
    const headers = { authorization: 'Bearer a token of the tests', host: 'metrics.example.com' }
    expect((await get(guarded, '/metrics', headers)).statusCode).toBe(200)
    expect((await get(guarded, '/metrics')).statusCode).toBe(404)
  })
})

describe.each(['login', 'session'])('POST /auth/%s with the demo’s password', (path) => {
  it('200 directly, and 401 with the reason through a proxy', async () => {
    expect((await signIn(local, path, customer)).statusCode).toBe(200)
    for (const headers of THROUGH_A_PROXY) {
      const answer = await signIn(local, path, customer, headers)
      expect([headers, answer.statusCode]).toEqual([headers, 401])
      expect(answer.json()).toMatchObject({ message: expect.stringContaining('demo’s password') })
    }
  })
  it('401 through a proxy for every spelling of the body that signs in', async () => {
    const body = JSON.stringify({ email: customer, password: DEMO_SIGN_INS.password })
    for (const payload of [`\ufeff${body}`, ` ${body}\n`, body.replace('"demo', String.raw`"\u0064emo`)]) {
      const send = (more: Record<string, string>) =>
        local.service.app.inject({
          method: 'POST',
          url: `/api/v1/auth/${path}`,
          headers: { 'content-type': 'application/json', ...more },
          payload,
        })
      expect([payload, (await send({})).statusCode]).toEqual([payload, 200])
      expect([payload, (await send({ via: '1.1 proxy.example.com' })).statusCode]).toEqual([payload, 401])
    }
  })
  it('401 without that reason for any other password', async () => {
    const { owner } = await local.world.organization()
    const body = { email: owner.email, password: 'not the demo’s' }
    const answer = await local.world.anonymous.post(`/auth/${path}`, body)
    expect(answer.status).toBe(401)
    expect(answer.raw.body).not.toContain('demo’s password')
  })
})

describe('the demo’s accounts when the service is open to others', () => {
  it('200 for its customers, 401 for its staff', async () => {
    const known = await appWith({ PUBLIC_URL: 'https://portal.example.com', TRUSTED_PROXIES: '127.0.0.1' })
    expect((await signIn(known, 'login', await registered(known))).statusCode).toBe(200)
    for (const email of DEMO_SIGN_INS.staff.flatMap((one) => [one, one.toUpperCase()])) {
      const answer = await signIn(known, 'login', email)
      expect(answer.json()).toMatchObject({ message: expect.stringContaining('demo’s password') })
    }
  })
  it('401 outside the sandbox, although the database still has them', async () => {
    const real = await appWith(PRODUCTION)
    const answer = await signIn(real, 'login', await registered(real))
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ message: expect.stringContaining('demo’s password') })
  })
})

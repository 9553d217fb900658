import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

let app: TestApp
let nobody: Speaker
let count = 0

beforeAll(async () => {
  app = await startApp()
  nobody = app.world.anonymous
})
afterAll(() => app.close())

const password = 'vento-Lilás 7'

async function signedIn() {
  const email = `browser${++count}@example.com`
  await nobody.post('/auth/register', { email, password, name: 'Ana' })
  const answer = await nobody.post('/auth/session', { email, password })
  expect(answer.status).toBe(200)
  const cookie = cookieOf(answer)
  return { email, answer, cookie, withNonce: { cookie, 'x-service-nonce': answer.data.nonce as string } }
}
const cookieOf = (answer: Answer): string => String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
const tamper = (cookie: string): string => cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A')

describe('POST /auth/session', () => {
  it('200 with the nonce, its end, the user and the cookie', async () => {
    const { email, answer } = await signedIn()
    expect(answer.data.user).toMatchObject({ email, organizations: [] })
    const end = Date.parse(answer.data.expires_at) - app.clock.now.getTime()
    expect(end).toBeGreaterThan(12 * 3_600_000)
    expect(end).toBeLessThanOrEqual(24 * 3_600_000)
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(
      /^service_session=\d+\.\d+\.[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })
  it('200 with __Host- and Secure under TLS', async () => {
    const secure = await startApp({ environment: { PUBLIC_URL: 'https://portal.example.com' } })
    await secure.world.anonymous.post('/auth/register', { email: 'ana@example.com', password, name: 'Ana' })
    const answer = await secure.world.anonymous.post('/auth/session', { email: 'ana@example.com', password })
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(
      /^__Host-service_session=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await secure.world.anonymous.get('/auth/session', { cookie: cookieOf(answer) })).status).toBe(200)
    await secure.close()
  })
  it('401 for a wrong password, without a cookie', async () => {
    const { email } = await signedIn()
    const answer = await nobody.post('/auth/session', { email, password: 'another one' })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined])
  })
  it('422 without a password', async () => {
    expect((await nobody.post('/auth/session', { email: 'ana@example.com' })).status).toBe(422)
  })
})

describe('GET /auth/session', () => {
  it('200 with a new nonce for the cookie alone, also when the old nonce has expired', async () => {
    const { cookie, withNonce, answer } = await signedIn()
    const kept = app.clock.now
    app.clock.advance(25 * 3600)
    expect((await nobody.get('/auth/me', withNonce)).status).toBe(401)
    for (const headers of [{ cookie }, withNonce]) {
      const fresh = await nobody.get('/auth/session', headers)
      expect([fresh.status, fresh.data.user.id]).toEqual([200, answer.data.user.id])
      expect(fresh.data.nonce).not.toBe(answer.data.nonce)
      expect((await nobody.get('/auth/me', { cookie, 'x-service-nonce': fresh.data.nonce })).status).toBe(200)
    }
    app.clock.now = kept
  })
  it('401 without the cookie, with a cookie of another or an ended session, and for a bearer token', async () => {
    const { cookie, withNonce } = await signedIn()
    const other = await signedIn()
    const bearer = await app.world.user()
    const ids = cookie.split('.')
    const mixed = [ids[0], ids[1], other.cookie.split('.')[2]].join('.')
    for (const headers of [
      {},
      { cookie: tamper(cookie) },
      { cookie: mixed },
      { cookie: 'service_session=x' },
      bearer.headers,
    ])
      expect((await nobody.get('/auth/session', headers)).status).toBe(401)
    await nobody.post('/auth/logout', undefined, withNonce)
    expect((await nobody.get('/auth/session', { cookie })).status).toBe(401)
  })
  it('401 after seven days', async () => {
    const { cookie } = await signedIn()
    const kept = app.clock.now
    app.clock.advance(7 * 86_400)
    expect((await nobody.get('/auth/session', { cookie })).status).toBe(401)
    app.clock.now = kept
  })
})

describe('the cookie', () => {
  it('200 with its nonce, 401 without it, with another session’s nonce, or with the nonce in another place', async () => {
    const { cookie, withNonce } = await signedIn()
    const other = await signedIn()
    expect((await nobody.get('/auth/me', withNonce)).status).toBe(200)
    expect((await nobody.get('/auth/me', { cookie })).status).toBe(401)
    expect(
      (await nobody.get('/auth/me', { ...withNonce, 'x-service-nonce': other.withNonce['x-service-nonce'] })).status,
    ).toBe(401)
    expect((await nobody.get(`/auth/me?nonce=${withNonce['x-service-nonce']}`, { cookie })).status).toBe(401)
    expect((await nobody.get('/auth/me', { ...withNonce, cookie: tamper(cookie) })).status).toBe(401)
    expect((await nobody.put('/auth/me', { name: 'Eve' }, { cookie })).status).toBe(401)
  })
  it('401 when it comes with an invalid Authorization header', async () => {
    const { withNonce } = await signedIn()
    for (const authorization of ['Bearer x', 'Bearer', 'Basic x', 'Digest x', ''])
      expect((await nobody.get('/auth/me', { ...withNonce, authorization })).status).toBe(401)
    expect((await nobody.get('/auth/session', { ...withNonce, authorization: 'Bearer x' })).status).toBe(401)
  })
  it('is cleared by logout', async () => {
    const { withNonce } = await signedIn()
    const answer = await nobody.post('/auth/logout', undefined, withNonce)
    expect(answer.status).toBe(200)
    expect([answer.headers['set-cookie']].flat()[0]).toMatch(/^service_session=; Max-Age=0; Path=\//)
    expect((await nobody.get('/auth/me', withNonce)).status).toBe(401)
  })
})

// Wrong passwords from many IP addresses, and the devices of the account's owner.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { createAuthenticator } from '#test/scenes/authenticator.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Answer, Headers, Speaker } from '#test/harness/world.ts'

let app: TestApp
let nobody: Speaker
let count = 0

beforeAll(async () => {
  app = await startApp({ environment: { LIMIT_CREDENTIALS: '10/60', TRUSTED_PROXIES: '127.0.0.1' } })
  nobody = app.world.anonymous
})
afterAll(() => app.close())

const password = 'vento-Lilás 7'
let addresses = 0
/** An IP address that has not been used before. */
const elsewhere = (): Headers => {
  addresses++
  return { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` }
}
const cookieOf = ({ raw }: Answer): Headers => ({
  cookie: raw.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
})
const nameOf = ({ cookie = '' }: Headers) => /service_device=([\w-]{22})\./.exec(cookie)?.[1]
const login = (email: string, from: Headers, typed = password) =>
  nobody.post('/auth/login', { email, password: typed }, from)

/** An account with a browser that keeps cookies, and a program without cookies at another address. */
async function owner() {
  const email = `owner${++count}@example.com`
  const browser = elsewhere()
  const registered = await nobody.post('/auth/register', { email, password, name: 'Ana' }, browser)
  const program = elsewhere()
  expect((await login(email, program)).status).toBe(200)
  return { email, cookie: cookieOf(registered), program, token: registered.data.access_token as string }
}

/** Guesses from many addresses at once, enough to use up the account's limit. */
async function attack(email: string, tries = 12): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: tries }, () => login(email, elsewhere(), 'wrong')))
  return answers.map(({ status }) => status)
}

describe('guesses at an account from elsewhere', () => {
  it('429 after ten of 200 at once, while the owner’s browser and program still sign in', async () => {
    const { email, cookie, program } = await owner()
    const statuses = await attack(email, 200)
    // The first of the ten attempts was the program's own first sign-in.
    expect(statuses.filter((status) => status === 401)).toHaveLength(9)
    expect(statuses.filter((status) => status === 429)).toHaveLength(191)
    expect((await login(email, elsewhere())).status).toBe(429)
    // The browser has moved to another address; the program keeps no cookies.
    expect((await login(email, { ...elsewhere(), ...cookie })).status).toBe(200)
    expect((await login(email, program)).status).toBe(200)
  })
  it('429 after ten codes of devices by one person, from wherever', async () => {
    const eve = await app.world.user()
    const guess = (at: number) =>
      eve.post('/auth/device/check', { user_code: `BBBB-BB${'BCDFGHJKLM'[at % 10]}B` }, elsewhere())
    const statuses: number[] = []
    for (let at = 0; at < 12; at++) statuses.push((await guess(at)).status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(10)
    expect(statuses.slice(10)).toEqual([429, 429])
  })
  it('lock the owner out of no other way to sign in', async () => {
    const { email, cookie } = await owner()
    await attack(email)
    const from = () => ({ ...elsewhere(), ...cookie })
    expect((await nobody.post('/auth/session', { email, password }, from())).status).toBe(200)
    expect((await nobody.post('/auth/forgot-password', { email }, from())).status).toBe(202)
    expect((await nobody.post('/auth/forgot-password', { email }, elsewhere())).status).toBe(429)
  })
  it('keep nobody from signing in with a passkey, on a new device too', async () => {
    const { email, token } = await owner()
    const authenticator = createAuthenticator(new URL(app.url).origin)
    const headers = { authorization: `Bearer ${token}` }
    const begun = await nobody.post('/auth/passkeys/options', { current_password: password }, headers)
    const { passkey, credential } = authenticator.create(begun.data)
    expect((await nobody.post('/auth/passkeys', { name: 'Phone', credential }, headers)).status).toBe(201)
    await attack(email)
    const from = elsewhere()
    expect((await login(email, from)).status).toBe(429)
    const { data } = await nobody.post('/auth/login/passkey/options', undefined, from)
    const answer = await nobody.post('/auth/login/passkey', { credential: authenticator.get(passkey, data) }, from)
    expect(answer.status).toBe(200)
  })
  it('429 for a known device that guesses itself, without locking out the others', async () => {
    const { email, cookie, program } = await owner()
    const statuses = []
    for (let tries = 0; tries < 12; tries++)
      statuses.push((await login(email, { ...elsewhere(), ...cookie }, 'wrong')).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    expect((await login(email, program)).status).toBe(200)
    expect((await login(email, elsewhere())).status).toBe(200)
  })
  it('429 with a cookie of another account, a changed or an invented one', async () => {
    const { email, cookie: own } = await owner()
    const other = await owner()
    await attack(email)
    const value = own['cookie'] ?? ''
    for (const cookie of [
      other.cookie['cookie'] ?? '',
      value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      value.replace(/\.\d+\./, '.9999999999.'),
      `service_device=${'A'.repeat(22)}.1.${'A'.repeat(43)}`,
      'service_device=',
    ])
      expect([cookie, (await login(email, { ...elsewhere(), cookie })).status]).toEqual([cookie, 429])
    expect((await login(email, { ...elsewhere(), ...own })).status).toBe(200)
  })
  it('429 in the same way for an address without an account', async () => {
    const { cookie } = await owner()
    const email = `nobody${++count}@example.com`
    await attack(email)
    expect((await login(email, { ...elsewhere(), ...cookie })).status).toBe(429)
  })
})

describe('a known device', () => {
  it('is forgotten when the password changes; the device that set the new password is known', async () => {
    const { email, cookie, program, token } = await owner()
    const [thief, here] = [elsewhere(), elsewhere()]
    const stolen = cookieOf(await login(email, thief))
    const body = { password: 'brisa-Azul 8', current_password: password }
    const changed = await nobody.put('/auth/me', body, { authorization: `Bearer ${token}`, ...here, ...cookie })
    expect(changed.status).toBe(200)
    await attack(email)
    const again = (from: Headers) => login(email, from, 'brisa-Azul 8')
    for (const from of [thief, program, { ...elsewhere(), ...stolen }, { ...elsewhere(), ...cookie }])
      expect((await again(from)).status).toBe(429)
    expect((await again(here)).status).toBe(200)
    expect((await again({ ...elsewhere(), ...cookieOf(changed) })).status).toBe(200)
  })
  it('includes the device that reset the password', async () => {
    const { email } = await owner()
    await app.service.worker.drain()
    app.clock.advance(1)
    await nobody.post('/auth/forgot-password', { email }, elsewhere())
    const link = await mailboxOf(app).link(email, '/reset-password')
    const reset = await nobody.post('/auth/reset-password', { ...link, password: 'brisa-Azul 8' }, elsewhere())
    await attack(email)
    expect((await login(email, { ...elsewhere(), ...cookieOf(reset) }, 'brisa-Azul 8')).status).toBe(200)
  })
  it('keeps its identifier when it signs in again, and gets another one for another account', async () => {
    const { email, cookie } = await owner()
    const other = await owner()
    const again = cookieOf(await login(email, { ...elsewhere(), ...cookie }))
    expect(nameOf(again)).toBe(nameOf(cookie))
    const switched = cookieOf(await login(other.email, { ...elsewhere(), ...cookie }))
    expect(nameOf(switched)).not.toBe(nameOf(cookie))
  })
  it('is known by its address for 30 days, which a refresh prolongs, and by its cookie for 180', async () => {
    const { email, cookie, program } = await owner()
    const fresh = elsewhere()
    let { refresh_token: refresh } = (await login(email, fresh)).data as { refresh_token: string }
    const start = app.clock.now
    for (let week = 0; week < 5; week++) {
      app.clock.advance(6 * 86_400)
      const renewed = await nobody.post('/auth/refresh', { refresh_token: refresh }, fresh)
      refresh = renewed.data.refresh_token
    }
    await attack(email)
    expect((await login(email, program)).status).toBe(429)
    expect((await login(email, fresh)).status).toBe(200)
    app.clock.now = new Date(start.getTime() + 179 * 86_400_000)
    expect((await login(email, { ...elsewhere(), ...cookie }, 'wrong')).status).toBe(401)
    app.clock.now = new Date(start.getTime() + 180 * 86_400_000)
    expect((await login(email, { ...elsewhere(), ...cookie })).status).toBe(429)
    app.clock.now = start
  })
  it('has a cookie that scripts cannot read and that grants no access', async () => {
    const { email, cookie } = await owner()
    const [set] = [(await login(email, elsewhere())).headers['set-cookie']].flat()
    expect(set).toMatch(/^service_device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect((await nobody.get('/auth/me', cookie)).status).toBe(401)
    const secure = await startApp({ environment: { PUBLIC_URL: 'https://titular.example' } })
    try {
      const person = { email, password, name: 'Ana' }
      const answer = await secure.world.anonymous.post('/auth/register', person)
      expect([answer.headers['set-cookie']].flat()[0]).toMatch(/^__Host-service_device=.*; Secure;/)
    } finally {
      await secure.close()
    }
  })
  it('has no IP address stored in clear text', async () => {
    const { program } = await owner()
    const rows = await app.database.query(`select 1 from known_addresses k where k::text like $1`, [
      `%${program['x-forwarded-for']}%`,
    ])
    expect(rows).toEqual([])
  })
})

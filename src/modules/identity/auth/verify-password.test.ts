// Whether the password of a registration survives the proof of its address, and what the answer and the mail say about
// it.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Mailbox, mailboxOf } from '#test/harness/mailed-links.ts'
import type { Headers } from '#test/harness/world.ts'

let count = 0

const app = await appOfFile()
const nobody = app.world.anonymous
const mailbox: Mailbox = mailboxOf(app)

const password = 'vento-Lilás 7'
const login = (email: string, typed = password) => nobody.post('/auth/login', { email, password: typed })

async function registered(language = 'en') {
  const email = `keeps+${++count}@example.com`
  const body = { email, password, name: 'Ana' }
  const { data } = await nobody.post('/auth/register', body, { 'accept-language': language })
  const link = await mailbox.link(email, '/verify-account')
  const verify = (more: object = {}, headers: Headers = {}) =>
    nobody.post('/auth/verify-account', { ...link, ...more }, headers)
  return { email, verify, token: data.access_token as string }
}
const KEPT = { password_required: false, reset_key: null }
const GONE = { password_required: true, reset_key: expect.stringMatching(/^[\w-]{43}$/) }

describe('POST /auth/verify-account', () => {
  it('200 keeps the password that the body repeats, and answers that none is required', async () => {
    const { email, verify } = await registered()
    const answer = await verify({ password })
    expect([answer.status, answer.message]).toEqual([200, 'Address confirmed'])
    expect(answer.data).toMatchObject(KEPT)
    expect((await login(email)).status).toBe(200)
  })
  it('200 keeps it for a bearer token, and for a browser’s cookie with its nonce', async () => {
    const [first, second] = [await registered(), await registered()]
    expect((await first.verify({}, { authorization: `Bearer ${first.token}` })).data).toMatchObject(KEPT)
    const session = await nobody.post('/auth/session', { email: second.email, password })
    const cookie = session.raw.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const browser = { cookie, 'x-service-nonce': session.data.nonce }
    expect((await second.verify({}, browser)).data).toMatchObject(KEPT)
    for (const { email } of [first, second]) expect((await login(email)).status).toBe(200)
  })
  it('200 ends it without either, and for a cookie without a nonce, with another nonce, or with a changed secret', async () => {
    const other = await registered()
    const others = await nobody.post('/auth/session', { email: other.email, password })
    for (const spoil of [
      (_cookie: string, _nonce: string) => ({}),
      (cookie: string) => ({ cookie }),
      (cookie: string) => ({ cookie, 'x-service-nonce': others.data.nonce }),
      (cookie: string, nonce: string) => ({
        cookie: cookie.replace(/(?<=service_session=\d+\.\d+\.)./, (one) => (one === 'A' ? 'B' : 'A')),
        'x-service-nonce': nonce,
      }),
    ]) {
      const { email, verify } = await registered()
      const session = await nobody.post('/auth/session', { email, password })
      const cookie = session.raw.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const answer = await verify({}, spoil(cookie, session.data.nonce))
      expect(answer.data).toMatchObject(GONE)
      expect((await login(email)).status).toBe(401)
    }
  })
  it('200 with a key that sets the next password, once', async () => {
    const { email, verify, token } = await registered()
    const answer = await verify()
    expect(answer.data).toMatchObject(GONE)
    expect(answer.message).toBe('Address confirmed; choose a password with reset_key')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect((await nobody.get('/auth/me', { authorization: `Bearer ${token}` })).status).toBe(401)
    const set = { email, key: answer.data.reset_key, password: 'brisa-Azul 8' }
    expect((await nobody.post('/auth/validate-reset-token', { email, key: set.key })).data).toEqual({ valid: true })
    expect((await nobody.post('/auth/reset-password', set)).status).toBe(200)
    expect((await nobody.post('/auth/reset-password', set)).status).toBe(422)
    expect((await login(email, 'brisa-Azul 8')).status).toBe(200)
  })
  it('200 with a key for an account that was registered without a password', async () => {
    const email = `alone+${++count}@example.com`
    await nobody.post('/auth/register-email', { email })
    const answer = await nobody.post('/auth/verify-account', await mailbox.link(email, '/verify-account'))
    expect(answer.data).toMatchObject(GONE)
  })
  it('is explained in the mail, in both languages', async () => {
    const [english, portuguese] = [await registered(), await registered('pt-BR')]
    expect((await mailbox.newest(english.email)).text).toContain('password that you chose when you registered')
    expect((await mailbox.newest(portuguese.email)).text).toContain('senha que você escolheu no cadastro')
  })
})

describe('POST /invites/accept', () => {
  it('200 proves the address and keeps the password, because the caller is signed in to the account', async () => {
    const org = await app.world.organization()
    const { email, token } = await registered()
    app.clock.advance(1)
    await org.owner.post(`/organizations/${org.id}/collaborators`, { email })
    const invite = await mailbox.link(email, '/invites')
    const as = { authorization: `Bearer ${token}` }
    expect((await nobody.post('/invites/accept', invite, as)).status).toBe(200)
    expect((await nobody.get('/auth/me', as)).data.status).toBe('ACTIVE')
    expect((await login(email)).status).toBe(200)
  })
})

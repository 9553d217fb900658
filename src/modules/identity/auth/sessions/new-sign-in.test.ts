// A sign-in from a new device is mailed, with a link that ends all sessions.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer, Headers } from '#test/harness/world.ts'
import { cookiesOf } from '#test/scenes/single-sign-on.ts'
import { deviceName } from './device-name.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const EDGE = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0'
const password = 'vento-Lilás 7'

let count = 0
const app = await appOfFile({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
const nobody = app.world.anonymous

const from = (address: string, agent: string): Headers => ({ 'x-forwarded-for': address, 'user-agent': agent })
const signIn = (email: string, headers: Headers) => nobody.post('/auth/session', { email, password }, headers)
const isIn = async (answer: Answer) =>
  (await nobody.get('/auth/me', { cookie: cookiesOf(answer), 'x-service-nonce': answer.data.nonce })).status === 200
const mailed = async (email: string) =>
  (await mailsTo(app, email)).filter(({ subject }) => subject.startsWith('New sign-in'))
const tokenIn = (text: string) => /\/end-sessions\?token=(\S+)/.exec(text)?.[1] ?? ''

/** An account with a session of its own, that has signed in once, from 10.0.0.1 with Firefox. */
async function account() {
  const email = `owner${++count}@example.com`
  await app.world.user({ email })
  await app.database.query(`update users set password_hash = $2, language = 'en' where email = $1`, [
    email,
    await hash(),
  ])
  const home = await signIn(email, from('10.0.0.1', FIREFOX))
  expect(home.status).toBe(200)
  return { email, home }
}
/** Of a registration with the password; hashing is what the service does. */
const hash = async (): Promise<string> => {
  const email = `hash${++count}@example.com`
  await nobody.post('/auth/register', { email, password, name: 'Hash' })
  const [row] = await app.database.query<{ password_hash: string }>(
    'select password_hash from users where email = $1',
    [email],
  )
  return row?.password_hash ?? ''
}

describe('a sign-in', () => {
  it('is mailed when device and network are new, in words that the program has not chosen', async () => {
    const { email } = await account()
    expect(await mailed(email)).toEqual([])
    await signIn(email, from('10.9.9.9', EDGE))
    const [mail, ...others] = await mailed(email)
    expect(others).toEqual([])
    for (const words of ['Was this you?', 'Edge, Windows', '10.9.9.9']) expect(mail?.text).toContain(words)
  })
  it('is not mailed for the first one, a known browser elsewhere, a new version of it, or a refreshed session', async () => {
    const { email, home } = await account()
    await signIn(email, from('10.0.0.1', FIREFOX.replaceAll('140', '141')))
    await signIn(email, { ...from('10.2.2.2', EDGE), cookie: cookiesOf(home) })
    const tokens = await nobody.post('/auth/login', { email, password }, from('10.0.0.1', FIREFOX))
    const moved = from('10.3.3.3', 'curl/8.5')
    await nobody.post('/auth/refresh', { refresh_token: tokens.data.refresh_token }, moved)
    await nobody.post('/auth/login', { email, password }, moved)
    expect(await mailed(email)).toEqual([])
    await signIn(email, from('10.0.0.1', EDGE))
    expect(await mailed(email)).toHaveLength(1)
  })
  it('is mailed to a person who was away for long, but not to an address that nobody has proven', async () => {
    const { email } = await account()
    await app.database.query(
      `update known_addresses k set expires_at = now() - interval '99 days' from users u
      where u.id = k.user_id and u.email = $1`,
      [email],
    )
    await signIn(email, from('10.0.0.1', FIREFOX))
    expect(await mailed(email)).toHaveLength(1)
    await app.database.query(`update users set status = 'PENDING' where email = $1`, [email])
    await signIn(email, from('10.4.4.4', EDGE))
    expect(await mailed(email)).toHaveLength(1)
  })
  it('is mailed ten times a day at most, and once of many at a time', async () => {
    const { email } = await account()
    await Promise.all(Array.from({ length: 8 }, () => signIn(email, from('10.5.5.5', EDGE))))
    expect(await mailed(email)).toHaveLength(1)
    for (let other = 0; other < 14; other++) await signIn(email, from(`10.6.6.${other}`, EDGE))
    expect((await mailed(email)).length).toBeLessThanOrEqual(10)
  })
})

const end = (token: string) => nobody.post('/auth/end-sessions', { token })
async function toldOf() {
  const { email, home } = await account()
  const stolen = await signIn(email, from('10.7.7.7', EDGE))
  const [mail] = await mailed(email)
  return { email, home, stolen, token: tokenIn(mail?.text ?? '') }
}

describe('POST /auth/end-sessions', () => {
  it('200 and every session has ended, the password stays', async () => {
    const { email, home, stolen, token } = await toldOf()
    expect([await isIn(home), await isIn(stolen)]).toEqual([true, true])
    expect((await end(token)).data).toEqual({ ended: 3 })
    expect([await isIn(home), await isIn(stolen)]).toEqual([false, false])
    expect((await end(token)).data).toEqual({ ended: 0 })
    expect((await signIn(email, from('10.0.0.1', FIREFOX))).status).toBe(200)
  })
  it('200 and a program that was known is new, so that its next sign-in is mailed', async () => {
    const { email, token } = await toldOf()
    const program = from('10.7.7.7', 'curl/8.5')
    await nobody.post('/auth/login', { email, password }, program)
    await nobody.post('/auth/login', { email, password }, program)
    const before = (await mailed(email)).length
    await end(token)
    await nobody.post('/auth/login', { email, password }, program)
    expect(await mailed(email)).toHaveLength(before + 1)
  })
  it('422 for another account, a changed or late token, and an account with another address', async () => {
    const [one, other] = [await toldOf(), await toldOf()]
    const [id, until, mac] = one.token.split('.')
    for (const wrong of [
      `${other.token.split('.')[0]}.${until}.${mac}`,
      `${id}.${Number(until) + 1}.${mac}`,
      `${one.token}x`,
      'x',
    ]) {
      const answer = await end(wrong)
      expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['token']])
    }
    await app.database.query(`update users set email = 'x-' || email where email = $1`, [other.email])
    expect((await end(other.token)).status).toBe(422)
    app.clock.advance(7 * 86_400 + 1)
    expect((await end(one.token)).status).toBe(422)
    await app.service.worker.drain()
  })
})

describe('the name of a device', () => {
  it.each([
    [FIREFOX, 'Firefox, Linux'],
    [EDGE, 'Edge, Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604',
      'Safari, iOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['Call +1 555 now, or lose all', null],
    ['<b>x</b>', null],
    [undefined, null],
  ])('of %j is %j', (agent, name) => {
    expect(deviceName(agent)).toBe(name)
  })
})

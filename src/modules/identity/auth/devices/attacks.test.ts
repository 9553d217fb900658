// What somebody hostile tries with the sign-in by another device, and what ends the session that came of it.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Headers } from '#test/harness/world.ts'
import { createAuthenticator } from '#test/scenes/authenticator.ts'
import { bearer, PASSWORD, secondFactorScene } from '#test/scenes/second-factor.ts'

const authenticator = createAuthenticator('https://titular.example')
const app = await appOfFile({ environment: { PUBLIC_URL: 'https://titular.example' } })
const nobody = app.world.anonymous
const scene = secondFactorScene(app)

const begin = async (headers: Headers = {}) => (await nobody.post('/auth/device', undefined, headers)).data
const approve = async (user_code: string, by: Headers) =>
  (await nobody.post('/auth/device/approve', { user_code }, by)).status
const poll = (device_code: string) => nobody.post('/auth/device/token', { device_code })
const isIn = async (who: Headers) => (await nobody.get('/auth/me', who)).status === 200

/** A device that the session has let in. */
async function deviceOf(by: Headers): Promise<Headers> {
  const { user_code, device_code } = await begin()
  expect(await approve(user_code, by)).toBe(200)
  return bearer((await poll(device_code)).data.access_token)
}

describe('a stolen code', () => {
  it('of the person is none of the device, and the other way round', async () => {
    const [{ headers }, { user_code, device_code }] = [await scene.registered(), await begin()]
    expect(await approve(device_code.slice(0, 32), headers)).toBe(404)
    expect((await poll(user_code)).status).toBe(401)
  })
  it('of the person gives nothing to whoever has not the device’s own', async () => {
    const [{ headers }, mine, other] = [await scene.registered(), await begin(), await begin()]
    expect(await approve(mine.user_code, headers)).toBe(200)
    expect((await poll(other.device_code)).errors?.reason).toBe('authorization_pending')
  })
  it('is not found in the database without the secret key of the service', async () => {
    const { user_code } = await begin()
    const [found] = await app.database.query<{ count: number }>(
      `select count(*) from device_sign_ins where user_code_digest in (sha256($1), sha256($2))`,
      [Buffer.from(user_code), Buffer.from(user_code.replace('-', ''))],
    )
    expect(found).toEqual({ count: 0 })
  })
})

describe('a cookie', () => {
  it('401 without its nonce: no page of somebody else approves in the name of the person', async () => {
    const { email } = await scene.registered()
    const { raw, data } = await nobody.post('/auth/session', { email, password: PASSWORD })
    const cookie = raw.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const { user_code } = await begin()
    expect(await approve(user_code, { cookie })).toBe(401)
    expect(await approve(user_code, { cookie, 'x-service-nonce': data.nonce })).toBe(200)
  })
})

const approvedBy = async (by: Headers) => {
  const begun = await begin()
  expect(await approve(begun.user_code, by)).toBe(200)
  return begun
}

describe('an approval that was not used yet', () => {
  it('comes to nothing when its person ends all other sessions', async () => {
    const { headers } = await scene.registered()
    const { device_code } = await approvedBy(headers)
    expect((await nobody.delete('/auth/sessions', headers)).status).toBe(200)
    expect((await poll(device_code)).errors?.reason).toBe('expired_token')
  })
  it('is taken back by its person, from any of their sessions, and by nobody else', async () => {
    const [{ headers, email }, eve] = [await scene.registered(), await scene.registered()]
    const { user_code, device_code } = await approvedBy(headers)
    const reject = async (by: Headers) => (await nobody.post('/auth/device/reject', { user_code }, by)).status
    expect(await reject(eve.headers)).toBe(404)
    const { data } = await nobody.post('/auth/login', { email, password: PASSWORD })
    expect(await reject(bearer(data.access_token))).toBe(200)
    expect((await poll(device_code)).errors?.reason).toBe('access_denied')
    expect([await reject(headers), await approve(user_code, headers)]).toEqual([404, 404])
  })
  it('comes to nothing when its person sets up an app', async () => {
    const ana = await scene.registered()
    const { device_code } = await approvedBy(ana.headers)
    const waiting = await begin()
    await scene.enroll(ana)
    expect((await poll(device_code)).errors?.reason).toBe('expired_token')
    expect((await poll(waiting.device_code)).errors?.reason).toBe('authorization_pending')
  })
  it('has no code of an app that is gone, whatever its session has proven since', async () => {
    const ana = await scene.enrolled()
    const { device_code } = await approvedBy(ana.headers)
    const disable = { current_password: PASSWORD, code: ana.code() }
    expect((await nobody.post('/auth/mfa/totp/disable', disable, ana.headers)).status).toBe(200)
    const made = await nobody.post('/auth/passkeys/options', { current_password: PASSWORD }, ana.headers)
    const { passkey, credential } = authenticator.create(made.data)
    expect((await nobody.post('/auth/passkeys', { name: 'Phone', credential }, ana.headers)).status).toBe(201)
    const { data: options } = await nobody.post('/auth/login/passkey/options')
    const proof = { credential: authenticator.get(passkey, options) }
    expect((await nobody.post('/auth/step-up', proof, ana.headers)).data.second_factor).toBe('passkey')
    const device = bearer((await poll(device_code)).data.access_token)
    const { data } = await nobody.get('/auth/sessions', device)
    expect(data.find(({ is_current }: { is_current: boolean }) => is_current).second_factor).toBe(null)
  })
  it('gives no proof that came after it', async () => {
    const { headers } = await scene.registered()
    const since = app.clock.now.toISOString()
    app.clock.advance(3600)
    const { device_code } = await approvedBy(headers)
    expect((await nobody.post('/auth/step-up', { current_password: PASSWORD }, headers)).status).toBe(200)
    const device = bearer((await poll(device_code)).data.access_token)
    const { data } = await nobody.get('/auth/sessions', device)
    expect(data.find(({ is_current }: { is_current: boolean }) => is_current).authenticated_at).toBe(since)
  })
})

describe('the session of a device', () => {
  it('ends with a new password, and with the end of all others', async () => {
    const { headers, email } = await scene.registered()
    const first = await deviceOf(headers)
    expect((await nobody.delete('/auth/sessions', headers)).status).toBe(200)
    expect(await isIn(first)).toBe(false)
    const second = await deviceOf(headers)
    const change = { password: 'vento-Lilás 9', current_password: PASSWORD }
    expect((await nobody.put('/auth/me', change, headers)).status).toBe(200)
    expect(await isIn(second)).toBe(false)
    expect((await nobody.post('/auth/login', { email, password: change.password })).status).toBe(200)
  })
  it('ends with the passkey of the session that approved, and so does one that this one has let in', async () => {
    const ana = await scene.registered()
    const made = await nobody.post('/auth/passkeys/options', { current_password: PASSWORD }, ana.headers)
    const { passkey, credential } = authenticator.create(made.data)
    const { id } = (await nobody.post('/auth/passkeys', { name: 'Phone', credential }, ana.headers)).data
    const { data: options } = await nobody.post('/auth/login/passkey/options')
    const answer = await nobody.post('/auth/login/passkey', { credential: authenticator.get(passkey, options) })
    const first = await deviceOf(bearer(answer.data.access_token))
    const second = await deviceOf(first)
    const { data: sessions } = await nobody.get('/auth/sessions', second)
    expect(sessions[0]).toMatchObject({ is_current: true, signed_in_by: 'device', second_factor: 'passkey' })
    const waiting = await begin()
    expect(await approve(waiting.user_code, second)).toBe(200)
    expect((await nobody.delete(`/auth/passkeys/${id}`, ana.headers)).status).toBe(200)
    for (const one of [first, second]) expect(await isIn(one)).toBe(false)
    expect((await poll(waiting.device_code)).errors?.reason).toBe('expired_token')
    expect(await isIn(ana.headers)).toBe(true)
  })
  it('ends when its person becomes staff, and what waits is not opened', async () => {
    const { headers, userId, email } = await scene.registered()
    await app.database.query(`update users set status = 'ACTIVE' where id = $1`, [userId])
    const [device, waiting] = [await deviceOf(headers), await begin()]
    expect(await approve(waiting.user_code, headers)).toBe(200)
    const boss = await app.world.user({ roles: ['customer', 'administrator'] })
    expect((await boss.post('/admin/staff', { email, roles: ['support'], reason: 'New colleague' })).status).toBe(201)
    expect(await isIn(device)).toBe(false)
    expect((await poll(waiting.device_code)).status).toBe(401)
  })
  it('loses its second factor with the app, also while it waits', async () => {
    const ana = await scene.enrolled()
    const waiting = await begin()
    expect(await approve(waiting.user_code, ana.headers)).toBe(200)
    const disable = { current_password: PASSWORD, code: ana.code() }
    expect((await nobody.post('/auth/mfa/totp/disable', disable, ana.headers)).status).toBe(200)
    const device = bearer((await poll(waiting.device_code)).data.access_token)
    const { data } = await nobody.get('/auth/sessions', device)
    expect(data[0]).toMatchObject({ is_current: true, second_factor: null })
  })
})

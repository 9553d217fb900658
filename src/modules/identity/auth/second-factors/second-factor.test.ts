// Setting up an authenticator app, and signing in with it.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Headers } from '#test/harness/world.ts'
import { bearer, codeAt, type Enrolled, PASSWORD, secondFactorScene, wrongCode } from '#test/scenes/second-factor.ts'

const app = await appOfFile()
const nobody = app.world.anonymous
const scene: ReturnType<typeof secondFactorScene> = secondFactorScene(app)

const begin = (headers: Headers, password = PASSWORD) =>
  nobody.post('/auth/mfa/totp', { current_password: password }, headers)
const confirm = (headers: Headers, code: string) => nobody.post('/auth/mfa/totp/confirm', { code }, headers)
const status = async (headers: Headers) => (await nobody.get('/auth/mfa', headers)).data
const challengeOf = async (ana: Enrolled): Promise<string> => (await ana.login()).data.challenge

describe('POST /auth/mfa/totp', () => {
  it('201 with the secret and its URI; nothing changes until a code confirms it', async () => {
    const { email, headers } = await scene.registered()
    const { status: code, data } = await begin(headers)
    expect([code, data.secret.length, new URL(data.uri).searchParams.get('secret')]).toEqual([201, 32, data.secret])
    expect(decodeURIComponent(new URL(data.uri).pathname)).toBe(`/Titular:${email}`)
    expect(await status(headers)).toEqual({
      totp_enabled_at: null,
      recovery_codes_left: 0,
      passkeys: 0,
      required_by: [],
    })
    expect((await nobody.post('/auth/login', { email, password: PASSWORD })).data.token_type).toBe('Bearer')
  })
  it('201 again with another secret, after which the first one does not count', async () => {
    const { headers } = await scene.registered()
    const [first, second] = [(await begin(headers)).data.secret, (await begin(headers)).data.secret]
    expect(second).not.toBe(first)
    expect((await confirm(headers, codeAt(first, app.clock.now))).errors?.fields).toEqual({
      code: 'is wrong, expired or used',
    })
    expect((await confirm(headers, codeAt(second, app.clock.now))).status).toBe(200)
  })
  it('422 for a wrong password, and for an account that has none', async () => {
    const { headers, userId } = await scene.registered()
    expect((await begin(headers, 'another one')).errors?.fields).toEqual({ current_password: 'is wrong' })
    await app.database.query('update users set password_hash = null where id = $1', [userId])
    expect((await begin(headers)).errors?.fields?.['current_password']).toMatch(/^there is none yet/)
  })
  it('409 when there is one', async () => {
    const { headers } = await scene.enrolled()
    expect((await begin(headers)).status).toBe(409)
  })
})

describe('POST /auth/mfa/totp/confirm', () => {
  it('200 with ten recovery codes, which no other answer and no log has', async () => {
    const { headers, recoveryCodes, userId } = await scene.enrolled()
    expect(recoveryCodes).toHaveLength(10)
    expect(await status(headers)).toMatchObject({
      totp_enabled_at: app.clock.now.toISOString(),
      recovery_codes_left: 10,
    })
    const stored = JSON.stringify(
      await app.database.query(
        'select * from recovery_codes r, totp_factors t where r.user_id = $1 and t.user_id = $1',
        [userId],
      ),
    )
    for (const code of recoveryCodes) expect(stored + app.log.join('')).not.toContain(code)
  })
  it('makes the session one with a second factor, and no other', async () => {
    const { email, headers } = await scene.registered()
    await nobody.post('/auth/login', { email, password: PASSWORD })
    const { secret } = (await begin(headers)).data
    await confirm(headers, codeAt(secret, app.clock.now))
    expect((await nobody.get('/auth/sessions', headers)).data).toMatchObject([
      { is_current: false, second_factor: null },
      { is_current: true, second_factor: 'totp' },
    ])
  })
  it('409 when none was begun or it is confirmed already, 422 for what is no code', async () => {
    const { headers } = await scene.registered()
    expect((await confirm(headers, '123456')).status).toBe(409)
    expect((await confirm((await scene.enrolled()).headers, '123456')).status).toBe(409)
    for (const code of ['12345', '1234567', '12345a', '１２３４５６', ''])
      expect((await confirm(headers, code)).errors?.fields).toHaveProperty('code')
  })
  it('of ten at once, as many as may be tried, one gets the recovery codes', async () => {
    const { headers } = await scene.registered()
    const { secret } = (await begin(headers)).data
    const code = codeAt(secret, app.clock.now)
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(headers, code)))
    expect(answers.filter((one) => one.status === 200)).toHaveLength(1)
    expect(new Set(answers.map((one) => one.status))).toEqual(new Set([200, 409]))
  })
})

describe('POST /auth/login of an account with an app', () => {
  it('200 with a challenge and no tokens; the second step gives them', async () => {
    const ana = await scene.enrolled()
    const first = await ana.login()
    expect([first.status, first.headers['set-cookie']]).toEqual([200, undefined])
    expect(first.data).toEqual({
      second_factor_required: true,
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: new Date(app.clock.now.getTime() + 300_000).toISOString(),
    })
    const second = await ana.answer(first.data.challenge, { code: ana.code() })
    expect([second.status, second.data.token_type]).toEqual([200, 'Bearer'])
    const [session] = (await nobody.get('/auth/sessions', bearer(second.data.access_token))).data
    expect(session).toMatchObject({ is_current: true, signed_in_by: 'password', second_factor: 'totp' })
    const refreshed = await nobody.post('/auth/refresh', { refresh_token: second.data.refresh_token })
    expect((await nobody.get('/auth/sessions', bearer(refreshed.data.access_token))).data[0].second_factor).toBe('totp')
  })
  it('401 for a wrong password, as for an account without an app', async () => {
    const [{ email }, other] = [await scene.enrolled(), await scene.registered()]
    const answers = await Promise.all(
      [email, other.email].map((one) => nobody.post('/auth/login', { email: one, password: 'another one' })),
    )
    expect(answers.map(({ status: code, message }) => [code, message])).toEqual([
      [401, answers[0]?.message],
      [401, answers[0]?.message],
    ])
  })
  it('the challenge is no credential', async () => {
    const challenge = await challengeOf(await scene.enrolled())
    for (const headers of [bearer(challenge), { cookie: `service_session=${challenge}`, 'x-service-nonce': challenge }])
      expect((await nobody.get('/auth/me', headers)).status).toBe(401)
    expect((await nobody.post('/auth/refresh', { refresh_token: challenge })).status).toBe(401)
  })
})

describe('POST /auth/session of an account with an app', () => {
  it('200 with a challenge; its second step sets the cookie', async () => {
    const ana = await scene.enrolled()
    const first = await nobody.post('/auth/session', { email: ana.email, password: PASSWORD })
    expect([first.data.second_factor_required, first.headers['set-cookie']]).toEqual([true, undefined])
    const second = await nobody.post('/auth/session/second-factor', {
      challenge: first.data.challenge,
      code: ana.code(),
    })
    const cookie = String(second.headers['set-cookie']).split(';', 1)[0] ?? ''
    expect(cookie).toMatch(/^service_session=\d+\./)
    const headers = { cookie, 'x-service-nonce': second.data.nonce }
    expect((await nobody.get('/auth/sessions', headers)).data[0]).toMatchObject({
      is_browser: true,
      second_factor: 'totp',
    })
  })
})

describe('POST /auth/login/second-factor', () => {
  it('200 with a recovery code, once, in any case and without dashes', async () => {
    const ana = await scene.enrolled()
    const [first = '', second = ''] = ana.recoveryCodes
    expect((await ana.answer(await challengeOf(ana), { recovery_code: first })).status).toBe(200)
    const again = await ana.answer(await challengeOf(ana), { recovery_code: first })
    expect(again.errors?.fields).toEqual({ recovery_code: 'is wrong, expired or used' })
    const typed = second.toUpperCase().replaceAll('-', '')
    expect((await ana.answer(await challengeOf(ana), { recovery_code: typed })).status).toBe(200)
    expect(await status(ana.headers)).toMatchObject({ recovery_codes_left: 8 })
  })
  it('422 for the code of another person, and for another person’s recovery code', async () => {
    const [ana, bia] = [await scene.enrolled(), await scene.enrolled()]
    const challenge = await challengeOf(ana)
    expect((await ana.answer(challenge, { code: bia.code() })).status).toBe(422)
    expect((await ana.answer(challenge, { recovery_code: bia.recoveryCodes[0] })).status).toBe(422)
  })
  it('422 for a code that was used, and for an older one after a newer', async () => {
    const ana = await scene.enrolled()
    const code = ana.code()
    const older = codeAt(ana.secret, new Date(app.clock.now.getTime() - 30_000))
    expect((await ana.answer(await challengeOf(ana), { code })).status).toBe(200)
    for (const used of [code, older])
      expect((await ana.answer(await challengeOf(ana), { code: used })).status).toBe(422)
  })
  it('422 without a code, with two, and with the code that set up the app', async () => {
    const ana = await scene.enrolled()
    const challenge = await challengeOf(ana)
    expect((await ana.answer(challenge, {})).errors?.fields).toHaveProperty('code')
    const both = { code: '123456', recovery_code: ana.recoveryCodes[0] }
    expect((await ana.answer(challenge, both)).errors?.fields).toHaveProperty('recovery_code')
    expect((await ana.answer(challenge, { code: codeAt(ana.secret, app.clock.now) })).status).toBe(422)
  })
  it('401 for an unknown challenge, an old one, a used one, and after five attempts', async () => {
    const ana = await scene.enrolled()
    expect((await ana.answer('x', { code: ana.code() })).status).toBe(401)
    const old = await challengeOf(ana)
    app.clock.advance(300)
    expect((await ana.answer(old, { code: ana.code() })).status).toBe(401)
    const used = await challengeOf(ana)
    expect((await ana.answer(used, { code: ana.code() })).status).toBe(200)
    expect((await ana.answer(used, { code: ana.code() })).status).toBe(401)
    const tried = await challengeOf(ana)
    const wrong = wrongCode(ana.secret, app.clock.now)
    for (let attempt = 0; attempt < 5; attempt++) expect((await ana.answer(tried, { code: wrong })).status).toBe(422)
    expect((await ana.answer(tried, { code: ana.code() })).status).toBe(401)
  })
  it('of 64 at once with one code, each with a challenge of its own, one is let in', async () => {
    const ana = await scene.enrolled()
    const challenges = await Promise.all(Array.from({ length: 64 }, () => challengeOf(ana)))
    const code = ana.code()
    const answers = await Promise.all(challenges.map((challenge) => ana.answer(challenge, { code })))
    expect(answers.filter((one) => one.status === 200)).toHaveLength(1)
    expect(answers.filter((one) => ![200, 422, 429].includes(one.status))).toEqual([])
  })
  it('of 10 recovery codes at once for one challenge, one is let in', async () => {
    const ana = await scene.enrolled()
    const challenge = await challengeOf(ana)
    const answers = await Promise.all(ana.recoveryCodes.map((code) => ana.answer(challenge, { recovery_code: code })))
    expect(answers.filter((one) => one.status === 200)).toHaveLength(1)
  })
  it('401 when the password changed, or the user was disabled, since the first step', async () => {
    const [ana, bia] = [await scene.enrolled(), await scene.enrolled()]
    const [first, second] = [await challengeOf(ana), await challengeOf(bia)]
    const change = { password: 'vento-Lilás 8', current_password: PASSWORD }
    expect((await nobody.put('/auth/me', change, ana.headers)).status).toBe(200)
    await app.database.query('update users set disabled_at = now() where id = $1', [bia.userId])
    expect((await ana.answer(first, { code: ana.code() })).status).toBe(401)
    expect((await bia.answer(second, { code: bia.code() })).status).toBe(401)
  })
})

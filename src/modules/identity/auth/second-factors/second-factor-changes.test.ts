// Taking the authenticator app away, new recovery codes, what ends with other changes, attempts, mails and the audit log.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Mailbox, mailboxOf } from '#test/harness/mailed-links.ts'
import type { Headers, Speaker } from '#test/harness/world.ts'
import { type Enrolled, PASSWORD, secondFactorScene, wrongCode } from '#test/scenes/second-factor.ts'

const app = await appOfFile()
const nobody = app.world.anonymous
const mailbox: Mailbox = mailboxOf(app)
const scene: ReturnType<typeof secondFactorScene> = secondFactorScene(app)

/** With the mails sent, so that the next one is the newest. */
async function enrolled(): Promise<Enrolled> {
  const ana = await scene.enrolled()
  await app.service.worker.drain()
  return ana
}
const disable = (headers: Headers, more: object, password = PASSWORD) =>
  nobody.post('/auth/mfa/totp/disable', { current_password: password, ...more }, headers)
const renew = (headers: Headers, code: string) => nobody.post('/auth/mfa/recovery-codes', { code }, headers)
const status = async (headers: Headers) => (await nobody.get('/auth/mfa', headers)).data
const challengeOf = async (ana: Enrolled, headers?: Headers): Promise<string> =>
  (await ana.login(headers)).data.challenge

describe('POST /auth/mfa/totp/disable', () => {
  it('200 with a code or a recovery code; then the password alone signs in', async () => {
    const [ana, bia] = [await enrolled(), await enrolled()]
    expect((await disable(ana.headers, { code: ana.code() })).status).toBe(200)
    expect((await disable(bia.headers, { recovery_code: bia.recoveryCodes[9] })).status).toBe(200)
    for (const who of [ana, bia]) {
      expect((await who.login()).data.token_type).toBe('Bearer')
      expect(await status(who.headers)).toMatchObject({ totp_enabled_at: null, recovery_codes_left: 0 })
    }
  })
  it('no session counts as one with a second factor any more, and no challenge is answered', async () => {
    const ana = await enrolled()
    const open = await challengeOf(ana)
    await disable(ana.headers, { code: ana.code() })
    expect((await nobody.get('/auth/sessions', ana.headers)).data).toMatchObject([{ second_factor: null }])
    expect((await ana.answer(open, { recovery_code: ana.recoveryCodes[0] })).status).toBe(401)
  })
  it('422 for a wrong password or code, which leaves it on', async () => {
    const ana = await enrolled()
    const refused = await disable(ana.headers, { code: ana.code() }, 'another one')
    expect(refused.errors?.fields).toEqual({ current_password: 'is wrong' })
    const wrong = wrongCode(ana.secret, app.clock.now)
    expect((await disable(ana.headers, { code: wrong })).errors?.fields).toHaveProperty('code')
    expect((await disable(ana.headers, {})).errors?.fields).toHaveProperty('code')
    expect((await status(ana.headers)).totp_enabled_at).not.toBeNull()
  })
  it('422 without an app', async () => {
    const { headers } = await scene.registered()
    expect((await disable(headers, { code: '123456' })).status).toBe(422)
  })
})

describe('POST /auth/mfa/recovery-codes', () => {
  it('200 with ten new ones; the former ones end', async () => {
    const ana = await enrolled()
    await ana.answer(await challengeOf(ana), { recovery_code: ana.recoveryCodes[0] })
    const { data } = await renew(ana.headers, ana.code())
    expect(data.recovery_codes).toHaveLength(10)
    expect((await status(ana.headers)).recovery_codes_left).toBe(10)
    const challenge = await challengeOf(ana)
    expect((await ana.answer(challenge, { recovery_code: ana.recoveryCodes[1] })).status).toBe(422)
    expect((await ana.answer(challenge, { recovery_code: data.recovery_codes[1] })).status).toBe(200)
  })
  it('422 for a wrong code and without an app', async () => {
    const ana = await enrolled()
    expect((await renew(ana.headers, wrongCode(ana.secret, app.clock.now))).status).toBe(422)
    expect((await renew((await scene.registered()).headers, '123456')).status).toBe(422)
  })
})

const guess = async (ana: Enrolled, headers?: Headers) => {
  const challenge = await challengeOf(ana, headers)
  return ana.answer(challenge, { code: wrongCode(ana.secret, app.clock.now) }, headers)
}

/** Without the cookie of a device. */
const ELSEWHERE: Headers = {}

describe('wrong codes', () => {
  it('429 from the eleventh on within an hour, for a right one too, and as many of 64 at once', async () => {
    const ana = await enrolled()
    const challenges = await Promise.all(Array.from({ length: 64 }, () => challengeOf(ana, ELSEWHERE)))
    const code = wrongCode(ana.secret, app.clock.now)
    const answers = await Promise.all(challenges.map((challenge) => ana.answer(challenge, { code }, ELSEWHERE)))
    expect(answers.filter((one) => one.status === 422)).toHaveLength(10)
    const refused = await ana.answer(await challengeOf(ana, ELSEWHERE), { code: ana.code() }, ELSEWHERE)
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, 3570])
    app.clock.advance(3600)
    expect((await ana.answer(await challengeOf(ana, ELSEWHERE), { code: ana.code() }, ELSEWHERE)).status).toBe(200)
  })
  it('from elsewhere lock no device out that has signed in before', async () => {
    const ana = await enrolled()
    const signedIn = await ana.answer(await challengeOf(ana), { code: ana.code() })
    const device = [signedIn.headers['set-cookie']]
      .flat()
      .map((one) => String(one).split(';', 1)[0])
      .join('; ')
    await app.database.query('delete from known_addresses where user_id = $1', [ana.userId])
    for (let attempt = 0; attempt < 11; attempt++) await guess(ana)
    expect((await guess(ana)).status).toBe(429)
    const known = { cookie: device }
    expect((await ana.answer(await challengeOf(ana, known), { code: ana.code() }, known)).status).toBe(200)
  })
  it('of somebody without the password lock nobody out', async () => {
    const ana = await enrolled()
    for (let attempt = 0; attempt < 20; attempt++)
      await nobody.post('/auth/login/second-factor', { challenge: `guess ${attempt}`, code: '123456' })
    expect((await ana.answer(await challengeOf(ana), { code: ana.code() })).status).toBe(200)
  })
  it('of one session do not count for another', async () => {
    const ana = await enrolled()
    const wrong = wrongCode(ana.secret, app.clock.now)
    for (let attempt = 0; attempt < 10; attempt++) expect((await renew(ana.headers, wrong)).status).toBe(422)
    expect((await renew(ana.headers, ana.code())).status).toBe(429)
    expect((await ana.answer(await challengeOf(ana), { code: ana.code() })).status).toBe(200)
  })
})

const reset = (who: Speaker, id: number, body: object = { reason: 'Lost the phone' }) =>
  who.post(`/admin/users/${id}/reset-second-factors`, body)

describe('the second factor', () => {
  it('stays with a new password, by reset too', async () => {
    const ana = await enrolled()
    await app.database.query(`update users set status = 'ACTIVE' where id = $1`, [ana.userId])
    await nobody.post('/auth/forgot-password', { email: ana.email })
    const { email, key } = await mailbox.link(ana.email, '/reset-password')
    expect((await nobody.post('/auth/reset-password', { email, key, password: 'vento-Lilás 9' })).status).toBe(200)
    const login = await nobody.post('/auth/login', { email, password: 'vento-Lilás 9' })
    expect(login.data.second_factor_required).toBe(true)
  })
  it('gives no more attempts at the code to whoever resets the password again and again', async () => {
    const ana = await enrolled()
    await app.database.query(`update users set status = 'ACTIVE' where id = $1`, [ana.userId])
    const statuses: number[] = []
    for (const password of ['vento-Lilás 9', 'vento-Lilás 10', 'vento-Lilás 11']) {
      await app.service.worker.drain()
      app.clock.advance(1)
      const code = wrongCode(ana.secret, app.clock.now)
      await nobody.post('/auth/forgot-password', { email: ana.email })
      const { email, key } = await mailbox.link(ana.email, '/reset-password')
      const { raw } = await nobody.post('/auth/reset-password', { email, key, password })
      const cookie = raw.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      for (let attempt = 0; attempt < 5; attempt++) {
        const { data } = await nobody.post('/auth/login', { email, password }, { cookie })
        statuses.push((await ana.answer(data.challenge, { code }, { cookie })).status)
      }
    }
    expect(statuses).toEqual([...Array(10).fill(422), ...Array(5).fill(429)])
  })
  it('ends when the owner of an unproven address resets the password: a stranger may have set it up', async () => {
    const ana = await enrolled()
    await nobody.post('/auth/forgot-password', { email: ana.email })
    const { email, key } = await mailbox.link(ana.email, '/reset-password')
    await nobody.post('/auth/reset-password', { email, key, password: 'vento-Lilás 9' })
    expect((await nobody.post('/auth/login', { email, password: 'vento-Lilás 9' })).data.token_type).toBe('Bearer')
  })
  it('ends with the first proof of the address, unless the request is the registrant’s', async () => {
    const [ana, bia] = [await pending(), await pending()]
    const stranger = await nobody.post('/auth/verify-account', ana.link)
    expect(stranger.data).toMatchObject({ password_required: true, token_type: 'Bearer' })
    expect(await rowsOf(ana.userId)).toBe(0)
    const registrant = await nobody.post('/auth/verify-account', { ...bia.link, password: PASSWORD })
    expect(registrant.data).toMatchObject({ second_factor_required: true })
    expect((await bia.answer(registrant.data.challenge, { code: bia.code() })).status).toBe(200)
    expect(await rowsOf(bia.userId)).toBe(1)
  })
  it('ends when a change of address is undone, and is asked for when one is proven', async () => {
    const ana = await enrolled()
    await app.database.query(`update users set status = 'ACTIVE' where id = $1`, [ana.userId])
    const next = `new-${ana.email}`
    await nobody.put('/auth/me', { email: next, current_password: PASSWORD }, ana.headers)
    const proven = await nobody.post('/auth/verify-account', await mailbox.link(next, '/verify-account'))
    expect(proven.data).toMatchObject({ second_factor_required: true })
    expect(proven.data).not.toHaveProperty('access_token')
    const undo = await mailbox.link(ana.email, '/undo-email-change')
    expect((await nobody.post('/auth/undo-email-change', undo)).status).toBe(200)
    expect(await rowsOf(ana.userId)).toBe(0)
  })
  it('is reset by an administrator, with a reason: the sessions end, and the password signs in', async () => {
    const ana = await enrolled()
    const administrator = await app.world.user({ roles: ['customer', 'administrator'] })
    const support = await app.world.user({ roles: ['customer', 'support'] })
    expect((await reset(support, ana.userId)).status).toBe(403)
    expect((await reset(administrator, ana.userId, {})).errors?.fields).toHaveProperty('reason')
    expect((await reset(administrator, administrator.userId)).errors?.reason).toBe('own_account')
    expect((await reset(administrator, 999_999)).status).toBe(404)
    expect((await reset(administrator, ana.userId)).status).toBe(200)
    expect((await nobody.get('/auth/me', ana.headers)).status).toBe(401)
    expect((await ana.login()).data.token_type).toBe('Bearer')
    expect((await mailbox.newest(ana.email)).subject).toBe('Your Titular account no longer asks for a second factor')
  })
  it('is told by mail in the language of the person, and written to the audit log', async () => {
    const ana = await enrolled()
    await nobody.put('/auth/me', { language: 'pt-BR' }, ana.headers)
    await renew(ana.headers, ana.code())
    await app.service.worker.drain()
    await ana.answer(await challengeOf(ana), { recovery_code: 'wrong' })
    await disable(ana.headers, { code: ana.code() })
    const subjects = (await mailbox.of(ana.email)).map(({ subject }) => subject)
    expect(subjects.slice(-2)).toEqual([
      'Novos códigos de recuperação da sua conta em Titular',
      'Sua conta em Titular não pede mais um segundo fator',
    ])
    const entries = await app.database.query<{ action: string }>(
      `select action from service_audit where resource = 'user' and resource_id = $1 order by id`,
      [ana.userId],
    )
    expect(entries.map(({ action }) => action).filter((action) => /mfa|code|factor/.test(action))).toEqual([
      'mfa_enabled',
      'recovery_codes_renewed',
      'second_factor_refused',
      'mfa_disabled',
    ])
  })
  it('401 for what needs a session without one', async () => {
    expect((await nobody.get('/auth/mfa')).status).toBe(401)
    for (const path of ['totp', 'totp/confirm', 'totp/disable', 'recovery-codes'])
      expect((await nobody.post(`/auth/mfa/${path}`, {})).status).toBe(401)
  })
})

const rowsOf = async (userId: number): Promise<number> =>
  (await app.database.query('select 1 from totp_factors where user_id = $1', [userId])).length

/** With an app, and a link to prove the address. */
async function pending() {
  const ana = await enrolled()
  await nobody.post('/auth/resend-verification', { email: ana.email })
  return { ...ana, link: await mailbox.link(ana.email, '/verify-account') }
}

// Registering passkeys, signing in with them, and whatever can be wrong with one.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Answer, Headers } from '#test/harness/world.ts'
import { createAuthenticator, type Falsified, type Passkey, WITHOUT_VERIFICATION } from '#test/scenes/authenticator.ts'
import { bearer, PASSWORD, secondFactorScene } from '#test/scenes/second-factor.ts'

const ORIGIN = 'https://titular.example'
const authenticator = createAuthenticator(ORIGIN)

const app = await appOfFile({ environment: { PUBLIC_URL: `${ORIGIN}/` } })
const nobody = app.world.anonymous
const scene: ReturnType<typeof secondFactorScene> = secondFactorScene(app)

const creation = async (headers: Headers) =>
  (await nobody.post('/auth/passkeys/options', { current_password: PASSWORD }, headers)).data
const request = async () => (await nobody.post('/auth/login/passkey/options')).data

async function register(headers: Headers, falsified: Falsified = {}) {
  const { passkey, credential } = authenticator.create(await creation(headers), falsified)
  return { passkey, answer: await nobody.post('/auth/passkeys', { name: 'Phone', credential }, headers) }
}
async function withPasskey() {
  const ana = await scene.registered()
  const { passkey, answer } = await register(ana.headers)
  expect(answer.status).toBe(201)
  return { ...ana, passkey, id: answer.data.id as number }
}
async function signIn(passkey: Passkey, falsified: Falsified = {}, path = '/auth/login/passkey'): Promise<Answer> {
  return nobody.post(path, { credential: authenticator.get(passkey, await request(), falsified) })
}

describe('POST /auth/passkeys/options', () => {
  it('201 with what a browser needs', async () => {
    const { email, headers } = await scene.registered()
    const options = await creation(headers)
    expect(options).toMatchObject({
      rp: { id: 'titular.example', name: 'Titular' },
      user: { name: email, displayName: 'Ana' },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    expect((await creation(headers)).challenge).not.toBe(options.challenge)
  })
  it('422 for a wrong password, 409 with twenty passkeys', async () => {
    const { headers, userId, passkey } = await withPasskey()
    const wrong = await nobody.post('/auth/passkeys/options', { current_password: 'another' }, headers)
    expect(wrong.errors?.fields).toEqual({ current_password: 'is wrong' })
    expect((await creation(headers)).excludeCredentials).toEqual([
      { id: passkey.id.toString('base64url'), type: 'public-key' },
    ])
    const open = authenticator.create(await creation(headers))
    await app.database.query(
      `insert into passkeys (user_id, name, credential_id, public_key, counter, is_backed_up, created_at)
       select $1, 'x', 'x' || n, '', 0, false, now() from generate_series(1, 19) n`,
      [userId],
    )
    const full = await nobody.post('/auth/passkeys/options', { current_password: PASSWORD }, headers)
    expect(full.status).toBe(409)
    expect((await nobody.post('/auth/passkeys', { name: 'x', credential: open.credential }, headers)).status).toBe(409)
  })
})

describe('POST /auth/passkeys', () => {
  it('201, listed, mailed and audited', async () => {
    const { email, headers, id, userId } = await withPasskey()
    const { data, meta } = await nobody.get('/auth/passkeys', headers)
    expect([meta?.total, data]).toEqual([
      1,
      [{ id, name: 'Phone', is_backed_up: false, created_at: app.clock.now.toISOString(), last_used_at: null }],
    ])
    expect((await nobody.get('/auth/mfa', headers)).data.passkeys).toBe(1)
    const subjects = (await mailboxOf(app).of(email)).map(({ subject }) => subject)
    expect(subjects).toContain('A passkey was added to your Titular account')
    const [entry] = await app.database.query<{ details: object }>(
      `select details from service_audit where action = 'passkey_added' and resource_id = $1`,
      [userId],
    )
    expect(entry?.details).toEqual({ passkey_id: id, name: 'Phone' })
  })
  it.each<[string, Falsified]>([
    ['another origin', { origin: 'https://titular.example.evil.example' }],
    ['another port', { origin: `${ORIGIN}:8443` }],
    ['another site', { rpId: 'evil.example' }],
    ['a challenge of nobody', { challenge: 'Vw8zq0b4c1d2e3f4g5h6i7j8k9l0m1n2o3p4q5r6s7t' }],
    ['a signature for signing in', { type: 'webauthn.get' }],
    ['an authenticator that did not verify its person', { flags: WITHOUT_VERIFICATION }],
    ['a page in another site', { crossOrigin: true }],
    ['an id that is not the attested one', { attestedId: Buffer.alloc(32) }],
    ['an id that is too long to be found', { attestedId: randomBytes(8000) }],
  ])('422 for %s', async (_what, falsified) => {
    const { headers } = await scene.registered()
    const { answer } = await register(headers, falsified)
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['credential']])
    expect((await nobody.get('/auth/passkeys', headers)).data).toEqual([])
  })
  it('422 for a challenge that was used, is old, is another person’s, or is for signing in', async () => {
    const [ana, bia] = [await scene.registered(), await scene.registered()]
    const send = (credential: object, headers = ana.headers) =>
      nobody.post('/auth/passkeys', { name: 'Phone', credential }, headers)
    const options = await creation(ana.headers)
    expect((await send(authenticator.create(options).credential)).status).toBe(201)
    expect((await send(authenticator.create(options).credential)).status).toBe(422)
    const foreign = await creation(bia.headers)
    expect((await send(authenticator.create(foreign).credential)).status).toBe(422)
    const { challenge } = await request()
    expect((await send(authenticator.create({ ...options, challenge }).credential)).status).toBe(422)
    const old = await creation(ana.headers)
    app.clock.advance(300)
    expect((await send(authenticator.create(old).credential)).status).toBe(422)
  })
  it('422 for bytes that are none of WebAuthn', async () => {
    const { headers } = await scene.registered()
    const { credential } = authenticator.create(await creation(headers))
    for (const response of [
      { ...credential.response, attestationObject: 'AAAA' },
      { ...credential.response, attestationObject: '!' },
      { ...credential.response, clientDataJSON: 'bnVsbA' },
      { ...credential.response, clientDataJSON: '{' },
      { clientDataJSON: credential.response.clientDataJSON },
    ])
      expect(
        (await nobody.post('/auth/passkeys', { name: 'x', credential: { ...credential, response } }, headers)).status,
      ).toBe(422)
  })
  it('of 16 at once with one credential one is registered', async () => {
    const { headers } = await scene.registered()
    const { credential } = authenticator.create(await creation(headers))
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => nobody.post('/auth/passkeys', { name: 'Phone', credential }, headers)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })
})

describe('POST /auth/login/passkey', () => {
  it('200 with tokens of a session that counts as one with a second factor', async () => {
    const { passkey, userId, id } = await withPasskey()
    const answer = await signIn(passkey)
    expect([answer.status, answer.data.token_type]).toEqual([200, 'Bearer'])
    const headers = bearer(answer.data.access_token)
    expect((await nobody.get('/auth/me', headers)).data.id).toBe(userId)
    expect((await nobody.get('/auth/sessions', headers)).data[0]).toMatchObject({
      signed_in_by: 'passkey',
      second_factor: 'passkey',
    })
    expect((await nobody.get('/auth/passkeys', headers)).data[0]).toMatchObject({
      id,
      last_used_at: app.clock.now.toISOString(),
    })
  })
  it('200 for an account with an authenticator app too, without a challenge', async () => {
    const ana = await scene.enrolled()
    const { passkey } = await register(ana.headers)
    expect((await signIn(passkey)).data.token_type).toBe('Bearer')
  })
  it('200 again for an authenticator that does not count', async () => {
    const { passkey } = await withPasskey()
    for (const attempt of [1, 2])
      expect([attempt, (await signIn(passkey, { counter: 0 })).status]).toEqual([attempt, 200])
  })
  it.each<[string, Falsified]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another scheme', { origin: 'http://titular.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['a challenge of nobody', { challenge: 'Vw8zq0b4c1d2e3f4g5h6i7j8k9l0m1n2o3p4q5r6s7t' }],
    ['a signature for registering', { type: 'webauthn.create' }],
    ['an authenticator that did not verify its person', { flags: WITHOUT_VERIFICATION }],
    ['another person’s handle', { userHandle: 'dGl0dWxhcg' }],
    ['a page in another site', { crossOrigin: true }],
  ])('401 for %s', async (_what, falsified) => {
    const { passkey } = await withPasskey()
    expect((await signIn(passkey, falsified)).status).toBe(401)
    expect((await signIn(passkey)).status).toBe(200)
  })
  it('401 for a counter that stands still or goes back: a copy of the passkey', async () => {
    const { passkey } = await withPasskey()
    expect((await signIn(passkey, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0]) expect((await signIn(passkey, { counter })).status).toBe(401)
    expect((await signIn(passkey, { counter: 8 })).status).toBe(200)
  })
  it('401 for an answer that is sent again, a challenge that is old, or one for registering', async () => {
    const { passkey, headers } = await withPasskey()
    const credential = authenticator.get(passkey, await request())
    expect((await nobody.post('/auth/login/passkey', { credential })).status).toBe(200)
    expect((await nobody.post('/auth/login/passkey', { credential })).status).toBe(401)
    const old = authenticator.get(passkey, await request())
    app.clock.advance(300)
    expect((await nobody.post('/auth/login/passkey', { credential: old })).status).toBe(401)
    const { challenge } = await creation(headers)
    const other = authenticator.get(passkey, { ...(await request()), challenge })
    expect((await nobody.post('/auth/login/passkey', { credential: other })).status).toBe(401)
  })
  it('401 for a signature of another key, and for an unknown credential', async () => {
    const [ana, bia] = [await withPasskey(), await withPasskey()]
    expect((await signIn({ ...ana.passkey, privateKey: bia.passkey.privateKey })).status).toBe(401)
    expect((await signIn({ ...ana.passkey, id: Buffer.alloc(32, 1) })).status).toBe(401)
  })
  it('401 for a passkey that was removed, and for a disabled account', async () => {
    const [ana, bia] = [await withPasskey(), await withPasskey()]
    await nobody.delete(`/auth/passkeys/${ana.id}`, ana.headers)
    await app.database.query('update users set disabled_at = now() where id = $1', [bia.userId])
    for (const { passkey } of [ana, bia]) expect((await signIn(passkey)).status).toBe(401)
  })
  it('of 32 at once with one answer one is let in', async () => {
    const { passkey } = await withPasskey()
    const credential = authenticator.get(passkey, await request())
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => nobody.post('/auth/login/passkey', { credential })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 401].includes(status))).toEqual([])
  })
  it('422 for what is no credential', async () => {
    for (const credential of [null, {}, 'x', { id: 'x', rawId: 'x', type: 'public-key', response: {} }])
      expect((await nobody.post('/auth/login/passkey', { credential })).status).toBe(422)
  })
})

describe('POST /auth/session/passkey', () => {
  it('200 with the cookie and the nonce of the browser', async () => {
    const { passkey, userId } = await withPasskey()
    const answer = await signIn(passkey, {}, '/auth/session/passkey')
    const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
    const headers = { cookie, 'x-service-nonce': answer.data.nonce }
    expect((await nobody.get('/auth/me', headers)).data.id).toBe(userId)
    expect((await nobody.get('/auth/sessions', headers)).data[0]).toMatchObject({ is_browser: true })
  })
})

// Proving that an address is its account's, by mailed tokens.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Mailbox, mailboxOf } from '#test/harness/mailed-links.ts'
import { SYSTEM_CALLER } from '#kernel/access/transactions.ts'
import { type Accounts, accountsOf, asSystem, bearer, password } from '#test/scenes/own-account.ts'
import { proveAddress } from './verify-account.ts'

const app = await appOfFile()
const nobody = app.world.anonymous
const accounts: Accounts = accountsOf(app)
const mailbox: Mailbox = mailboxOf(app)

const verify = (body: object, headers = {}) => nobody.post('/auth/verify-account', body, headers)

const resend = (email: string) => nobody.post('/auth/resend-verification', { email })

describe('POST /auth/verify-account', () => {
  it('200 with tokens of a user who is now ACTIVE', async () => {
    const { email } = await accounts.registered()
    const link = await mailbox.link(email, '/verify-account')
    const answer = await verify({ ...link, email: email.toUpperCase() })
    expect([answer.status, answer.data.token_type]).toEqual([200, 'Bearer'])
    expect((await accounts.me(answer.data.access_token)).data).toMatchObject({ email, status: 'ACTIVE' })
  })
  it('200 ends the password and the sessions of somebody who registered with another person’s address', async () => {
    const squatter = await accounts.registered()
    const answer = await verify(await mailbox.link(squatter.email, '/verify-account'))
    expect(answer.status).toBe(200)
    expect((await accounts.me(squatter.token)).status).toBe(401)
    expect((await nobody.post('/auth/refresh', { refresh_token: squatter.refresh })).status).toBe(401)
    expect((await accounts.login(squatter.email)).status).toBe(401)
    expect((await accounts.me(answer.data.access_token)).status).toBe(200)
  })
  it('200 ends the API keys of somebody who registered with another person’s address', async () => {
    const prove = {
      verify: async (email: string) => verify(await mailbox.link(email, '/verify-account')),
      reset: async (email: string) => {
        await app.service.worker.drain()
        app.clock.advance(2)
        await nobody.post('/auth/forgot-password', { email })
        const link = await mailbox.link(email, '/reset-password')
        return nobody.post('/auth/reset-password', { ...link, password: 'brisa-Azul 8' })
      },
    }
    for (const [way, by] of Object.entries(prove)) {
      const squatter = await accounts.registered()
      const { data } = await nobody.post('/organizations', { name: 'Squatted' }, bearer(squatter.token))
      const inside = { 'x-service-organization': String(data.id) }
      const key = await nobody.post('/auth/api-keys', { name: 'back door' }, { ...bearer(squatter.token), ...inside })
      const { consumer_key, consumer_secret } = key.data
      const basic = Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')
      const asKey = () => nobody.get('/quotes', { authorization: `Basic ${basic}`, ...inside })
      expect([way, (await asKey()).status]).toEqual([way, 200])
      expect((await by(squatter.email)).status, way).toBe(200)
      expect([way, (await asKey()).status]).toEqual([way, 401])
    }
  })
  it('200 keeps them for the registrant, who sends the password or an access token', async () => {
    const first = await accounts.registered()
    const second = await accounts.registered()
    const withPassword = await verify({ ...(await mailbox.link(first.email, '/verify-account')), password })
    const withToken = await verify(await mailbox.link(second.email, '/verify-account'), bearer(second.token))
    expect([withPassword.status, withToken.status]).toEqual([200, 200])
    for (const { email, token } of [first, second]) {
      expect((await accounts.me(token)).data.status).toBe('ACTIVE')
      expect((await accounts.login(email)).status).toBe(200)
    }
  })
  it('200 keeps nothing for a token of another user or of an ended session', async () => {
    for (const end of [false, true]) {
      const squatter = await accounts.registered()
      const other = await accounts.registered()
      const token = end ? squatter.token : other.token
      if (end) await nobody.post('/auth/logout', undefined, bearer(token))
      expect((await verify(await mailbox.link(squatter.email, '/verify-account'), bearer(token))).status).toBe(200)
      expect((await accounts.login(squatter.email)).status).toBe(401)
    }
  })
  it('422 for a wrong password, without using up the token', async () => {
    const { email } = await accounts.registered()
    const link = await mailbox.link(email, '/verify-account')
    expect((await verify({ ...link, password: 'wrong' })).errors?.fields).toHaveProperty('password')
    expect((await verify({ ...link, password })).status).toBe(200)
  })
  it('422 for a token that is wrong, of another user, used, or 24 hours old', async () => {
    const { email } = await accounts.registered()
    const other = await accounts.registered()
    const link = await mailbox.link(email, '/verify-account')
    const late = await mailbox.link(other.email, '/verify-account')
    for (const body of [
      { email, token: 'x' },
      { ...link, email: other.email },
      { email, token: late['token'] },
    ])
      expect((await verify(body)).errors?.fields).toHaveProperty('token')
    expect((await verify(link)).status).toBe(200)
    expect((await verify(link)).errors?.fields).toHaveProperty('token')
    const kept = app.clock.now
    app.clock.advance(86_400)
    expect((await verify(late)).status).toBe(422)
    app.clock.now = kept
    expect((await verify(late)).status).toBe(200)
  })
  it('200 for one of several uses at once', async () => {
    const { email } = await accounts.registered()
    const link = await mailbox.link(email, '/verify-account')
    const answers = await Promise.all(Array.from({ length: 6 }, () => verify(link)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 422, 422, 422, 422, 422,
    ])
  })
})

describe('POST /auth/resend-verification', () => {
  it('202 mails a new token and ends the old one', async () => {
    const { email } = await accounts.registered()
    const old = await mailbox.link(email, '/verify-account')
    expect((await resend(email)).status).toBe(202)
    const link = await mailbox.link(email, '/verify-account')
    expect(link['token']).not.toBe(old['token'])
    expect((await verify(old)).status).toBe(422)
    expect((await verify(link)).status).toBe(200)
  })
  it('202 without a mail for an unknown and a proven address', async () => {
    const active = await app.world.user()
    const { email } = await accounts.registered()
    const answers = [await resend(email), await resend(active.email), await resend('nobody@example.com')]
    for (const { status, data, message } of answers)
      expect([status, data, message]).toEqual([202, null, answers[0]?.message])
    expect(await mailbox.of(active.email)).toEqual([])
  })
  it('422 without an address', async () => {
    expect((await resend('')).status).toBe(422)
  })
})

describe('proveAddress', () => {
  it('makes the user who accepts a mailed invite ACTIVE, and ends their other sessions', async () => {
    const { email, id, token } = await accounts.registered()
    const other = await accounts.login(email)
    const [session] = await app.database.query<{ id: number }>(
      `select min(id) as id from sessions where user_id = $1`,
      [id],
    )
    const caller = { ...SYSTEM_CALLER, kind: 'user' as const, userId: id, sessionId: session?.id ?? 0 }
    await asSystem(app, (ctx) => proveAddress(ctx, id), caller)
    expect((await accounts.me(token)).data.status).toBe('ACTIVE')
    expect((await accounts.me(other.data.access_token)).status).toBe(401)
    expect((await accounts.login(email)).status).toBe(200)
  })
  it('does not change a proven account', async () => {
    const user = await app.world.user()
    await asSystem(app, (ctx) => proveAddress(ctx, user.userId))
    expect((await user.get('/auth/me')).status).toBe(200)
  })
})

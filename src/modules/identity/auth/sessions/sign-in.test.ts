// Registration and login.
import { describe, expect, it, vi } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import { type Accounts, accountsOf, password } from '#test/scenes/own-account.ts'

const app = await appOfFile()
const nobody = app.world.anonymous
const accounts: Accounts = accountsOf(app)

const fresh = () => accounts.later('Ana.Sign')
const registered = () => accounts.registered({ email: fresh() })

describe('POST /auth/register', () => {
  it('201 with tokens for a PENDING user, and a mail', async () => {
    const email = fresh()
    const body = { email, password, name: 'Ana 🦜 Souza' }
    const answer = await nobody.post('/auth/register', body, { 'accept-language': 'pt-PT, en;q=0.5' })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({ token_type: 'Bearer', expires_in: 86_400 })
    expect(answer.headers['cache-control']).toBe('no-store')
    const { data } = await accounts.me(answer.data.access_token)
    expect(data).toMatchObject({
      email,
      name: 'Ana 🦜 Souza',
      status: 'PENDING',
      roles: ['customer'],
      language: 'pt-BR',
    })
    expect(data).toMatchObject({ provider: 'password', active_team_id: null, organizations: [] })
    expect(data.login).toMatch(/^ana\.sign\d+$/)
    expect((await mailboxOf(app).newest(email)).subject).toMatch(/Confirme|Titular/)
  })
  it('409 for a known address, whatever its case', async () => {
    const { email } = await registered()
    const answer = await nobody.post('/auth/register', { email: email.toUpperCase(), password, name: 'Eve' })
    expect(answer.status).toBe(409)
    expect(answer.errors?.code).toBe('CONFLICT')
  })
  it('422 names every bad field; common, short and long passwords are refused', async () => {
    const bad = await nobody.post('/auth/register', { email: 'no', name: ' ', roles: ['administrator'] })
    expect(bad.status).toBe(422)
    expect(Object.keys(bad.errors?.fields ?? {}).toSorted()).toEqual(['email', 'name', 'password', 'roles'])
    for (const wrong of ['Senha123', '1234567', 'x'.repeat(129), 'password\0longer', '\ud800'.repeat(9)]) {
      const answer = await nobody.post('/auth/register', { email: fresh(), name: 'Ana', password: wrong })
      expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['password']])
    }
  })
  it('400 for a body that is not JSON', async () => {
    expect((await nobody.post('/auth/register', '{"email":')).status).toBe(400)
  })
  it('201 for one of many requests at once with the same address', async () => {
    const body = { email: fresh(), password, name: 'Ana' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => nobody.post('/auth/register', body)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ])
  })
  it('201 for people with the same name at once, each with their own login', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => accounts.registered({ email: `info@company-${index}.example` })),
    )
    const logins = await Promise.all(answers.map(async ({ token }) => (await accounts.me(token)).data.login))
    expect(new Set(logins).size).toBe(12)
    for (const login of logins) expect(login).toMatch(/^info\d*$/)
    expect(logins).toContain('info')
  })
})

describe('POST /auth/register-email', () => {
  it('202 for a new, a pending and an active address; the mail lets its owner in', async () => {
    const email = fresh()
    const known = await app.world.user()
    const answers = [
      await nobody.post('/auth/register-email', { email }),
      await nobody.post('/auth/register-email', { email }),
      await nobody.post('/auth/register-email', { email: known.email }),
    ]
    for (const { status, data, message } of answers)
      expect([status, data, message]).toEqual([202, null, answers[0]?.message])
    const mailbox = mailboxOf(app)
    const { email: named, token } = await mailbox.link(email, '/verify-account')
    expect(named).toBe(email)
    expect((await nobody.post('/auth/login', { email, password })).status).toBe(401)
    const verified = await nobody.post('/auth/verify-account', { email, token })
    expect((await accounts.me(verified.data.access_token)).data).toMatchObject({ status: 'ACTIVE' })
    expect(await mailbox.link(known.email, '/reset-password')).toHaveProperty('key')
  })
  it('422 without an address', async () => {
    expect((await nobody.post('/auth/register-email', {})).status).toBe(422)
  })
})

describe('POST /auth/login', () => {
  it('200 with tokens, whatever the case of the address', async () => {
    const { email } = await registered()
    const answer = await nobody.post(
      '/auth/login',
      { email: email.toLowerCase(), password },
      { 'user-agent': 'a'.repeat(300) },
    )
    expect(answer.status).toBe(200)
    expect((await accounts.me(answer.data.access_token)).data.email).toBe(email)
    const [session] = await app.database.query<{ ip: string; user_agent: string }>(
      `select ip, user_agent from sessions order by id desc limit 1`,
    )
    expect(session).toMatchObject({ ip: '127.0.0.1', user_agent: 'a'.repeat(255) })
  })
  it('401 is in the service’s log, with the account if there is one, and without the typed values', async () => {
    const { email } = await registered()
    const [user] = await app.database.query<{ id: number }>(`select id from users where email = $1`, [email])
    const ids = []
    for (const path of ['/auth/login', '/auth/session'])
      for (const typed of [email, 'vento-lilas-7@example.com']) {
        const answer = await nobody.post(path, { email: typed, password: 'typed-wrongly' })
        expect(answer.status).toBe(401)
        ids.push(String(answer.headers['x-request-id']))
      }
    const entries = await app.database.query(
      `select action, actor_id, resource_id, details, ip from service_audit where request_id = any($1) order by id`,
      [ids],
    )
    const entry = { action: 'sign_in_refused', actor_id: null, details: {}, ip: '127.0.0.1' }
    const [known, unknown] = [user?.id, null].map((resource_id) => ({ ...entry, resource_id }))
    expect(entries).toEqual([known, unknown, known, unknown])
  })
  it('401 in the same way for a wrong password, an unknown address, no password and a disabled account; each costs one hash', async () => {
    const { email } = await registered()
    const disabled = await registered()
    await app.database.query(`update users set disabled_at = now() where email = $1`, [disabled.email])
    const without = await app.world.user()
    const verify = vi.spyOn(app.service.ports.passwords, 'verify')
    const bodies = []
    for (const body of [
      { email, password: `${password}x` },
      { email: 'nobody@example.com', password },
      { email: without.email, password },
      { email: disabled.email, password },
    ]) {
      verify.mockClear()
      const answer = await nobody.post('/auth/login', body)
      expect(answer.status).toBe(401)
      expect(verify).toHaveBeenCalledTimes(1)
      bodies.push(answer.raw.body)
    }
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toContain('AUTHENTICATION_ERROR')
    verify.mockRestore()
  })
  it('422 for a body with other fields', async () => {
    const answer = await nobody.post('/auth/login', { email: 'ana@example.com', password, remember: true })
    expect(answer.errors?.fields).toEqual({ remember: 'unknown field' })
  })
  it('200 replaces a hash that was made with old parameters', async () => {
    const { email } = await registered()
    const weak = await (await import('@node-rs/argon2')).hash(password, { memoryCost: 4096, timeCost: 1 })
    await app.database.query(`update users set password_hash = $1 where email = $2`, [weak, email])
    expect((await nobody.post('/auth/login', { email, password })).status).toBe(200)
    const [row] = await app.database.query<{ password_hash: string }>(
      `select password_hash from users where email = $1`,
      [email],
    )
    expect(row?.password_hash).toContain('m=19456,t=2,p=1')
    expect((await nobody.post('/auth/login', { email, password })).status).toBe(200)
  })
})

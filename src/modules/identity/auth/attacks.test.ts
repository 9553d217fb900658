// Attacks on authentication: forged tokens, many guesses at once, and secrets in the log.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization
let nobody: Speaker

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  nobody = app.world.anonymous
})
afterAll(() => app.close())

const password = 'vento-Lilás 7'
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
const authorized = (token: string) => ({ authorization: `Bearer ${token}` })

describe('a forged access token', () => {
  const paths = ['/auth/me', '/auth/api-keys']
  const statusesOf = async (token: string) =>
    Promise.all(
      paths.map(async (path) => {
        const answer = await nobody.get(path, { ...acme.owner.headers, ...authorized(token) })
        return answer.status
      }),
    )

  it('200 for the genuine one', async () => {
    expect(await statusesOf(acme.owner.token)).toEqual([200, 200])
  })
  it('401 for alg none, HMAC with the public key, another key, another kid, and changed claims', async () => {
    const [head, body, signature] = acme.owner.token.split('.')
    const header = decode(head)
    const claims = decode(body)
    const { keys } = (await app.service.app.inject('/.well-known/jwks.json')).json<{ keys: { n: string }[] }>()
    const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const signed = (text: string) => `${text}.${sign('RSA-SHA256', Buffer.from(text), otherKey).toString('base64url')}`
    const hmac = (text: string) =>
      `${text}.${createHmac('sha256', Buffer.from(keys[0]?.n ?? '', 'base64url'))
        .update(text)
        .digest('base64url')}`
    const forged = [
      `${encode({ ...header, alg: 'none' })}.${body}.`,
      `${encode({ ...header, alg: 'none' })}.${body}.${signature}`,
      hmac(`${encode({ ...header, alg: 'HS256' })}.${body}`),
      signed(`${head}.${body}`),
      signed(`${encode({ ...header, kid: 'other' })}.${body}`),
      signed(`${encode({ alg: 'RS256', typ: 'at+jwt' })}.${body}`),
      `${encode({ ...header, kid: 'other' })}.${body}.${signature}`,
      `${head}.${encode({ ...claims, sub: '1', scopes: ['*'], roles: ['administrator'] })}.${signature}`,
      `${head}.${body}`,
      `${head}.${body}.${signature}.${signature}`,
      '',
      'null',
    ]
    for (const token of forged) expect([token, ...(await statusesOf(token))]).toEqual([token, 401, 401])
  })
  it('401 when it is expired, from the future, of another user’s session, or a refresh token', async () => {
    const other = await app.world.user()
    const { accessTokens } = app.service.ports
    const at = (now: Date) => ({
      userId: other.userId,
      sessionId: 1,
      organizationId: null,
      roles: [],
      scopes: ['*'],
      now,
    })
    const day = 86_400_000
    const now = app.clock.now.getTime()
    const own = await accessTokens.issue({ ...at(new Date(now - day)), sessionId: sessionIdOf(other) })
    const early = await accessTokens.issue({ ...at(new Date(now + 61_000)), sessionId: sessionIdOf(other) })
    const mixed = await accessTokens.issue({ ...at(new Date(now)), sessionId: sessionIdOf(acme.owner) })
    const registered = await nobody.post('/auth/register', { email: 'forge@example.com', password, name: 'Ana' })
    for (const token of [own.access_token, early.access_token, mixed.access_token, registered.data.refresh_token])
      expect(await statusesOf(token)).toEqual([401, 401])
  })
  it('claims do not change permissions: an owner’s `*` grants nothing in other organizations', async () => {
    const other = await app.world.organization()
    const answer = await nobody.get('/auth/api-keys', {
      ...acme.owner.headers,
      'x-service-organization': String(other.id),
    })
    expect(answer.status).toBe(403)
  })
})

const sessionIdOf = ({ token }: Speaker): number => Number(decode(token.split('.')[1])['sid'])

const claimsOf = (token: string) => decode(token.split('.')[1])

describe('the claims of an access token', () => {
  it('name the user, the session, the active organization and the grants of all memberships', async () => {
    const globex = await app.world.organization()
    const member = await acme.member({ scopes: ['quotes'] })
    const hash = await app.service.ports.passwords.hash(password)
    await app.database.query(`update users set password_hash = $1, active_team_id = $2 where id = $3`, [
      hash,
      acme.id,
      member.userId,
    ])
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role, can_manage_tickets) values ($1, $2, $3, 'member', true)`,
      [globex.id, member.userId, member.email],
    )
    const login = async () =>
      claimsOf((await nobody.post('/auth/login', { email: member.email, password })).data.access_token)
    const claims = await login()
    expect(claims).toMatchObject({ sub: String(member.userId), org: acme.id, roles: ['customer'], iss: 'titular' })
    expect(claims['scopes']).toEqual(['entitlements', 'quotes', 'tickets'])
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(86_400)
    expect([typeof claims['jti'], typeof claims['sid']]).toEqual(['string', 'string'])
    await app.database.query(`update users set password_hash = $1 where id = $2`, [hash, globex.owner.userId])
    const owner = await nobody.post('/auth/login', { email: globex.owner.email, password })
    expect(claimsOf(owner.data.access_token)).toMatchObject({ scopes: ['*'], org: null })
    await app.database.query(`delete from collaborators where user_id = $1`, [member.userId])
    expect(await login()).toMatchObject({ org: null, scopes: [] })
  })
})

describe('limits', () => {
  it('429 counts 200 wrong passwords exactly, twenty at once, and says when to retry', async () => {
    const strict = await startApp({ environment: { LIMIT_CREDENTIALS: '10/60' } })
    const { anonymous } = strict.world
    const guess = () => anonymous.post('/auth/login', { email: 'ana@example.com', password: 'wrong password' })
    const answers: Answer[] = []
    // In waves, because a counter that waits too long for the database counts in memory, which is not tested here.
    for (let wave = 0; wave < 10; wave++) answers.push(...(await Promise.all(Array.from({ length: 20 }, guess))))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(190)
    for (const { headers, errors } of refused) {
      expect(errors?.code).toBe('RATE_LIMIT')
      expect(headers['retry-after']).toMatch(/^[1-9]\d?$/)
      expect(headers['ratelimit']).toMatch(/^"credentials";r=0;t=\d+$/)
      expect(headers['ratelimit-policy']).toBe('"credentials";q=10;w=60')
    }
    await strict.close()
  })
  it('429 on every route that checks credentials, per account from other addresses too; correct ones within the limit pass', async () => {
    const strict = await startApp({ environment: { LIMIT_CREDENTIALS: '3/60', TRUSTED_PROXIES: '127.0.0.1' } })
    const { anonymous } = strict.world
    await anonymous.post('/auth/register', { email: 'ana@example.com', password, name: 'Ana' }, from(0))
    const bodies: Record<string, object> = {
      '/auth/login': { password },
      '/auth/session': { password },
      '/auth/check-user': {},
      '/auth/resend-verification': {},
      '/auth/forgot-password': {},
      '/auth/verify-account': { token: 'x' },
      '/auth/validate-reset-token': { key: 'x' },
      '/auth/reset-password': { key: 'x', password },
    }
    let host = 0
    for (const [index, [path, body]] of Object.entries(bodies).entries()) {
      const email = index === 0 ? 'ana@example.com' : `ana${index}@example.com`
      const ask = () => anonymous.post(path, { email, ...body }, from(++host))
      const answers = [await ask(), await ask(), await ask(), await ask()].map(({ status }) => status)
      const passed = answers.slice(0, 3)
      expect([path, passed.includes(429), answers[3]]).toEqual([path, false, 429])
      expect(index > 0 || passed.every((status) => status === 200)).toBe(true)
    }
    await strict.close()
  })
  it('429 for guessing one’s current password; other changes of the profile still work', async () => {
    const strict = await startApp({ environment: { LIMIT_CREDENTIALS: '3/60' } })
    const user = await strict.world.user()
    const guess = () => user.put('/auth/me', { password: 'brisa-Azul 8', current_password: 'wrong' })
    const answers = [await guess(), await guess(), await guess(), await guess()]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 429])
    expect((await user.put('/auth/me', { name: 'Ana' })).status).toBe(200)
    await strict.close()
  })
  it('429 on registration by LIMIT_PUBLIC', async () => {
    const strict = await startApp({ environment: { LIMIT_PUBLIC: '2/60' } })
    const { anonymous } = strict.world
    const answers = []
    for (let index = 0; index < 3; index++)
      answers.push(
        (await anonymous.post('/auth/register', { email: `p${index}@example.com`, password, name: 'Ana' })).status,
      )
    expect(answers).toEqual([201, 201, 429])
    await strict.close()
  })
})

const from = (host: number) => ({ 'x-forwarded-for': `198.51.100.${host}` })

describe('the log', () => {
  it('holds no password, token, key, link, cookie or query', async () => {
    const mailbox = mailboxOf(app)
    const email = 'log@example.com'
    const { data } = await nobody.post('/auth/register', { email, password, name: 'Ana' })
    const link = await mailbox.link(email, '/verify-account')
    await nobody.post('/auth/verify-account', { ...link, token: 'wrong-token' })
    const verified = await nobody.post('/auth/verify-account', { ...link, password })
    const browser = await nobody.post('/auth/session', { email, password })
    await nobody.get('/auth/session', { cookie: String(browser.headers['set-cookie']).split(';', 1)[0] ?? '' })
    const refreshed = await nobody.post('/auth/refresh', { refresh_token: data.refresh_token })
    await nobody.post('/auth/login', { email, password: 'a wrong password' })
    await nobody.post('/auth/forgot-password', { email })
    const reset = await mailbox.link(email, '/reset-password')
    const key = await acme.owner.post('/auth/api-keys', { name: 'ERP', scopes: ['organization'] })
    const { consumer_key, consumer_secret } = key.data
    await nobody.get(`/auth/api-keys?consumer_key=${consumer_key}&consumer_secret=${consumer_secret}`, {
      'x-service-organization': String(acme.id),
    })
    await nobody.get('/auth/me?secret=in-the-query', authorized(`${data.access_token}x`))
    await nobody.post('/auth/reset-password', { ...reset, password: 'brisa-Azul 8' })
    await app.service.worker.drain()
    const log = app.log.join('')
    expect(log).toContain('/auth/reset-password')
    for (const secret of [
      password,
      'a wrong password',
      'brisa-Azul 8',
      'in-the-query',
      email,
      link['token'],
      reset['key'],
      data.access_token,
      data.refresh_token,
      refreshed.data.refresh_token,
      verified.data.access_token,
      browser.data.nonce,
      String(browser.headers['set-cookie']).split('.')[2]?.split(';', 1)[0],
      consumer_key,
      consumer_secret,
    ]) {
      expect(secret).toBeTruthy()
      expect(log).not.toContain(secret)
    }
    const rows = await app.database.query<{ all: string }>(
      `select coalesce((select jsonb_agg(to_jsonb(j))::text from jobs j), '') || (select jsonb_agg(to_jsonb(a))::text from service_audit a)
              || (select jsonb_agg(to_jsonb(t))::text from user_tokens t) as all`,
    )
    for (const secret of [link['token'], reset['key'], password, data.refresh_token])
      expect(rows[0]?.all).not.toContain(secret)
  })
})

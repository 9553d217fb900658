// Signing in by tokens, second factors, and what is renewed when many calls find it ended.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { PASSWORD, secondFactorScene } from '../../../test/scenes/second-factor.ts'
import {
  AuthenticationError,
  ConnectionError,
  createOrganization,
  createTitular,
  getMe,
  type StoredTokens,
  TitularError,
  tokenSession,
} from '../src/index.ts'
import { cutting } from './cutting.ts'
import { addressOf, failureOf, tens, watched } from './client.ts'

const DAY_SECONDS = 86_400

const app = await appOfFile({ listens: true })
const { registered, enrolled } = secondFactorScene(app)

describe('a session of tokens', () => {
  it('begins with a password, is kept by the program, and goes on from what was kept', async () => {
    const { email } = await registered()
    const kept: (StoredTokens | null)[] = []
    const session = tokenSession({ onChange: (tokens) => void kept.push(tokens) })
    const { titular } = watched(app, { credentials: session })
    expect(await session.signIn({ email, password: PASSWORD })).toBeNull()
    expect((await titular.call(getMe)).email).toBe(email)
    expect(kept).toEqual([session.tokens])
    const later = watched(app, { credentials: tokenSession({ tokens: kept[0] }) })
    expect((await later.titular.call(getMe)).email).toBe(email)
    await session.signOut()
    expect(kept[1]).toBeNull()
    expect(await failureOf(later.titular.call(getMe))).toBeInstanceOf(AuthenticationError)
    await session.signOut()
  })
  it('needs the code of the app where the account has one, and is told of a wrong one', async () => {
    const { email, code } = await enrolled()
    const session = tokenSession()
    const { titular } = watched(app, { credentials: session })
    const challenge = await session.signIn({ email, password: PASSWORD })
    if (challenge === null) throw new Error('no challenge')
    expect(session.tokens).toBeNull()
    expect(await failureOf(session.finish(challenge, { code: '000000' }))).toMatchObject({ status: 422 })
    await session.finish(challenge, { code: code() })
    expect((await titular.call(getMe)).email).toBe(email)
  })
  it('is renewed once when ten calls find it ended, by the clock of the service or by its own', async () => {
    const { email } = await registered()
    let now = Date.now()
    const session = tokenSession({ now: () => now })
    const { titular, sent } = watched(app, { credentials: session })
    await session.signIn({ email, password: PASSWORD })
    const renewals = () => sent.filter(({ path }) => path === '/auth/refresh').length
    app.clock.advance(DAY_SECONDS + 1)
    expect((await tens(() => titular.call(getMe))).map((me) => me.email)).toEqual(
      Array.from({ length: 10 }, () => email),
    )
    expect(renewals()).toBe(1)
    // The client sees the end coming: no request is refused.
    now += DAY_SECONDS * 1000
    app.clock.advance(DAY_SECONDS + 1)
    sent.length = 0
    await tens(() => titular.call(getMe))
    expect([renewals(), sent.length]).toEqual([1, 11])
    sent.length = 0
    app.clock.advance(DAY_SECONDS + 1)
    await titular.call(createOrganization, { body: { name: 'Acme' } })
    expect(sent.map(({ path }) => path)).toEqual(['/organizations', '/auth/refresh', '/organizations'])
    const [first, , second] = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect([second, second === null]).toEqual([first, false])
  })
  it('survives an answer with new tokens that was lost', async () => {
    const { email } = await registered()
    const network = await cutting(app.url)
    const session = tokenSession()
    const { titular } = watched(network, { credentials: session })
    await session.signIn({ email, password: PASSWORD })
    const { refresh_token } = session.tokens ?? {}
    app.clock.advance(DAY_SECONDS + 1)
    let lost = 0
    const losing: typeof fetch = async (url, init) => {
      if (addressOf(url).endsWith('/auth/refresh') && lost++ === 0) network.loseAnswers(1)
      return fetch(url, init)
    }
    const unlucky = watched(network, { credentials: session }, losing)
    expect((await unlucky.titular.call(getMe)).email).toBe(email)
    expect(unlucky.sent.map(({ path }) => path)).toEqual(['/auth/me', '/auth/refresh', '/auth/refresh', '/auth/me'])
    expect(session.tokens?.refresh_token).not.toBe(refresh_token)
    network.stop()
    expect(await failureOf(titular.call(getMe, {}, { retries: 0 }))).toBeInstanceOf(ConnectionError)
    await network.close()
  })
  it('that was ended elsewhere is over: the call is refused, and nothing is tried in a circle', async () => {
    const { email, headers } = await registered()
    const kept: unknown[] = []
    const session = tokenSession({ onChange: (tokens) => void kept.push(tokens) })
    const { titular, sent } = watched(app, { credentials: session })
    await session.signIn({ email, password: PASSWORD })
    await app.world.anonymous.delete('/auth/sessions', headers)
    expect(await failureOf(titular.call(getMe))).toBeInstanceOf(AuthenticationError)
    expect(sent.map(({ path }) => path)).toEqual(['/auth/login', '/auth/me', '/auth/refresh'])
    expect([session.tokens, kept.at(-1)]).toEqual([null, null])
  })
  it('signs in by itself, and again when it has ended, where it has the password', async () => {
    const { email, code } = await enrolled()
    const session = tokenSession({ signIn: { email, password: PASSWORD, code } })
    const { titular, sent } = watched(app, { credentials: session })
    await tens(() => titular.call(getMe))
    expect(sent.filter(({ path }) => path === '/auth/login')).toHaveLength(1)
    await session.signOut()
    app.clock.advance(60)
    expect((await titular.call(getMe)).email).toBe(email)
    const without = watched(app, { credentials: tokenSession({ signIn: { email, password: PASSWORD } }) })
    expect(await failureOf(without.titular.call(getMe))).toBeInstanceOf(TitularError)
  })
  it('that is signed out of has ended at the service too, also when its token had ended', async () => {
    const { email } = await registered()
    let now = Date.now()
    const session = tokenSession({ now: () => now })
    watched(app, { credentials: session })
    await session.signIn({ email, password: PASSWORD })
    const { tokens } = session
    now += DAY_SECONDS * 1000
    app.clock.advance(DAY_SECONDS + 1)
    await session.signOut()
    expect(session.tokens).toBeNull()
    // Beyond the seconds in which a refresh token that was used has the same successor.
    app.clock.advance(60)
    const copy = watched(app, { credentials: tokenSession({ tokens, now: () => now }) })
    expect(await failureOf(copy.titular.call(getMe))).toBeInstanceOf(AuthenticationError)
    const [live] = await app.database.query<{ count: number }>(
      `select count(*)::int as count from sessions s join users u on u.id = s.user_id
        where u.email = $1 and s.ended_at is null`,
      [email],
    )
    expect(live?.count).toBe(1)
  })
  it('stays signed out when a renewal had begun before', async () => {
    const { email } = await registered()
    let now = Date.now()
    const session = tokenSession({ now: () => now })
    const gate = Promise.withResolvers<void>()
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
    const { titular, sent } = watched(app, { credentials: session }, async (url, init) => {
      const response = await fetch(url, init)
      if (!addressOf(url).endsWith('/auth/refresh')) return response
      asked()
      await gate.promise
      return response
    })
    await session.signIn({ email, password: PASSWORD })
    now += (DAY_SECONDS - 10) * 1000
    const call = titular.call(getMe).catch((error: unknown) => error)
    await isAsked
    now -= DAY_SECONDS * 1000
    await session.signOut()
    gate.resolve()
    await call
    expect(session.tokens).toBeNull()
    expect(sent.filter(({ path }) => path === '/auth/login')).toHaveLength(1)
  })
  it('goes on with a token that has not ended while no renewal is answered', async () => {
    const { email } = await registered()
    let now = Date.now()
    const session = tokenSession({ now: () => now })
    const { titular } = watched(app, { credentials: session }, (url, init) =>
      addressOf(url).endsWith('/auth/refresh') ? Promise.reject(new TypeError('away')) : fetch(url, init),
    )
    await session.signIn({ email, password: PASSWORD })
    now += (DAY_SECONDS - 10) * 1000
    expect((await titular.call(getMe)).email).toBe(email)
    now += 20_000
    expect(await failureOf(titular.call(getMe))).toBeInstanceOf(ConnectionError)
  })
  it('belongs to a client before it signs in', async () => {
    await expect(tokenSession().signIn({ email: 'ana@example.com', password: 'x' })).rejects.toThrow('createTitular')
  })
})

it('the address of the service may have the base path', async () => {
  const { headers } = await registered()
  for (const baseUrl of [app.url, `${app.url}/`, `${app.url}/api/v1`, `${app.url}/api/v1/`])
    expect(await createTitular({ baseUrl, headers: { ...headers } }).call(getMe)).toMatchObject({
      id: expect.any(Number),
    })
})

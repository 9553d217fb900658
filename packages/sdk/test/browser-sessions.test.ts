// Signing in by a cookie and a nonce, as pages do.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { PASSWORD, secondFactorScene } from '../../../test/scenes/second-factor.ts'
import { AuthenticationError, cookieSession, getMe, type SignInChallenge } from '../src/index.ts'
import { failureOf, tens, watched } from './client.ts'

const DAY_SECONDS = 86_400

const app = await appOfFile({ listens: true })
const { registered, enrolled } = secondFactorScene(app)

/** Keeps cookies as a browser does. */
function browser(): typeof fetch {
  const jar = new Map<string, string>()
  return async (url, init) => {
    const headers = new Headers(init?.headers)
    if (init?.credentials === 'include') headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    const response = await fetch(url, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    return response
  }
}

describe('a session of a browser', () => {
  it('is a cookie and a nonce, which survives a reload and is asked for again once', async () => {
    const { email } = await registered()
    const page = browser()
    const session = cookieSession()
    const first = watched(app, { credentials: session }, page)
    expect(await session.restore()).toBeNull()
    expect(await session.signIn({ email, password: PASSWORD })).toMatchObject({ user: { email } })
    expect((await first.titular.call(getMe)).email).toBe(email)

    const reloaded = watched(app, { credentials: cookieSession() }, page)
    await tens(() => reloaded.titular.call(getMe))
    expect(reloaded.sent.filter(({ path }) => path === '/auth/session')).toHaveLength(1)

    // The nonce of the first page ends; the cookie does not.
    first.sent.length = 0
    app.clock.advance(DAY_SECONDS + 1)
    await tens(() => first.titular.call(getMe))
    const paths = first.sent.map(({ path }) => path)
    expect(paths.filter((path) => path === '/auth/session')).toHaveLength(1)
    expect(paths).toHaveLength(21)

    await session.signOut()
    first.sent.length = 0
    expect(await failureOf(first.titular.call(getMe))).toBeInstanceOf(AuthenticationError)
    expect(first.sent.map(({ path }) => path)).toEqual(['/auth/me', '/auth/session'])
    expect(first.sent[0]?.headers.has('authorization')).toBe(false)
  })
  it('is signed out of after a reload, and when its nonce has ended', async () => {
    const { email } = await registered()
    for (const isReloaded of [true, false]) {
      const page = browser()
      const session = cookieSession()
      watched(app, { credentials: session }, page)
      await session.signIn({ email, password: PASSWORD })
      app.clock.advance(DAY_SECONDS + 1)
      const leaving = isReloaded ? cookieSession() : session
      if (isReloaded) watched(app, { credentials: leaving }, page)
      await leaving.signOut()
      const later = cookieSession()
      watched(app, { credentials: later }, page)
      expect(await later.restore()).toBeNull()
    }
  })
  it('does nothing in the name of somebody who has signed in on another page meanwhile', async () => {
    const [ana, bruno] = [await registered(), await registered()]
    const page = browser()
    const session = cookieSession()
    const { titular } = watched(app, { credentials: session }, page)
    await session.signIn({ email: ana.email, password: PASSWORD })
    const other = cookieSession()
    const otherPage = watched(app, { credentials: other }, page)
    await other.signIn({ email: bruno.email, password: PASSWORD })
    for (const attempt of [1, 2])
      expect(await failureOf(titular.call(getMe)), `attempt ${attempt}`).toBeInstanceOf(AuthenticationError)
    for (const failure of await tens(() => failureOf(titular.call(getMe))))
      expect(failure).toBeInstanceOf(AuthenticationError)
    expect((await otherPage.titular.call(getMe)).email).toBe(bruno.email)
    expect(await session.restore()).toMatchObject({ user: { email: bruno.email } })
    expect((await titular.call(getMe)).email).toBe(bruno.email)
  })
  it('needs the code of the app where the account has one', async () => {
    const { email, code } = await enrolled()
    const session = cookieSession()
    const { titular } = watched(app, { credentials: session }, browser())
    const challenge = await session.signIn({ email, password: PASSWORD })
    expect(challenge).toMatchObject({ second_factor_required: true })
    await session.finish(challenge as SignInChallenge, { code: code() })
    expect((await titular.call(getMe)).email).toBe(email)
  })
})

// Providers that say what no provider may say, and connections that end while a sign-in is under way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'
import { PUBLIC_URL, REDIRECT_URI, signOnScene } from '#test/scenes/single-sign-on.ts'
import { secondFactorScene } from '#test/scenes/second-factor.ts'
import { startFalseProvider } from '#test/stand-ins/false-openid-provider.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/stand-ins/openid-provider.ts'

let app: TestApp
let nobody: Speaker
let honest: OpenidProvider
let hostile: Awaited<ReturnType<typeof startFalseProvider>>
let scene: ReturnType<typeof signOnScene>
beforeAll(async () => {
  honest = await startOpenidProvider({ redirectUri: REDIRECT_URI })
  hostile = await startFalseProvider()
  app = await startApp({ environment: { PUBLIC_URL } })
  nobody = app.world.anonymous
  scene = signOnScene(app)
})
afterAll(async () => {
  await app.close()
  await honest.close()
  await hostile.close()
})

/** A sign-in by the hostile provider up to the answer that the browser brings back. */
async function begun() {
  const connected = await scene.connected({ ...honest, ...hostile })
  const ana = connected.person('ana')
  const { url, headers } = await scene.begin(ana.email ?? '')
  hostile.opened(url)
  const state = new URL(url).searchParams.get('state') ?? ''
  const finish = () => nobody.post('/auth/session/sso', { state, code: 'c', iss: hostile.issuer }, headers)
  return { ...connected, ana, finish }
}

describe('an ID token', () => {
  it.each([
    ['a subject with a NUL', { sub: 'ana\0' }],
    ['a subject with half a character', { sub: 'ana\ud800' }],
    ['a subject that is not ASCII', { sub: 'aná' }],
    ['an address with a NUL', { email: 'a\0na@DOMAIN' }],
    ['an address with half a character', { email: 'a\ud800na@DOMAIN' }],
    ['an address with a line break', { email: 'a\nna@DOMAIN' }],
    ['a list of addresses', { email: ['ana@DOMAIN'] }],
  ])('401 with %s', async (_what, { email, ...claims }: { sub?: string; email?: string | string[] }) => {
    const { domain, ana, finish } = await begun()
    const given = typeof email === 'string' ? email.replace('DOMAIN', domain) : (email ?? ana.email)
    hostile.answers({ claims: { email: given, ...claims } })
    const { status, data } = await finish()
    expect([status, data]).toEqual([401, null])
  })
  it('200 with a name that cannot be kept: the account gets that of its address', async () => {
    const { ana, finish } = await begun()
    hostile.answers({ claims: { email: ana.email, name: 'A\0na' } })
    expect((await finish()).data.user.name).toBe('ana')
  })
})

describe('a connection that is removed', () => {
  it('401 for a sign-in whose code is being exchanged', async () => {
    const { organization, path, ana, finish } = await begun()
    const { promise: exchanging, resolve: exchange } = Promise.withResolvers<void>()
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    hostile.answers({ claims: { email: ana.email } })
    hostile.holds(async () => {
      exchange()
      await answering
    })
    const finished = finish()
    await exchanging
    expect((await organization.owner.delete(path)).status).toBe(200)
    await app.service.worker.drain()
    answer()
    expect((await finished).status).toBe(401)
    const rows = await app.database.query(
      `select id from sso_identities where connection_id = $1 union all select id from sessions where sso_connection_id = $1`,
      [Number(path.split('/').at(-1))],
    )
    expect(rows).toEqual([])
  })
  it('401 for a sign-in that waits for the second factor', async () => {
    const { organization, person, path } = await scene.connected(honest)
    const who = await secondFactorScene(app).enrolled()
    await app.database.query(`update users set email = $2, status = 'ACTIVE' where id = $1`, [
      who.userId,
      person('ana').email,
    ])
    const { data } = await scene.signIn(honest, person('ana'))
    expect(data.second_factor_required).toBe(true)
    expect((await organization.owner.delete(path)).status).toBe(200)
    await app.service.worker.drain()
    const body = { challenge: data.challenge, code: who.code() }
    expect((await nobody.post('/auth/session/second-factor', body)).status).toBe(401)
  })
})

// Single sign-on of a program without cookies: the browser hands the provider's answer to it at the loopback.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'
import { PUBLIC_URL, REDIRECT_URI, signOnScene } from '#test/scenes/single-sign-on.ts'
import { secondFactorScene } from '#test/scenes/second-factor.ts'
import { type OpenidProvider, type Person, startOpenidProvider } from '#test/stand-ins/openid-provider.ts'

let app: TestApp
let nobody: Speaker
let provider: OpenidProvider
let scene: ReturnType<typeof signOnScene>
beforeAll(async () => {
  provider = await startOpenidProvider({ redirectUri: REDIRECT_URI })
  app = await startApp({ environment: { PUBLIC_URL } })
  nobody = app.world.anonymous
  scene = signOnScene(app)
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

const begin = (email: string, port: unknown = 51_763) => nobody.post('/auth/login/sso/begin', { email, port })
/** What comes to the loopback, with the program's token. */
async function visited(person: Person) {
  const { status, data, headers } = await begin(person.email ?? '')
  expect([status, headers['set-cookie']]).toEqual([201, undefined])
  const { state = '', code = '', iss = '' } = await provider.visit(data.authorization_url, person)
  return { state, code, iss, sign_on_token: data.sign_on_token as string }
}
const finish = (body: object) => nobody.post('/auth/login/sso', body)

describe('POST /auth/login/sso/begin', () => {
  it('201 with a state that names the port, and no cookie', async () => {
    const { person } = await scene.connected(provider)
    const { state } = await visited(person('ana'))
    expect(state).toMatch(/^[\w-]{43}\.51763$/)
  })
  it('404 for a domain without a connection, 422 for a port that is none, 503 when the provider fails', async () => {
    expect((await begin('x@nobody.example')).status).toBe(404)
    for (const port of [80, 65_536, '51763', 1.5, null])
      expect(Object.keys((await begin('x@nobody.example', port)).errors?.fields ?? {})).toEqual(['port'])
    const own = await startOpenidProvider({ redirectUri: REDIRECT_URI })
    const { person } = await scene.connected(own)
    own.fail(true)
    expect((await begin(person('ana').email ?? '')).status).toBe(503)
    await own.close()
  })
})

describe('POST /auth/login/sso', () => {
  it('200 with tokens of a session by single sign-on, which enters where it is required', async () => {
    const { organization, domain, person } = await scene.connected(provider, { member_scopes: ['tickets'] })
    await app.database.query('update organizations set sso_domains = $2 where id = $1', [organization.id, [domain]])
    const { status, data, headers } = await finish(await visited(person('ana')))
    expect([status, data.token_type]).toEqual([200, 'Bearer'])
    expect(String(headers['set-cookie'])).not.toContain('service_session')
    const bearer = { authorization: `Bearer ${data.access_token}`, 'x-service-organization': String(organization.id) }
    expect((await nobody.get('/tickets', bearer)).status).toBe(200)
    expect((await nobody.get('/auth/sessions', bearer)).data).toMatchObject([
      { signed_in_by: 'sso', is_browser: false },
    ])
    const { data: renewed } = await nobody.post('/auth/refresh', { refresh_token: data.refresh_token })
    const again = { ...bearer, authorization: `Bearer ${renewed.access_token}` }
    expect((await nobody.get('/tickets', again)).status).toBe(200)
  })
  it('200 with a challenge for an account with an app, which then gets tokens', async () => {
    const { person } = await scene.connected(provider)
    const who = await secondFactorScene(app).enrolled()
    await app.database.query(`update users set email = $2, status = 'ACTIVE' where id = $1`, [
      who.userId,
      person('eva').email,
    ])
    const { data } = await finish(await visited(person('eva')))
    expect(data.second_factor_required).toBe(true)
    const answer = await nobody.post('/auth/login/second-factor', { challenge: data.challenge, code: who.code() })
    expect([answer.status, answer.data.token_type]).toEqual([200, 'Bearer'])
  })
  it('401 without the program’s own token, and for a cookie in its place; 200 once of many at a time', async () => {
    const { person } = await scene.connected(provider)
    const [mine, other] = [await visited(person('ana')), await visited(person('bia'))]
    expect((await finish({ ...mine, sign_on_token: other.sign_on_token })).status).toBe(401)
    const { sign_on_token: _, ...bare } = mine
    expect((await finish(bare)).status).toBe(422)
    expect((await nobody.post('/auth/session/sso', bare)).status).toBe(401)
    const answers = await Promise.all(Array.from({ length: 10 }, () => finish(mine)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
  })
  it('401 with a changed port, an error of the provider, and after ten minutes', async () => {
    const { person } = await scene.connected(provider)
    const mine = await visited(person('ana'))
    expect((await finish({ ...mine, state: mine.state.replace('51763', '51764') })).status).toBe(401)
    const { code: _, ...refused } = await visited(person('bia'))
    expect((await finish({ ...refused, error: 'access_denied' })).status).toBe(401)
    app.clock.advance(601)
    expect((await finish(mine)).status).toBe(401)
    await app.service.worker.drain()
  })
  it('503 when the provider fails', async () => {
    const own = await startOpenidProvider({ redirectUri: REDIRECT_URI })
    const { person } = await scene.connected(own)
    const { data } = await begin(person('ana').email ?? '')
    const { state, code, iss } = await own.visit(data.authorization_url, person('ana'))
    own.fail(true)
    expect((await finish({ state, code, iss, sign_on_token: data.sign_on_token })).status).toBe(503)
    await own.close()
  })
})

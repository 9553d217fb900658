// Under TLS a cookie counts by the name with `__Host-` alone: one without it may come from another host, or from the network.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCookie } from '#http/cookie-name.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { signOnScene } from '#test/scenes/single-sign-on.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/stand-ins/openid-provider.ts'

const PUBLIC_URL = 'https://titular.example'
let app: TestApp
let provider: OpenidProvider
let scene: ReturnType<typeof signOnScene>
beforeAll(async () => {
  provider = await startOpenidProvider({ redirectUri: `${PUBLIC_URL}/sso` })
  app = await startApp({ environment: { PUBLIC_URL } })
  scene = signOnScene(app)
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

const withoutPrefix = (cookie: string): string => cookie.replaceAll('__Host-', '')

describe('under TLS', () => {
  it('the cookie of a sign-in binds it to the browser by its whole name: 401 without the prefix', async () => {
    const { person } = await scene.connected(provider)
    const ana = person('ana')
    const finish = async (cookieOf: (cookie: string) => string) => {
      const { url, headers } = await scene.begin(ana.email ?? '')
      const { state, code, iss } = await provider.visit(url, ana)
      const cookie = cookieOf(headers.cookie)
      return app.world.anonymous.post('/auth/session/sso', { state, code, iss }, { cookie })
    }
    const refused = await finish(withoutPrefix)
    expect([refused.status, refused.errors?.reason]).toEqual([401, 'sso_expired'])
    const planted = await finish((cookie) => `${withoutPrefix(cookie)}; __Host-service_sign_on=other`)
    expect(planted.status).toBe(401)
    const signedIn = await finish((cookie) => `service_sign_on=other; ${cookie}`)
    expect(signedIn.status).toBe(200)
    const cookie = scene.sessionOf(signedIn)['cookie'] ?? ''
    expect((await app.world.anonymous.get('/auth/session', { cookie })).status).toBe(200)
    expect((await app.world.anonymous.get('/auth/session', { cookie: withoutPrefix(cookie) })).status).toBe(401)
  })
})

describe('readCookie', () => {
  const header = 'service_device=a; __Host-service_device=b; xservice_device=c'
  it.each([
    ['http://127.0.0.1:4000', 'a'],
    ['https://titular.example', 'b'],
  ])('at %s takes the name under which the service sets it', (publicUrl, value) => {
    expect(readCookie(header, 'service_device', publicUrl)).toBe(value)
    expect(readCookie('other=1', 'service_device', publicUrl)).toBeUndefined()
    expect(readCookie(undefined, 'service_device', publicUrl)).toBeUndefined()
  })
})

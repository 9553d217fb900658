// The inbox admits a reader as the organization itself would: single sign-on and the second factor of its provider.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { PUBLIC_URL, REDIRECT_URI, signOnScene } from '#test/scenes/single-sign-on.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/stand-ins/openid-provider.ts'

let app: TestApp
let provider: OpenidProvider
beforeAll(async () => {
  provider = await startOpenidProvider({ redirectUri: REDIRECT_URI })
  app = await startApp({ environment: { PUBLIC_URL } })
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

it('lists no notice of an organization that requires single sign-on to a session by password', async () => {
  const scene = signOnScene(app)
  const { organization, domain, person } = await scene.connected(provider)
  const ana = await organization.member({ email: person('ana').email ?? '', scopes: ['quotes'] })
  await sentQuote(organization)
  await app.service.worker.drain()
  const [entry] = (await ana.get('/me/inbox')).data
  expect(entry.kind).toBe('quote-sent')
  await app.database.query('update organizations set sso_domains = $2 where id = $1', [organization.id, [domain]])
  expect((await ana.get('/me/inbox')).data).toEqual([])
  expect((await ana.get('/me/inbox/count')).data.unread).toBe(0)
  expect((await ana.put(`/me/inbox/${entry.id}`, { read: true })).status).toBe(404)
  expect((await organization.owner.get('/me/inbox')).data).toHaveLength(1)
  const session = scene.sessionOf(await scene.signIn(provider, person('ana')))
  const inbox = () => app.world.anonymous.get('/me/inbox', session)
  expect((await inbox()).data).toHaveLength(1)
  await app.database.query('update organizations set require_mfa = true where id = $1', [organization.id])
  expect((await inbox()).data).toEqual([])
  const strong = await scene.signIn(provider, person('ana', { amr: ['pwd', 'mfa'] }))
  const listed = await app.world.anonymous.get('/me/inbox', scene.sessionOf(strong))
  expect(listed.data).toHaveLength(1)
})

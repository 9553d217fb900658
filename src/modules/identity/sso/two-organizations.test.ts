// Two organizations with one identity provider, which gives both the same issuer and the same subjects.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { PUBLIC_URL, REDIRECT_URI, signOnScene } from '#test/scenes/single-sign-on.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/stand-ins/openid-provider.ts'

let app: TestApp
let provider: OpenidProvider
let scene: ReturnType<typeof signOnScene>
beforeAll(async () => {
  provider = await startOpenidProvider({ redirectUri: REDIRECT_URI })
  app = await startApp({ environment: { PUBLIC_URL } })
  scene = signOnScene(app)
})
afterAll(async () => {
  await app.close()
  await provider.close()
})

it('an identity belongs to its connection: the same issuer and subject is another account at another organization', async () => {
  const [acme, other] = [await scene.connected(provider), await scene.connected(provider)]
  const sub = 'one-subject'
  const ids = []
  // Each a second time, by the identity that the first has linked.
  for (const { person } of [acme, other, acme, other]) {
    const { status, data } = await scene.signIn(provider, person('ana', { sub }))
    expect(status).toBe(200)
    ids.push(data.user.id)
  }
  const [first, second] = ids
  expect(ids).toEqual([first, second, first, second])
  expect(first).not.toBe(second)
  const linked = await app.database.query<{ user_id: number; connection_id: number }>(
    'select user_id, connection_id from sso_identities where subject = $1 order by id',
    [sub],
  )
  expect(linked).toEqual([
    { user_id: first, connection_id: acme.id },
    { user_id: second, connection_id: other.id },
  ])
  // The end of one connection leaves the identity of the other.
  await acme.organization.owner.delete(acme.path)
  await app.service.worker.drain()
  expect((await scene.signIn(provider, other.person('ana', { sub }))).data.user.id).toBe(second)
})

// Renaming and removing passkeys, and what ends with an account that changes hands.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Headers } from '#test/harness/world.ts'
import { createAuthenticator, type Passkey } from '#test/scenes/authenticator.ts'
import { bearer, PASSWORD, secondFactorScene } from '#test/scenes/second-factor.ts'

const authenticator = createAuthenticator('https://titular.example')

const app = await appOfFile({ environment: { PUBLIC_URL: 'https://titular.example' } })
const nobody = app.world.anonymous
const scene: ReturnType<typeof secondFactorScene> = secondFactorScene(app)

async function withPasskey(who?: { email: string; headers: Headers; userId: number }) {
  const ana = who ?? (await scene.registered())
  const options = await nobody.post('/auth/passkeys/options', { current_password: PASSWORD }, ana.headers)
  const { passkey, credential } = authenticator.create(options.data)
  const { data } = await nobody.post('/auth/passkeys', { name: 'Phone', credential }, ana.headers)
  return { ...ana, passkey, id: data.id as number }
}
async function twoPasskeys() {
  const first = await withPasskey()
  return [first, await withPasskey(first)] as const
}
async function stepUp(headers: Headers, passkey: Passkey): Promise<void> {
  const { data: options } = await nobody.post('/auth/login/passkey/options')
  const credential = authenticator.get(passkey, options)
  expect((await nobody.post('/auth/step-up', { credential }, headers)).status).toBe(200)
}
async function signIn(passkey: Passkey): Promise<Headers | null> {
  const { data: options } = await nobody.post('/auth/login/passkey/options')
  const answer = await nobody.post('/auth/login/passkey', { credential: authenticator.get(passkey, options) })
  return answer.status === 200 ? bearer(answer.data.access_token) : null
}

describe('GET /auth/passkeys/{id}', () => {
  it('200 as the list has it; 404 for another person’s, and for one that is removed', async () => {
    const [ana, bia] = [await withPasskey(), await withPasskey()]
    const path = `/auth/passkeys/${ana.id}`
    const { data: list } = await nobody.get('/auth/passkeys', ana.headers)
    expect((await nobody.get(path, ana.headers)).data).toEqual(list[0])
    expect((await nobody.get(path, bia.headers)).status).toBe(404)
    await nobody.delete(path, ana.headers)
    expect((await nobody.get(path, ana.headers)).status).toBe(404)
  })
})

describe('PUT /auth/passkeys/{id}', () => {
  it('200 with the new name', async () => {
    const { headers, id } = await withPasskey()
    expect((await nobody.put(`/auth/passkeys/${id}`, { name: 'Old phone' }, headers)).data.name).toBe('Old phone')
    expect((await nobody.put(`/auth/passkeys/${id}`, { name: ' ' }, headers)).status).toBe(422)
  })
  it('412 for the ETag of before another name, DELETE too; 200 with that of now', async () => {
    const { headers, id } = await withPasskey()
    const path = `/auth/passkeys/${id}`
    const having = async () => ({
      ...headers,
      'if-match': String((await nobody.get(path, headers)).headers['etag']),
    })
    const seen = await having()
    expect((await nobody.put(path, { name: 'Old phone' }, seen)).status).toBe(200)
    expect((await nobody.put(path, { name: 'Spare phone' }, seen)).status).toBe(412)
    expect((await nobody.delete(path, seen)).status).toBe(412)
    expect((await nobody.get(path, headers)).data.name).toBe('Old phone')
    expect((await nobody.delete(path, await having())).status).toBe(200)
  })
  it('404 for another person’s, which keeps its name; DELETE too', async () => {
    const [ana, bia] = [await withPasskey(), await withPasskey()]
    expect((await nobody.put(`/auth/passkeys/${bia.id}`, { name: 'Mine' }, ana.headers)).status).toBe(404)
    expect((await nobody.delete(`/auth/passkeys/${bia.id}`, ana.headers)).status).toBe(404)
    expect((await nobody.get('/auth/passkeys', bia.headers)).data).toMatchObject([{ id: bia.id, name: 'Phone' }])
  })
})

describe('DELETE /auth/passkeys/{id}', () => {
  it('200: it signs in no more, and the sessions that it opened end, but no others', async () => {
    const { headers, id, passkey } = await withPasskey()
    const opened = (await signIn(passkey)) ?? {}
    expect((await nobody.delete(`/auth/passkeys/${id}`, headers)).status).toBe(200)
    expect((await nobody.get('/auth/me', opened)).status).toBe(401)
    expect((await nobody.get('/auth/me', headers)).status).toBe(200)
    expect(await signIn(passkey)).toBeNull()
    expect((await nobody.delete(`/auth/passkeys/${id}`, headers)).status).toBe(404)
  })
  it('the caller’s own session stays, without a second factor', async () => {
    const { id, passkey } = await withPasskey()
    const opened = (await signIn(passkey)) ?? {}
    await nobody.delete(`/auth/passkeys/${id}`, opened)
    expect((await nobody.get('/auth/sessions', opened)).data[0]).toMatchObject({
      is_current: true,
      second_factor: null,
    })
  })
  it('ends the sessions that it opened also where another passkey has proven them since', async () => {
    const [lost, kept] = await twoPasskeys()
    const opened = (await signIn(lost.passkey)) ?? {}
    await stepUp(opened, kept.passkey)
    expect((await nobody.delete(`/auth/passkeys/${lost.id}`, kept.headers)).status).toBe(200)
    expect((await nobody.get('/auth/me', opened)).status).toBe(401)
  })
  it('the caller’s own session goes on with the second factor of another passkey, and loses it with that one', async () => {
    const [first, second] = await twoPasskeys()
    const opened = (await signIn(first.passkey)) ?? {}
    const factor = async () => (await nobody.get('/auth/sessions', opened)).data[0].second_factor
    await nobody.delete(`/auth/passkeys/${first.id}`, opened)
    await stepUp(opened, second.passkey)
    expect(await factor()).toBe('passkey')
    await nobody.delete(`/auth/passkeys/${second.id}`, opened)
    expect(await factor()).toBeNull()
  })
})

describe('passkeys', () => {
  it('stay with a new password', async () => {
    const { headers, passkey } = await withPasskey()
    await nobody.put('/auth/me', { password: 'vento-Lilás 8', current_password: PASSWORD }, headers)
    expect(await signIn(passkey)).not.toBeNull()
  })
  it('end with the first proof of the address by somebody else than the registrant', async () => {
    const { email, passkey } = await withPasskey()
    await app.service.worker.drain()
    await nobody.post('/auth/resend-verification', { email })
    const link = await mailboxOf(app).link(email, '/verify-account')
    expect((await nobody.post('/auth/verify-account', link)).status).toBe(200)
    expect(await signIn(passkey)).toBeNull()
  })
  it('of a member count as the second factor that an organization requires', async () => {
    const { passkey, email, userId } = await withPasskey()
    const acme = await app.world.organization()
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role, invite_status, can_manage_quotes)
       values ($1, $2, $3, 'member', 'accepted', true)`,
      [acme.id, userId, email],
    )
    await app.database.query('update organizations set require_mfa = true where id = $1', [acme.id])
    const opened = (await signIn(passkey)) ?? {}
    const inside = { ...opened, 'x-service-organization': String(acme.id) }
    expect((await nobody.get('/quotes', inside)).status).toBe(200)
  })
})

// Organizations that require single sign-on, and what a provider's second factor counts for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Headers, Speaker } from '#test/harness/world.ts'
import { apiKey } from '#test/scenes/records.ts'
import { bearer } from '#test/scenes/second-factor.ts'
import { PUBLIC_URL, REDIRECT_URI, signOnScene } from '#test/scenes/single-sign-on.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/stand-ins/openid-provider.ts'

let app: TestApp
let nobody: Speaker
let provider: OpenidProvider
let staffs: OpenidProvider
let scene: ReturnType<typeof signOnScene>

beforeAll(async () => {
  provider = await startOpenidProvider({ redirectUri: REDIRECT_URI })
  staffs = await startOpenidProvider({ redirectUri: REDIRECT_URI, clientId: 'console' })
  app = await startApp({
    environment: {
      PUBLIC_URL,
      STAFF_MFA: 'required',
      STAFF_SSO_ISSUER: staffs.issuer,
      STAFF_SSO_CLIENT_ID: staffs.clientId,
      STAFF_SSO_CLIENT_SECRET: staffs.clientSecret,
      STAFF_SSO_DOMAINS: 'vendor.example, vendor.com.br',
    },
  })
  nobody = app.world.anonymous
  scene = signOnScene(app)
})
afterAll(async () => {
  await app.close()
  await provider.close()
  await staffs.close()
})

const inside = (headers: Headers, id: number): Headers => ({ ...headers, 'x-service-organization': String(id) })
const readIn = (headers: Headers, id: number) => nobody.get(`/organizations/${id}`, inside(headers, id))
const settle = () => app.service.worker.drain()

/** A device that the session lets sign in. */
async function signedInDevice(by: Headers): Promise<Headers> {
  const { data: begun } = await nobody.post('/auth/device')
  expect((await nobody.post('/auth/device/approve', { user_code: begun.user_code }, by)).status).toBe(200)
  const { data } = await nobody.post('/auth/device/token', { device_code: begun.device_code })
  return bearer(data.access_token)
}

/** Required, after somebody has signed in by it. */
async function required() {
  const connected = await scene.connected(provider, { member_scopes: ['organization'] })
  const first = await scene.signIn(provider, connected.person('first'))
  expect(first.status).toBe(200)
  const { organization, path } = connected
  expect((await organization.owner.patch(path, { is_required: true })).data.is_required).toBe(true)
  return { ...connected, read: (headers: Headers) => readIn(headers, organization.id), first: scene.sessionOf(first) }
}

describe('is_required', () => {
  it('409 before anybody has signed in by the connection as it is', async () => {
    const { organization, path, person } = await scene.connected(provider)
    const early = await organization.owner.patch(path, { is_required: true })
    expect([early.status, early.errors?.reason]).toEqual([409, 'sso_not_tried'])
    await scene.signIn(provider, person('ana'))
    expect((await organization.owner.patch(path, { is_required: true })).status).toBe(200)
    const moved = await organization.owner.patch(path, { issuer: 'https://login.elsewhere.example' })
    expect(moved.errors?.reason).toBe('sso_not_tried')
  })
  it('403 for a member of the domain with a password, from the next request on; 200 by single sign-on', async () => {
    const { organization, person, read, first, domain } = await required()
    const member = await organization.member({ email: person('ana').email ?? '', scopes: ['organization'] })
    const refused = await read(member.headers)
    expect([refused.status, refused.errors?.reason]).toEqual([403, 'sso_required'])
    expect((await nobody.get('/auth/me', member.headers)).status).toBe(200)
    expect((await read(first)).status).toBe(200)
    const answer = await scene.signIn(provider, person('ana'))
    expect((await read(scene.sessionOf(answer))).status).toBe(200)
    expect((await nobody.get(`/auth/sso?email=x@${domain}`)).data).toEqual({ is_available: true, is_required: true })
  })
  it('does not concern owners, members with other addresses, API keys and staff', async () => {
    const { organization, person, read } = await required()
    await app.database.query(`update users set email = $2 where id = $1`, [
      organization.owner.userId,
      person('owner').email,
    ])
    expect((await read(organization.owner.headers)).status).toBe(200)
    const guest = await organization.member({ scopes: ['organization'] })
    expect((await read(guest.headers)).status).toBe(200)
    const key = await apiKey(app, organization, { permission: 'read', scopes: ['organization'] })
    expect((await read(key)).status).toBe(200)
    await app.database.query(`update sessions set second_factor = 'totp' where user_id = $1`, [
      organization.staff.userId,
    ])
    expect((await read(organization.staff.headers)).status).toBe(200)
  })
  it('cannot be escaped by another address of the account, nor by the provider of another organization', async () => {
    const { organization, person, read } = await required()
    const member = await organization.member({ email: person('ana').email ?? '', scopes: ['organization'] })
    await app.database.query(`update users set email = 'ana-home@home.example' where id = $1`, [member.userId])
    expect((await read(member.headers)).errors?.reason).toBe('sso_required')
    const other = await scene.connected(provider)
    const bob = await scene.signIn(provider, other.person('bob'))
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role, invite_status, can_manage_org)
       values ($1, $2, $3, 'member', 'accepted', true)`,
      [organization.id, bob.data.user.id, person('bob').email],
    )
    expect((await read(scene.sessionOf(bob))).errors?.reason).toBe('sso_required')
  })
  it('ends with the proof of the domain, and comes back with it', async () => {
    const { organization, person, read, site } = await required()
    const member = await organization.member({ email: person('ana').email ?? '', scopes: ['organization'] })
    expect((await read(member.headers)).status).toBe(403)
    const setProof = async (status: string) => {
      await app.database.query(`update sites set verification_status = $2 where id = $1`, [site, status])
      // Any change of the site: its event is what the connection follows.
      expect((await organization.owner.patch(`/sites/${site}`, { name: status })).status).toBe(200)
      await settle()
    }
    await setProof('lapsed')
    expect((await read(member.headers)).status).toBe(200)
    await setProof('verified')
    expect((await read(member.headers)).status).toBe(403)
  })
  it('holds for a device that a member lets sign in, whose session ends with the connection too', async () => {
    const { organization, person, read, first, path } = await required()
    const member = await organization.member({ email: person('ana').email ?? '', scopes: ['organization'] })
    const byPassword = await signedInDevice(member.headers)
    const bySignOn = await signedInDevice(first)
    expect((await read(byPassword)).errors?.reason).toBe('sso_required')
    expect((await read(bySignOn)).status).toBe(200)
    const { data } = await nobody.post('/auth/device')
    await nobody.post('/auth/device/approve', { user_code: data.user_code }, first)
    expect((await organization.owner.delete(path)).status).toBe(200)
    await settle()
    expect((await read(bySignOn)).status).toBe(401)
    expect((await nobody.post('/auth/device/token', { device_code: data.device_code })).status).toBe(401)
  })
  it('ends with the connection, and with it the sessions that it opened', async () => {
    const { organization, person, read, first, path } = await required()
    const member = await organization.member({ email: person('ana').email ?? '', scopes: ['organization'] })
    expect((await organization.owner.delete(path)).status).toBe(200)
    await settle()
    expect((await read(member.headers)).status).toBe(200)
    expect((await read(first)).status).toBe(401)
  })
})

describe('the second factor of an organization’s provider', () => {
  it('counts in that organization, and in no other', async () => {
    const { organization, person } = await scene.connected(provider, { member_scopes: ['organization'] })
    const other = await app.world.organization()
    for (const { id } of [organization, other])
      await app.database.query('update organizations set require_mfa = true where id = $1', [id])
    const once = scene.sessionOf(await scene.signIn(provider, person('ana')))
    expect((await readIn(once, organization.id)).errors?.reason).toBe('second_factor_required')
    const answer = await scene.signIn(provider, person('ana', { amr: ['pwd', 'mfa'] }))
    const twice = scene.sessionOf(answer)
    expect((await readIn(twice, organization.id)).status).toBe(200)
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role, invite_status, can_manage_org)
       values ($1, $2, 'ana@x.example', 'member', 'accepted', true)`,
      [other.id, answer.data.user.id],
    )
    expect((await readIn(twice, other.id)).errors?.reason).toBe('second_factor_required')
  })
})

describe('the provider of staff', () => {
  const sofia = { sub: 'sofia', email: 'sofia@vendor.example', email_verified: true, name: 'Sofia' }
  it('signs staff in, with a second factor where it asked for one', async () => {
    const { userId } = await app.world.user({ email: sofia.email, roles: ['customer', 'support'] })
    expect((await nobody.get(`/auth/sso?email=${sofia.email}`)).data).toEqual({
      is_available: true,
      is_required: false,
    })
    const once = await scene.signIn(staffs, sofia)
    expect(once.data.user).toMatchObject({ id: userId, roles: ['customer', 'support'], organizations: [] })
    expect((await nobody.get('/admin/organizations', scene.sessionOf(once))).errors?.reason).toBe(
      'second_factor_required',
    )
    const twice = scene.sessionOf(await scene.signIn(staffs, { ...sofia, amr: ['mfa'] }))
    expect((await nobody.get('/admin/organizations', twice)).status).toBe(200)
    const [current] = (await nobody.get('/auth/sessions', twice)).data
    expect(current).toMatchObject({ signed_in_by: 'sso', second_factor: 'sso' })
  })
  it('makes nobody staff, and comes before an organization that has the domain', async () => {
    const organization = await app.world.organization()
    await scene.prove(organization, 'vendor.com.br')
    await scene.connect(organization, provider, 'vendor.com.br')
    const nova = { sub: 'nova', email: 'nova@vendor.com.br', email_verified: true }
    const { data } = await scene.signIn(staffs, nova)
    expect(data.user).toMatchObject({ name: 'nova', roles: ['customer'], organizations: [] })
  })
  it('signs in nobody of another domain', async () => {
    const { url, headers } = await scene.begin(sofia.email)
    const answer = await staffs.visit(url, { sub: 'eve', email: 'ana@acme.example', email_verified: true })
    const { state, code, iss } = answer
    expect((await nobody.post('/auth/session/sso', { state, code, iss }, headers)).status).toBe(401)
  })
})

// Signing in by single sign-on at a real OpenID provider: which account, which membership, and what is refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Speaker } from '#test/harness/world.ts'
import { PASSWORD, secondFactorScene } from '#test/scenes/second-factor.ts'
import { cookiesOf, PUBLIC_URL, REDIRECT_URI, signOnScene } from '#test/scenes/single-sign-on.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/stand-ins/openid-provider.ts'

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

const usersOf = async (email: string) =>
  app.database.query<{ id: number; status: string; has_password: boolean }>(
    `select id, status, password_hash is not null as has_password from users where lower(email) = lower($1)`,
    [email],
  )
const inside = (headers: Record<string, string>, id: number) => ({ ...headers, 'x-service-organization': String(id) })

describe('GET /auth/sso', () => {
  it('200 with what there is for the domain, with and without an account', async () => {
    const { domain, person } = await scene.connected(provider)
    expect((await nobody.get(`/auth/sso?email=somebody@${domain.toUpperCase()}`)).data).toEqual({
      is_available: true,
      is_required: false,
    })
    expect((await nobody.get(`/auth/sso?email=${person('ana').email}.example`)).data.is_available).toBe(false)
    expect((await nobody.get('/auth/sso?email=x')).status).toBe(422)
  })
})

describe('POST /auth/sso', () => {
  it('201 with an address that asks for a code with PKCE, state and nonce, and a cookie', async () => {
    const { person } = await scene.connected(provider)
    const begun = await nobody.post('/auth/sso', { email: person('ana').email, return_path: '/quotes/7' })
    const { searchParams: asked } = new URL(begun.data.authorization_url)
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'titular',
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      login_hint: person('ana').email,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/)
    expect(begun.headers['set-cookie']).toMatch(
      /^service_sign_on=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })
  it('404 for a domain that nobody has connected, or whose proof is a file or has gone', async () => {
    const { organization, domain } = await scene.connected(provider)
    expect((await nobody.post('/auth/sso', { email: 'ana@nobody.example' })).status).toBe(404)
    for (const change of [
      `verification_method = 'file'`,
      `verification_method = 'dns', verification_status = 'lapsed'`,
    ]) {
      await app.database.query(`update sites set ${change} where organization_id = $1`, [organization.id])
      expect((await nobody.post('/auth/sso', { email: `ana@${domain}` })).status).toBe(404)
    }
  })
  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'quotes', '/a b', '/\n'])(
    '422 for the return path %j',
    async (return_path) => {
      const { errors } = await nobody.post('/auth/sso', { email: 'ana@acme.example', return_path })
      expect(errors?.fields).toHaveProperty('return_path')
    },
  )
  it('503 when the provider fails, and works again after', async () => {
    const own = await startOpenidProvider({ redirectUri: REDIRECT_URI })
    const { person } = await scene.connected(own)
    own.fail(true)
    const failed = await nobody.post('/auth/sso', { email: person('ana').email })
    expect([failed.status, failed.errors?.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    own.fail(false)
    const begun = await scene.begin(person('ana').email ?? '')
    const { state, code } = await own.visit(begun.url, person('ana'))
    own.fail(true)
    expect((await nobody.post('/auth/session/sso', { state, code, iss: own.issuer }, begun.headers)).status).toBe(503)
    await own.close()
  })
})

describe('POST /auth/session/sso, the first time', () => {
  it('200 with a session of a new account, which is a member with the scopes of the connection', async () => {
    const { organization, person, id } = await scene.connected(provider, { member_scopes: ['tickets', 'quotes'] })
    const ana = person('ana')
    const { url, headers } = await scene.begin(ana.email ?? '', { return_path: '/quotes/7' })
    const { state, code, iss } = await provider.visit(url, ana)
    const answer = await nobody.post('/auth/session/sso', { state, code, iss }, headers)
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({
      return_path: '/quotes/7',
      user: {
        email: ana.email,
        name: 'Ana Souza',
        status: 'ACTIVE',
        active_team_id: organization.id,
        organizations: [{ id: organization.id, role: 'member', scopes: ['tickets', 'quotes', 'entitlements'] }],
      },
    })
    expect(cookiesOf(answer)).toMatch(/^service_sign_on=; service_session=\d+\.\d+\.[\w-]{43}; service_device=/)
    const session = scene.sessionOf(answer)
    expect((await nobody.get('/tickets', inside(session, organization.id))).status).toBe(200)
    expect((await nobody.get('/auth/sessions', session)).data).toMatchObject([
      { signed_in_by: 'sso', second_factor: null, is_browser: true },
    ])
    const mail = await mailboxOf(app).newest(ana.email ?? '')
    expect(mail.subject).toContain('Single sign-on')
    const { data: listed } = await organization.owner.get(`/sso/connections/${id}`)
    expect(listed.last_used_at).toBe(app.clock.now.toISOString())
  })
  it('200 for a provider that gives the address behind the access token only', async () => {
    const thin = await startOpenidProvider({ redirectUri: REDIRECT_URI, isThin: true })
    const { person } = await scene.connected(thin)
    expect((await scene.signIn(thin, person('ana'))).data.user.email).toBe(person('ana').email)
    await thin.close()
  })
  it('links a verified account, whose password stays', async () => {
    const { organization, person } = await scene.connected(provider)
    const email = person('bia').email ?? ''
    const bia = await app.world.user({ email })
    const answer = await scene.signIn(provider, person('bia', { email: email.toUpperCase() }))
    expect(answer.data.user).toMatchObject({ id: bia.userId, email, organizations: [{ id: organization.id }] })
    expect((await scene.signIn(provider, person('bia'))).data.user.id).toBe(bia.userId)
  })
  it('takes an unverified account from whoever registered it', async () => {
    const { person } = await scene.connected(provider)
    const email = person('cris').email ?? ''
    const registered = await nobody.post('/auth/register', { email, password: PASSWORD, name: 'Somebody' })
    const answer = await scene.signIn(provider, person('cris'))
    expect(answer.status).toBe(200)
    expect(await usersOf(email)).toEqual([{ id: answer.data.user.id, status: 'ACTIVE', has_password: false }])
    const thief = { authorization: `Bearer ${registered.data.access_token}` }
    expect((await nobody.get('/auth/me', thief)).status).toBe(401)
    expect((await nobody.post('/auth/login', { email, password: PASSWORD })).status).toBe(401)
  })
  it.each([
    ['not said to be verified', { email_verified: false }, 'sso_email_unverified'],
    ['of another domain', { email: 'ana@elsewhere.example' }, 'sso_other_domain'],
    ['of a domain below', { email: 'ana@sub.acme.example' }, 'sso_other_domain'],
    ['no address', { email: 'not an address' }, 'sso_other_domain'],
  ])('401 for an address that is %s', async (_what, also, reason) => {
    const { person } = await scene.connected(provider)
    const begun = await scene.begin(person('ana').email ?? '')
    const who = person(`odd${Math.random()}`, also)
    const { state, code, iss } = await provider.visit(begun.url, who)
    const answer = await nobody.post('/auth/session/sso', { state, code, iss }, begun.headers)
    expect([answer.status, answer.errors?.reason]).toEqual([401, reason])
    expect(await usersOf(who.email ?? '')).toEqual([])
  })
  it('401 for another person of the provider with the address of a linked account', async () => {
    const { person } = await scene.connected(provider)
    expect((await scene.signIn(provider, person('dora'))).status).toBe(200)
    const other = person('dora', { sub: 'another-dora' })
    expect((await scene.signIn(provider, other)).errors?.reason).toBe('sso_account_refused')
  })
  it('401 for staff and for a disabled account', async () => {
    const { person } = await scene.connected(provider)
    await app.world.user({ email: person('staff').email ?? '', roles: ['customer', 'support'] })
    expect((await scene.signIn(provider, person('staff'))).errors?.reason).toBe('sso_staff')
    const off = await app.world.user({ email: person('off').email ?? '' })
    await app.database.query('update users set disabled_at = now() where id = $1', [off.userId])
    const refused = await scene.signIn(provider, person('off'))
    expect([refused.status, refused.errors?.reason]).toEqual([401, 'sso_account_refused'])
  })
  it('makes nobody a member where the connection does not', async () => {
    const { person } = await scene.connected(provider, { creates_members: false })
    expect((await scene.signIn(provider, person('ana'))).data.user.organizations).toEqual([])
  })
  it('asks an account with an app for its code, and the session is by single sign-on all the same', async () => {
    const { person } = await scene.connected(provider)
    const who = await secondFactorScene(app).enrolled()
    const email = person('eva').email ?? ''
    await app.database.query(`update users set email = $2, status = 'ACTIVE' where id = $1`, [who.userId, email])
    const challenged = await scene.signIn(provider, person('eva'))
    expect(challenged.data).toMatchObject({ second_factor_required: true, return_path: '/' })
    expect(cookiesOf(challenged)).not.toContain('service_session')
    const { challenge } = challenged.data
    const answer = await nobody.post('/auth/session/second-factor', { challenge, code: who.code() })
    expect(answer.status).toBe(200)
    const listed = await nobody.get('/auth/sessions', scene.sessionOf(answer))
    expect(listed.data.find((one: { is_current: boolean }) => one.is_current)).toMatchObject({
      signed_in_by: 'sso',
      second_factor: 'totp',
    })
  })
})

describe('POST /auth/session/sso, later', () => {
  it('does not bring back a member who was removed, nor one whose time is over', async () => {
    const { organization, person } = await scene.connected(provider)
    const { data } = await scene.signIn(provider, person('ana'))
    const collaborators = `/organizations/${organization.id}/collaborators`
    const { data: listed } = await organization.owner.get(`${collaborators}?search=ana`)
    expect((await organization.owner.delete(`${collaborators}/${listed[0].id}`)).status).toBe(200)
    expect((await scene.signIn(provider, person('ana'))).data.user).toMatchObject({
      id: data.user.id,
      organizations: [],
    })
    // Removed before they ever signed in by the provider.
    const bia = await organization.member({ email: person('bia').email ?? '' })
    const { data: found } = await organization.owner.get(`${collaborators}?search=bia`)
    await organization.owner.delete(`${collaborators}/${found[0].id}`)
    expect((await scene.signIn(provider, person('bia'))).data.user).toMatchObject({ id: bia.userId, organizations: [] })
    const expiredAt = new Date(app.clock.now.getTime() - 1000)
    await organization.member({ email: person('cris').email ?? '', expiredAt })
    expect((await scene.signIn(provider, person('cris'))).data.user.organizations).toEqual([])
  })
  it('401 once the account has another address, or the connection was removed', async () => {
    const { organization, person, path } = await scene.connected(provider)
    const { data } = await scene.signIn(provider, person('ana'))
    await app.database.query(`update users set email = 'ana-private@home.example' where id = $1`, [data.user.id])
    expect((await scene.signIn(provider, person('ana'))).errors?.reason).toBe('sso_other_domain')
    const begun = await scene.begin(person('bia').email ?? '')
    const { state, code, iss } = await provider.visit(begun.url, person('bia'))
    expect((await organization.owner.delete(path)).status).toBe(200)
    expect((await nobody.post('/auth/session/sso', { state, code, iss }, begun.headers)).status).toBe(401)
  })
  it('opens one account and one session for two first sign-ins at once', async () => {
    const { person } = await scene.connected(provider)
    const begun = [await scene.begin(person('ana').email ?? ''), await scene.begin(person('ana').email ?? '')]
    const visits = []
    for (const { url } of begun) visits.push(await provider.visit(url, person('ana')))
    const answers = await Promise.all(
      visits.map(({ state, code, iss }, index) =>
        nobody.post('/auth/session/sso', { state, code, iss }, begun[index]?.headers ?? {}),
      ),
    )
    expect(await usersOf(person('ana').email ?? '')).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  })
})

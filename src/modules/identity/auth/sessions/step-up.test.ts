// Dangerous acts, and the proof that they need where STEP_UP_MINUTES says so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../modules.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Headers, Organization, Speaker } from '#test/harness/world.ts'
import { sendImport } from '#test/scenes/imports.ts'
import { apiKey } from '#test/scenes/records.ts'
import { createAuthenticator } from '#test/scenes/authenticator.ts'
import { codeAt, PASSWORD, secondFactorScene, wrongCode } from '#test/scenes/second-factor.ts'

const authenticator = createAuthenticator('https://titular.example')
let app: TestApp
let nobody: Speaker
let scene: ReturnType<typeof secondFactorScene>

beforeAll(async () => {
  const environment = { PUBLIC_URL: 'https://titular.example', STEP_UP_MINUTES: '15' }
  app = await startApp({ environment })
  nobody = app.world.anonymous
  scene = secondFactorScene(app)
})
afterAll(() => app.close())

const stepUp = (headers: Headers, proof: object) => nobody.post('/auth/step-up', proof, headers)
const reasonOf = ({ status, errors }: Answer) => [status, errors?.reason]
const REFUSED = [403, 'step_up_required']
const changePassword = (headers: Headers) =>
  nobody.put('/auth/me', { password: 'vento-Lilás 9', current_password: PASSWORD }, headers)

const create = (who: Speaker, body: object = { name: 'ERP' }) => who.post('/auth/api-keys', body)

async function withPasskey() {
  const ana = await scene.registered()
  const options = await nobody.post('/auth/passkeys/options', { current_password: PASSWORD }, ana.headers)
  const { passkey, credential } = authenticator.create(options.data)
  await nobody.post('/auth/passkeys', { name: 'Phone', credential }, ana.headers)
  const sign = async () => {
    const { data } = await nobody.post('/auth/login/passkey/options')
    return { credential: authenticator.get(passkey, data) }
  }
  return { ...ana, sign }
}

describe('a dangerous act', () => {
  it('is one of these', () => {
    const dangerous = routes.filter((route) => route.features.stepUp).map(({ method, path }) => `${method} ${path}`)
    expect(dangerous.toSorted()).toEqual([
      'DELETE /admin/api-keys/{id}',
      'DELETE /admin/settings/{company}/logo',
      'DELETE /admin/staff/{id}',
      'DELETE /auth/passkeys/{id}',
      'DELETE /organizations/{id}',
      'DELETE /sso/connections/{id}',
      'PATCH /admin/api-keys/{id}',
      'PATCH /admin/settings/{company}',
      'PATCH /auth/api-keys/{id}',
      'PATCH /sso/connections/{id}',
      'POST /admin/api-keys',
      'POST /admin/api-keys/{id}/rotate',
      'POST /admin/imports',
      'POST /admin/privacy/exports/{id}/link',
      'POST /admin/privacy/organizations/{id}/erasure',
      'POST /admin/privacy/users/{id}/erasure',
      'POST /admin/privacy/users/{id}/exports',
      'POST /admin/staff',
      'POST /admin/users/{id}/reset-second-factors',
      'POST /auth/api-keys',
      'POST /auth/api-keys/{id}/rotate',
      'POST /auth/device/approve',
      'POST /auth/mfa/totp',
      'POST /auth/mfa/totp/disable',
      'POST /auth/passkeys/options',
      'POST /organizations/{id}/collaborators',
      'POST /organizations/{id}/transfer-ownership',
      'POST /privacy/erasure',
      'POST /privacy/exports',
      'POST /privacy/exports/{id}/link',
      'POST /privacy/organization-exports',
      'POST /privacy/organization-exports/{id}/link',
      'POST /sso/connections',
      'PUT /admin/settings/{company}/logo',
      'PUT /admin/staff/{id}',
      'PUT /auth/me',
      'PUT /organizations/{id}',
      'PUT /organizations/{id}/collaborators/{collaborator_id}',
    ])
  })
  it('200 within the minutes after signing in, 403 afterwards, 200 after the proof, and 403 again', async () => {
    const { headers, userId } = await scene.registered()
    const rename = () =>
      nobody.put('/auth/me', { name: 'Bia', email: 'bia@other.example', current_password: PASSWORD }, headers)
    app.clock.advance(14.9 * 60)
    expect((await rename()).status).toBe(200)
    app.clock.advance(60)
    expect(reasonOf(await rename())).toEqual(REFUSED)
    const proven = await stepUp(headers, { current_password: PASSWORD })
    expect([proven.status, proven.data]).toEqual([
      200,
      { authenticated_at: app.clock.now.toISOString(), second_factor: null },
    ])
    expect((await rename()).status).toBe(200)
    app.clock.advance(15 * 60)
    expect(reasonOf(await rename())).toEqual(REFUSED)
    const entries = await app.database.query(
      `select 1 from service_audit where action = 'stepped_up' and resource_id = $1`,
      [userId],
    )
    expect(entries).toHaveLength(1)
  })
  it('is an import of members, who may be admins and owners, and no other import', async () => {
    const { staff } = await app.world.organization()
    const line = (kind: string) => sendImport(staff, { kind }, [{ external_id: '1' }])
    await app.database.query('update sessions set authenticated_at = $1', [app.clock.now])
    expect((await line('members')).status).toBe(202)
    await app.database.query(`update sessions set authenticated_at = '2020-01-01'`)
    expect(reasonOf(await line('members'))).toEqual(REFUSED)
    expect((await line('organizations')).status).toBe(202)
  })
  it('is only what changes the credentials: other changes of the profile need no proof', async () => {
    const { headers } = await scene.registered()
    app.clock.advance(3600)
    expect((await nobody.put('/auth/me', { name: 'Bia' }, headers)).status).toBe(200)
    expect(reasonOf(await changePassword(headers))).toEqual(REFUSED)
    expect((await nobody.put('/auth/me', { password: 'x' }, headers)).status).toBe(422)
  })
  it('403 for the approval of a device, which stays to be approved', async () => {
    const { headers } = await scene.registered()
    app.clock.advance(16 * 60)
    const { data } = await nobody.post('/auth/device')
    const approve = () => nobody.post('/auth/device/approve', { user_code: data.user_code }, headers)
    expect(reasonOf(await approve())).toEqual(REFUSED)
    await stepUp(headers, { current_password: PASSWORD })
    expect((await approve()).status).toBe(200)
  })
  it('403 in an organization, for owners and staff, after role and input; API keys are not asked', async () => {
    const acme: Organization = await app.world.organization()
    const member = await acme.member({ scopes: ['organization'] })
    const key = await apiKey(app, acme, { permission: 'write', scopes: ['organization'] })
    await app.database.query(`update sessions set authenticated_at = '2020-01-01'`)
    expect(reasonOf(await create(acme.owner))).toEqual(REFUSED)
    expect(reasonOf(await create(member))).toEqual([403, 'role_too_low'])
    expect((await create(acme.owner, {})).status).toBe(422)
    expect((await nobody.post('/auth/api-keys', { name: 'ERP' }, key)).errors?.reason).not.toBe('step_up_required')
    expect(reasonOf(await acme.owner.delete(`/organizations/${acme.id}`))).toEqual(REFUSED)
    expect(reasonOf(await acme.owner.delete(`/organizations/${acme.id}?dry_run=true`))).toEqual(REFUSED)
    const transfer = { collaborator_id: 999_999 }
    expect(reasonOf(await acme.owner.post(`/organizations/${acme.id}/transfer-ownership`, transfer))).toEqual(REFUSED)
    const change = (body: object) => acme.owner.put(`/organizations/${acme.id}`, body)
    expect(reasonOf(await change({ require_mfa: true }))).toEqual(REFUSED)
    expect((await change({ phone: '+55 11 5555-0100' })).status).toBe(200)
    const collaborators = `/organizations/${acme.id}/collaborators`
    const invite = (role: string) => acme.owner.post(collaborators, { email: `${role}@acme.example`, role })
    expect(reasonOf(await invite('admin'))).toEqual(REFUSED)
    const { status, data: invited } = await invite('member')
    expect(status).toBe(201)
    const raise = (body: object) => acme.owner.put(`${collaborators}/${invited.id}`, body)
    expect(reasonOf(await raise({ role: 'admin' }))).toEqual(REFUSED)
    expect((await raise({ can_manage_quotes: true })).status).toBe(200)
    const appoint = { email: 'rui@vendor.example', name: 'Rui', roles: ['support'], reason: 'Joins' }
    expect(reasonOf(await acme.staff.post('/admin/staff', appoint))).toEqual(REFUSED)
    const { data } = await acme.owner.get('/audit-log?action=refused')
    expect(data[0]).toMatchObject({ actor_id: acme.owner.userId })
  })
  it('403 for a link to an export, which a POST makes that changes nothing', async () => {
    const { owner } = await app.world.organization()
    const exports = ['/privacy/exports', '/privacy/organization-exports']
    const links: string[] = []
    await app.database.query('update sessions set authenticated_at = $1', [app.clock.now])
    for (const path of exports) links.push(`${path}/${(await owner.post(path)).data.id}/link`)
    await app.service.worker.drain()
    for (const link of links) expect((await owner.post(link)).status, link).toBe(200)
    const { staff } = await app.world.organization()
    await app.database.query(`update sessions set authenticated_at = '2020-01-01'`)
    const nowhere = exports.map((path) => `${path}/999999/link`)
    for (const link of [...links, ...nowhere]) expect(reasonOf(await owner.post(link)), link).toEqual(REFUSED)
    expect((await owner.post(`${links[1]}?x=1`)).status).toBe(422)
    expect(reasonOf(await staff.post('/admin/privacy/exports/999999/link'))).toEqual(REFUSED)
  })
  it('needs no proof with STEP_UP_MINUTES=0', async () => {
    const plain = await startApp()
    const { owner } = await plain.world.organization()
    await plain.database.query(`update sessions set authenticated_at = '2020-01-01'`)
    expect((await owner.post('/auth/api-keys', { name: 'ERP' })).status).toBe(201)
    await plain.close()
  })
})

describe('POST /auth/step-up', () => {
  it('422 for the password of an account with an app; 200 for a code, which makes the session one with it', async () => {
    const ana = await scene.enrolled()
    const { data } = await ana.login()
    const signedIn = await ana.answer(data.challenge, { recovery_code: ana.recoveryCodes[0] })
    const headers = { authorization: `Bearer ${signedIn.data.access_token}` }
    app.clock.advance(3600)
    const refused = await stepUp(headers, { current_password: PASSWORD })
    expect(refused.errors?.fields?.['current_password']).toMatch(/^does not suffice/)
    expect(reasonOf(await changePassword(headers))).toEqual(REFUSED)
    expect((await stepUp(headers, { code: ana.code() })).data.second_factor).toBe('totp')
    expect((await changePassword(headers)).status).toBe(200)
  })
  it('200 with a recovery code or a passkey, each once', async () => {
    const ana = await scene.enrolled()
    const [recovery_code] = ana.recoveryCodes
    expect((await stepUp(ana.headers, { recovery_code })).data.second_factor).toBe('recovery_code')
    expect((await stepUp(ana.headers, { recovery_code })).status).toBe(422)
    const bia = await withPasskey()
    const proof = await bia.sign()
    expect((await stepUp(bia.headers, proof)).data.second_factor).toBe('passkey')
    expect((await stepUp(bia.headers, proof)).errors?.fields).toHaveProperty('credential')
  })
  it('422 for another person’s passkey, a wrong code, a wrong password, none, and two at once', async () => {
    const [ana, bia] = [await scene.enrolled(), await withPasskey()]
    expect((await stepUp(ana.headers, await bia.sign())).errors?.fields).toHaveProperty('credential')
    expect((await stepUp(ana.headers, { code: wrongCode(ana.secret, app.clock.now) })).errors?.fields).toHaveProperty(
      'code',
    )
    expect((await stepUp(bia.headers, { current_password: 'another' })).errors?.fields).toHaveProperty(
      'current_password',
    )
    expect((await stepUp(ana.headers, {})).errors?.fields).toHaveProperty('code')
    const both = { code: '123456', current_password: PASSWORD }
    expect((await stepUp(ana.headers, both)).status).toBe(422)
    expect((await nobody.post('/auth/step-up', { code: '123456' })).status).toBe(401)
  })
  it('of one session proves nothing for another', async () => {
    const { email, headers } = await scene.registered()
    const { data } = await nobody.post('/auth/login', { email, password: PASSWORD })
    const other = { authorization: `Bearer ${data.access_token}` }
    app.clock.advance(3600)
    await stepUp(headers, { current_password: PASSWORD })
    expect(reasonOf(await changePassword(other))).toEqual(REFUSED)
  })
  it('403 with the session that an app was set up beside, until it has a code', async () => {
    const { email, headers } = await scene.registered()
    const { data } = await nobody.post('/auth/login', { email, password: PASSWORD })
    const other = { authorization: `Bearer ${data.access_token}` }
    const begun = await nobody.post('/auth/mfa/totp', { current_password: PASSWORD }, headers)
    const code = codeAt(begun.data.secret, app.clock.now)
    expect((await nobody.post('/auth/mfa/totp/confirm', { code }, headers)).status).toBe(200)
    expect(reasonOf(await changePassword(other))).toEqual(REFUSED)
  })
})

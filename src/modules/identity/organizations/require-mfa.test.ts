// Organizations that admit only sessions with a second factor, and the setting that asks staff for one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { apiKey } from '#test/scenes/records.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const withSecondFactor = (who: Speaker, on: TestApp = app) =>
  on.database.query(`update sessions set second_factor = 'totp' where user_id = $1`, [who.userId])
const codeOf = ({ status, errors }: Answer) => [status, errors?.reason]
const REFUSED = [403, 'second_factor_required']
const set = (who: Speaker, id: number, required = true) => who.put(`/organizations/${id}`, { require_mfa: required })
/** By the owner, whose session has no second factor afterwards. */
async function requireOf({ owner, id }: Organization): Promise<Answer> {
  await withSecondFactor(owner)
  const answer = await set(owner, id)
  await app.database.query('update sessions set second_factor = null where user_id = $1', [owner.userId])
  return answer
}

describe('require_mfa', () => {
  it('403 for a member without a second factor, in that organization alone, from the next request on', async () => {
    const [acme, other] = [await app.world.organization(), await app.world.organization()]
    const member = await acme.member({ scopes: ['quotes', 'tickets'] })
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role, invite_status, can_manage_quotes)
       values ($1, $2, $3, 'member', 'accepted', true)`,
      [other.id, member.userId, member.email],
    )
    expect((await member.get('/quotes')).status).toBe(200)
    expect((await requireOf(acme)).data.require_mfa).toBe(true)
    expect(codeOf(await member.get('/quotes'))).toEqual(REFUSED)
    expect(codeOf(await member.post('/tickets', {}))).toEqual(REFUSED)
    expect((await app.world.inside(member, other.id).get('/quotes')).status).toBe(200)
    expect((await member.get('/auth/me')).status).toBe(200)
    expect((await member.get('/auth/mfa')).data.required_by).toEqual([{ id: acme.id, name: acme.name }])
    await withSecondFactor(member)
    expect((await member.get('/quotes')).status).toBe(200)
  })
  it('is judged of the session, not of the person', async () => {
    const acme = await app.world.organization()
    await requireOf(acme)
    await withSecondFactor(acme.owner)
    const [session] = await app.database.query<{ id: number }>(
      `insert into sessions (user_id, expires_at) values ($1, $2) returning id`,
      [acme.owner.userId, new Date(app.clock.now.getTime() + 3_600_000)],
    )
    const { access_token: token } = await app.service.ports.accessTokens.issue({
      userId: acme.owner.userId,
      sessionId: session?.id ?? 0,
      organizationId: acme.id,
      roles: ['customer'],
      scopes: ['*'],
      now: app.clock.now,
    })
    expect((await acme.owner.get('/quotes')).status).toBe(200)
    expect(codeOf(await acme.owner.get('/quotes', { authorization: `Bearer ${token}` }))).toEqual(REFUSED)
  })
  it('comes after role and scope, and after the question who is a member', async () => {
    const [acme, other] = [await app.world.organization(), await app.world.organization()]
    await requireOf(acme)
    const member = await acme.member({ scopes: [] })
    expect((await member.get('/quotes')).message).toBe('Scope not authorized: quotes')
    expect((await member.put(`/organizations/${acme.id}`, {})).errors?.reason).toBe('role_too_low')
    const stranger = app.world.inside(other.owner, acme.id)
    expect((await stranger.get('/quotes')).message).toBe('Not a collaborator of this organization')
    expect(codeOf(await acme.owner.post('/tickets', { nonsense: 1 }))).toEqual(REFUSED)
  })
  it('asks no API key', async () => {
    const acme = await app.world.organization()
    const key = await apiKey(app, acme, { permission: 'read', scopes: ['quotes'] })
    await requireOf(acme)
    expect((await app.world.anonymous.get('/quotes', key)).status).toBe(200)
  })
  it('asks staff too', async () => {
    const acme = await app.world.organization()
    await requireOf(acme)
    const support = app.world.inside(await app.world.user({ roles: ['customer', 'administrator'] }), acme.id)
    expect(codeOf(await support.get('/quotes'))).toEqual(REFUSED)
    await withSecondFactor(support)
    expect((await support.get('/quotes')).status).toBe(200)
  })
  it('is in the audit log of the organization, and so is who was refused for it', async () => {
    const acme = await app.world.organization()
    await requireOf(acme)
    await acme.owner.get('/quotes')
    await withSecondFactor(acme.owner)
    const { data } = await acme.owner.get('/audit-log')
    expect(data[0]).toMatchObject({ action: 'refused', actor_id: acme.owner.userId })
    expect(data[1]).toMatchObject({
      action: 'updated',
      changes: { before: { require_mfa: false }, after: { require_mfa: true } },
    })
  })
})

describe('a new organization with require_mfa', () => {
  const body = { name: 'Strict', require_mfa: true }
  it('409 for a founder whose session has no second factor, and no organization is left; 201 with one', async () => {
    const founder = await app.world.user()
    expect(codeOf(await founder.post('/organizations', body))).toEqual([409, 'second_factor_not_tried'])
    expect((await founder.get('/organizations')).data).toEqual([])
    expect((await founder.post('/organizations', { ...body, require_mfa: false })).status).toBe(201)
    await withSecondFactor(founder)
    const { id } = (await founder.post('/organizations', body)).data
    expect((await app.world.inside(founder, id).get(`/organizations/${id}`)).data.require_mfa).toBe(true)
  })
  it('422 from staff, whose owner is still to come', async () => {
    for (const role of ['sales', 'administrator']) {
      const staff = await app.world.user({ roles: ['customer', role] })
      await withSecondFactor(staff)
      const answer = await staff.post('/admin/organizations', { ...body, owner_email: 'owner@strict.example' })
      expect([answer.status, answer.errors?.fields]).toEqual([422, { require_mfa: 'only the owner may set this' }])
    }
  })
})

describe('PUT /organizations/{id} with require_mfa', () => {
  it('403 for an admin and for staff who would change it, 200 for an admin who sends it as it is', async () => {
    const acme = await app.world.organization()
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    await withSecondFactor(admin)
    expect((await set(admin, acme.id)).status).toBe(403)
    expect((await set(admin, acme.id, false)).status).toBe(200)
    await requireOf(acme)
    expect((await set(admin, acme.id, false)).status).toBe(403)
    for (const role of ['sales', 'administrator'] as const) {
      const staff = await acme.staffAs(role)
      await withSecondFactor(staff)
      expect(codeOf(await set(staff, acme.id, false)), role).toEqual([403, 'role_too_low'])
      expect((await set(staff, acme.id, true)).data.require_mfa).toBe(true)
    }
    for (const wrong of [null, 'true', 1])
      expect((await admin.put(`/organizations/${acme.id}`, { require_mfa: wrong })).status).toBe(422)
  })
  it('409 for an owner whose session has no second factor, who would be shut out; taking it back needs none', async () => {
    const acme = await app.world.organization()
    const early = await set(acme.owner, acme.id)
    expect(codeOf(early)).toEqual([409, 'second_factor_not_tried'])
    expect((await acme.owner.get('/quotes')).status).toBe(200)
    await app.database.query(
      'update sessions set sso_second_factor = true, sso_organization_id = $2 where user_id = $1',
      [acme.owner.userId, (await app.world.organization()).id],
    )
    expect(codeOf(await set(acme.owner, acme.id))).toEqual([409, 'second_factor_not_tried'])
    await app.database.query('update sessions set sso_organization_id = $2 where user_id = $1', [
      acme.owner.userId,
      acme.id,
    ])
    expect((await set(acme.owner, acme.id)).data.require_mfa).toBe(true)
    expect((await acme.owner.get('/quotes')).status).toBe(200)
    expect((await set(acme.owner, acme.id, false)).data.require_mfa).toBe(false)
  })
})

describe('STAFF_MFA=required', () => {
  it('403 for staff without a second factor wherever they are staff, 200 with one; customers are not asked', async () => {
    const strict = await startApp({ environment: { STAFF_MFA: 'required' } })
    const acme = await strict.world.organization()
    const { staff, owner } = acme
    for (const path of ['/quotes', '/admin/users', `/organizations/${acme.id}`])
      expect([path, ...codeOf(await staff.get(path))]).toEqual([path, ...REFUSED])
    expect(codeOf(await staff.post('/quotes', { nonsense: 1 }))).toEqual(REFUSED)
    expect(codeOf(await staff.post('/admin/organizations', {}))).toEqual(REFUSED)
    for (const path of ['/auth/me', '/auth/mfa', '/auth/sessions']) expect((await staff.get(path)).status).toBe(200)
    expect((await owner.get('/quotes')).status).toBe(200)
    expect((await owner.get('/admin/users')).errors?.reason).toBe('staff_only')
    await withSecondFactor(staff, strict)
    for (const path of ['/quotes', '/admin/users']) expect((await staff.get(path)).status).toBe(200)
    await strict.close()
  })
})

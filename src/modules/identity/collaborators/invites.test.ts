import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailedInvite, mailsTo } from '#test/harness/mailbox.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let acme: Organization

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization({ name: 'Acme' })
})
afterAll(() => app.close())

let next = 0
const address = (): string => `guest-${++next}@example.com`
const at = (org: Organization): string => `/organizations/${org.id}/collaborators`

async function invited(
  options: { org?: Organization; body?: object; status?: string } = {},
): Promise<{ who: Speaker; token: string; id: number; org: Organization }> {
  const { org = acme, body = {}, status = 'ACTIVE' } = options
  const who = await app.world.user({ email: address(), status })
  const { data } = await org.owner.post(at(org), { email: who.email, ...body })
  return { who, token: await mailedInvite(app, who.email), id: data.id, org }
}

describe('POST /invites/check', () => {
  it('200 with the content of the invite, without credentials', async () => {
    const { token, who } = await invited({ body: { role: 'admin' } })
    const answer = await app.world.anonymous.post('/invites/check', { token })
    expect(answer.status).toBe(200)
    expect(answer.data).toEqual({
      status: 'pending',
      is_valid: true,
      organization_id: acme.id,
      organization_name: 'Acme',
      email: who.email,
      role: 'admin',
      expiration: expect.any(String),
      expired: false,
    })
    expect(JSON.stringify(answer.raw.headers['cache-control'])).toContain('no-store')
  })
  it('404 for an unknown token, 422 without one', async () => {
    const answer = await app.world.anonymous.post('/invites/check', { token: 'x' })
    expect([answer.status, answer.errors?.code]).toEqual([404, 'NOT_FOUND'])
    expect((await app.world.anonymous.post('/invites/check', {})).errors?.fields).toHaveProperty('token')
    expect((await app.world.anonymous.post('/invites/check', { token: '%\\' })).status).toBe(404)
  })
  it('404 for a token that was replaced, and for a deleted organization', async () => {
    const org = await app.world.organization()
    const { token, id, who } = await invited({ org })
    app.clock.advance(60)
    await org.owner.post(`${at(org)}/${id}/resend-invite`)
    expect((await app.world.anonymous.post('/invites/check', { token })).status).toBe(404)
    expect((await who.post('/invites/accept', { token })).status).toBe(404)
    const fresh = await mailedInvite(app, who.email)
    expect((await app.world.anonymous.post('/invites/check', { token: fresh })).data.is_valid).toBe(true)
    await org.owner.delete(`/organizations/${org.id}`)
    expect((await app.world.anonymous.post('/invites/check', { token: fresh })).status).toBe(404)
    expect((await who.post('/invites/accept', { token: fresh })).status).toBe(404)
    expect((await who.get('/invites')).data).toEqual([])
  })
  it('429 beyond the limit for credentials', async () => {
    const strict = await startApp({ environment: { LIMIT_CREDENTIALS: '3/60' } })
    try {
      const statuses = []
      for (let i = 0; i < 5; i++)
        statuses.push((await strict.world.anonymous.post('/invites/check', { token: `guess-${i}` })).status)
      expect(statuses).toEqual([404, 404, 404, 429, 429])
    } finally {
      await strict.close()
    }
  })
})

describe('POST /invites/accept', () => {
  it('200 makes the caller a collaborator with the role and scopes of the invite', async () => {
    const { token, who, id } = await invited({ body: { role: 'admin', can_manage_quotes: true } })
    const inside = app.world.inside(who, acme.id)
    expect((await inside.get('/quotes')).status).toBe(403)
    const answer = await who.post('/invites/accept', { token })
    expect(answer.data).toEqual({ organization_id: acme.id, collaborator_id: id, status: 'accepted' })
    expect((await inside.get('/quotes')).status).toBe(200)
    expect((await acme.owner.get(`${at(acme)}/${id}`)).data).toMatchObject({
      user_id: who.userId,
      role: 'admin',
      status: 'active',
      invite_status: 'accepted',
    })
    expect((await who.get('/organizations')).data[0].role).toBe('admin')
    expect((await app.world.anonymous.post('/invites/check', { token })).data).toMatchObject({
      status: 'accepted',
      is_valid: false,
      expired: false,
    })
    await app.service.worker.drain()
    const mails = await app.service.sandbox?.mail?.list()
    expect(mails?.some(({ to }) => to === acme.owner.email)).toBe(true)
    const log = await acme.owner.get('/audit-log?action=invite_accepted')
    expect(log.data[0]).toMatchObject({ actor_id: who.userId, resource: 'collaborator', resource_id: id })
    expect(JSON.stringify(log.data)).not.toMatch(/nonce":"(?!\*\*\*)|digest":"(?!\*\*\*)/)
  })
  it('200 for one of many requests at once, 409 for the others', async () => {
    const { token, who } = await invited()
    const answers = await Promise.all(Array.from({ length: 6 }, () => who.post('/invites/accept', { token })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409, 409,
    ])
  })
  it('200 for one of the two when the same invite is accepted and rejected at once', async () => {
    const { token, who, id } = await invited()
    const answers = await Promise.all([who.post('/invites/accept', { token }), who.post('/invites/reject', { token })])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    const { data } = await acme.owner.get(`${at(acme)}/${id}`)
    expect(data.invite_status).toBe(answers.find(({ status }) => status === 200)?.data.status)
  })
  it('403 for another user who has the token; 401 without credentials', async () => {
    const { token } = await invited()
    expect((await acme.owner.post('/invites/accept', { token })).status).toBe(403)
    expect((await (await app.world.user()).post('/invites/accept', { token })).status).toBe(403)
    expect((await app.world.anonymous.post('/invites/accept', { token })).status).toBe(401)
  })
  it('200 proves the address of an account that is still PENDING, whatever its case', async () => {
    const who = await app.world.user({ email: address(), status: 'PENDING' })
    await acme.owner.post(at(acme), { email: who.email.toUpperCase() })
    expect((await who.get('/invites')).data).toEqual([])
    const token = await mailedInvite(app, who.email.toUpperCase())
    expect((await who.post('/invites/accept', { token })).status).toBe(200)
    const [row] = await app.database.query<{ status: string }>(`select status from users where id = $1`, [who.userId])
    expect(row?.status).toBe('ACTIVE')
    expect((await who.get('/organizations')).meta?.total).toBe(1)
  })
  it('409 for a collaborator with another address; 404 once the invite was removed', async () => {
    const { token, who, id, org } = await invited()
    const elsewhere = address()
    const { data } = await org.owner.post(at(org), { email: elsewhere })
    expect((await who.post('/invites/accept', { token })).status).toBe(200)
    await app.database.query(`update users set email = $1 where id = $2`, [elsewhere, who.userId])
    const second = await mailedInvite(app, elsewhere)
    expect((await who.post('/invites/accept', { token: second })).status).toBe(409)
    await org.owner.delete(`${at(org)}/${id}`)
    expect((await who.post('/invites/accept', { token: second })).status).toBe(200)
    await org.owner.delete(`${at(org)}/${data.id}`)
    expect((await who.post('/invites/accept', { token: second })).status).toBe(404)
  })
})

describe('POST /invites/reject', () => {
  it('200, then 409; the invite can be sent again', async () => {
    const org = await app.world.organization()
    const { token, who, id } = await invited({ org })
    expect((await acme.owner.post('/invites/reject', { token })).status).toBe(403)
    expect((await app.world.anonymous.post('/invites/reject', { token })).status).toBe(401)
    const other = await app.world.user()
    expect((await other.post('/invites/reject', { token })).status).toBe(403)
    expect((await who.post('/invites/reject', { token })).data.status).toBe('rejected')
    expect((await who.post('/invites/reject', { token })).status).toBe(409)
    expect((await who.post('/invites/accept', { token })).status).toBe(409)
    expect((await who.post('/invites/reject', { token: 'none' })).status).toBe(404)
    expect((await org.owner.get(`${at(org)}/${id}`)).data).toMatchObject({
      role: 'pending',
      status: 'rejected',
      invite_status: 'rejected',
    })
    app.clock.advance(60)
    expect((await org.owner.post(`${at(org)}/${id}/resend-invite`)).data.status).toBe('invited')
  })
})

describe('GET /invites', () => {
  it('200 with the pending invites to the caller’s proven address only', async () => {
    const [one, other] = [
      await app.world.organization({ name: 'One' }),
      await app.world.organization({ name: 'Other' }),
    ]
    const who = await app.world.user({ email: address() })
    await one.owner.post(at(one), { email: who.email })
    await other.owner.post(at(other), { email: who.email.toUpperCase(), role: 'admin' })
    await other.owner.post(at(other), { email: address() })
    const { data, meta } = await who.get('/invites?per_page=1')
    expect(meta).toMatchObject({ total: 2, pages: 2 })
    expect(data[0]).toEqual({
      id: expect.any(Number),
      organization_id: other.id,
      organization_name: 'Other',
      email: who.email.toUpperCase(),
      role: 'admin',
      status: 'pending',
      expiration: expect.any(String),
      invited_by: expect.any(String),
      created_at: expect.any(String),
    })
    await app.database.query(`update users set status = 'PENDING' where id = $1`, [who.userId])
    expect((await who.get('/invites')).data).toEqual([])
    expect((await app.world.anonymous.get('/invites')).status).toBe(401)
  })
})

// Last, because the clock passes the end of all sessions above.
describe('an expired invite', () => {
  it('409 after seven days; the job marks it as expired, and a resend makes it pending again', async () => {
    const org = await app.world.organization()
    const { token, who, id } = await invited({ org })
    app.clock.advance(7 * 86_400 - 1)
    const later = await relogin(who)
    const owner = app.world.inside(await relogin(org.owner), org.id)
    expect((await app.world.anonymous.post('/invites/check', { token })).data.is_valid).toBe(true)
    app.clock.advance(1)
    expect((await app.world.anonymous.post('/invites/check', { token })).data).toMatchObject({
      status: 'expired',
      is_valid: false,
      expired: true,
    })
    expect((await later.post('/invites/accept', { token })).status).toBe(409)
    expect((await later.post('/invites/reject', { token })).status).toBe(409)
    expect((await later.get('/invites')).data).toEqual([])
    expect((await owner.get(`${at(org)}/${id}`)).data).toMatchObject({ status: 'expired', invite_status: 'expired' })
    await app.service.worker.start()
    await app.service.worker.drain()
    await app.service.worker.stop()
    const [row] = await app.database.query(`select invite_status from collaborators where id = $1`, [id])
    expect(row).toEqual({ invite_status: 'expired' })
    expect((await later.post('/invites/accept', { token })).status).toBe(409)
    expect((await owner.post(`${at(org)}/${id}/resend-invite`)).data.invite_status).toBe('pending')
    const fresh = await mailedInvite(app, who.email)
    expect((await later.post('/invites/accept', { token: fresh })).status).toBe(200)
  })
})

/** Sessions last seven days, and the test's clock has advanced further. */
async function relogin(who: Speaker): Promise<Speaker> {
  const [session] = await app.database.query<{ id: number }>(
    `insert into sessions (user_id, expires_at) values ($1, $2) returning id`,
    [who.userId, new Date(app.clock.now.getTime() + 86_400_000)],
  )
  const { access_token: token } = await app.service.ports.accessTokens.issue({
    userId: who.userId,
    sessionId: session?.id ?? 0,
    organizationId: null,
    roles: ['customer'],
    scopes: [],
    now: app.clock.now,
  })
  return app.world.speaker({ authorization: `Bearer ${token}` }, { ...who, token })
}

describe('an invite to an access that is over by now', () => {
  it('counts as expired: it is not listed, and 409 to accept', async () => {
    const expired_at = new Date(app.clock.now.getTime() + 3_600_000).toISOString()
    const org = await app.world.organization()
    const { who, token, id } = await invited({ org, body: { expired_at } })
    expect((await who.get('/invites')).data).toHaveLength(1)
    app.clock.advance(3600)
    expect((await who.get('/invites')).data).toEqual([])
    expect((await org.owner.get(`${at(org)}/${id}`)).data.status).toBe('expired')
    const { data } = await app.world.anonymous.post('/invites/check', { token })
    expect(data).toMatchObject({ status: 'expired', is_valid: false, expired: true, expiration: expired_at })
    const accepted = await who.post('/invites/accept', { token })
    expect([accepted.status, accepted.errors?.reason]).toEqual([409, 'invite_expired'])
  })
})

describe('the mail about an accepted invite', () => {
  it.each([
    ['goes to whoever sent it, as an admin', 'select $1::bigint', 1],
    ['not to one who has left', 'delete from collaborators where user_id = $1', 0],
    ['not to one who is no admin any more', `update collaborators set role = 'member' where user_id = $1`, 0],
    ['not to one whose membership is over', `update collaborators set expired_at = '2020-01-01' where user_id = $1`, 0],
  ])('%s', async (_, sql, mails) => {
    const org = await app.world.organization()
    const admin = await org.member({ role: 'admin', scopes: ['organization'] })
    const who = await app.world.user({ email: address(), status: 'ACTIVE' })
    await admin.post(at(org), { email: who.email })
    const token = await mailedInvite(app, who.email)
    await app.database.query(sql, [admin.userId])
    expect((await who.post('/invites/accept', { token })).status).toBe(200)
    expect(await mailsTo(app, admin.email)).toHaveLength(mails)
  })
  it('goes to staff who sent it, as long as they may read the organization', async () => {
    for (const [roles, mails] of [
      [['customer', 'sales'], 1],
      [['customer'], 0],
    ] as const) {
      const org = await app.world.organization()
      const sales = await org.staffAs('sales')
      const who = await app.world.user({ email: address(), status: 'ACTIVE' })
      await sales.post(at(org), { email: who.email })
      const token = await mailedInvite(app, who.email)
      await app.database.query('update users set roles = $2 where id = $1', [sales.userId, roles])
      expect((await who.post('/invites/accept', { token })).status).toBe(200)
      expect(await mailsTo(app, sales.email)).toHaveLength(mails)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile()
const administrator = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })
const customer = (await app.world.organization({ name: 'Plain' })).owner

const find = async (path: string, field = 'name') => {
  const { data } = await administrator.get(path)
  return data.map((one: Record<string, unknown>) => one[field])
}
let next = 0
const address = (): string => `owner-${++next}@example.com`

describe('/admin', () => {
  const routes = [
    ['get', '/admin/organizations'],
    ['get', '/admin/users'],
    ['get', '/admin/orders'],
    ['get', '/admin/jobs'],
    ['get', '/admin/audit-log'],
    ['post', '/admin/organizations'],
    ['post', '/admin/jobs/1/retry'],
    ['post', '/admin/organizations/1/verify'],
    ['post', '/admin/organizations/1/reject'],
    ['post', '/admin/organizations/1/restore'],
    ['post', '/admin/users/1/disable'],
    ['post', '/admin/users/1/enable'],
  ] as const
  it.each(routes)('%s %s is 403 for customers, owners included, and 401 without credentials', async (method, path) => {
    expect((await customer[method](path)).status).toBe(403)
    expect((await app.world.anonymous[method](path)).status).toBe(401)
  })
  it('audits each request with its caller, route and parameters, but without the query', async () => {
    await administrator.get('/admin/users?search=confidential')
    await administrator.post('/admin/organizations/999999/verify')
    await administrator.post('/admin/users/999999/disable')
    const org = await app.world.organization()
    await administrator.post(`/admin/organizations/${org.id}/verify`)
    const { data } = await administrator.get('/admin/audit-log?log=service&action=administration')
    expect(data[0]).toMatchObject({ actor: 'Boss', organization_id: null, actor_id: administrator.userId })
    expect(data.map((one: { changes: { after: unknown } }) => one.changes.after)).toContainEqual({
      request: 'POST /admin/organizations/{id}/verify',
      params: { id: String(org.id) },
    })
    expect(data.map((one: { changes: { after: unknown } }) => one.changes.after)).toContainEqual({
      request: 'GET /admin/users',
      params: {},
    })
    expect(JSON.stringify(data)).not.toContain('confidential')
  })
})

describe('GET /admin/users', () => {
  it('200 with search, filters and the organizations of each user, and without secrets', async () => {
    const org = await app.world.organization()
    const email = `josé.${org.id}@example.com`.replace('é', 'e')
    const who = await org.member({ email })
    await app.database.query(`update users set name = 'José 50%', password_hash = 'secret' where id = $1`, [who.userId])
    expect(await find('/admin/users?search=JOSE%2050%25', 'id')).toEqual([who.userId])
    const { data } = await administrator.get(`/admin/users?search=${email}`)
    expect(data[0]).toMatchObject({ email, organization_ids: [org.id], status: 'ACTIVE', disabled_at: null })
    expect(JSON.stringify(data)).not.toContain('secret')
    expect((await administrator.get('/admin/users?status=PENDING')).meta?.total).toBe(0)
    expect((await administrator.get('/admin/users?disabled=true')).meta?.total).toBe(0)
  })
})

describe('POST /admin/users/{id}/disable, /enable', () => {
  it('200 ends all sessions at once, and allows new ones later; 404 for an unknown user; 409 for oneself', async () => {
    const who = await app.world.user()
    expect((await who.get('/organizations')).status).toBe(200)
    expect((await administrator.post(`/admin/users/${who.userId}/disable`)).data).toBeNull()
    expect((await who.get('/organizations')).status).toBe(401)
    expect(await find('/admin/users?disabled=true', 'id')).toEqual([who.userId])
    expect((await administrator.post(`/admin/users/${who.userId}/enable`)).status).toBe(200)
    expect((await administrator.get('/admin/users?disabled=true')).data).toEqual([])
    for (const act of ['disable', 'enable'])
      expect((await administrator.post(`/admin/users/999999/${act}`)).status).toBe(404)
    expect((await administrator.post(`/admin/users/${administrator.userId}/disable`)).status).toBe(409)
  })
})

describe('GET /admin/orders', () => {
  it('200 with the orders of all organizations, filtered', async () => {
    const [one, other] = [await app.world.organization({ name: 'Ação' }), await app.world.organization()]
    const add = (id: number, number: string, status: string, day: string) =>
      app.database.query(
        `insert into orders (organization_id, number, status, company, currency, subtotal, tax_total, total, line_items, created_at)
         values ($1, $2, $3, 'entity_br', 'BRL', 10.00, 0.00, 10.00, '[]', $4)`,
        [id, number, status, `${day}T23:59:59.999Z`],
      )
    await add(one.id, 'O-1', 'pending', '2026-01-01')
    await add(other.id, 'O-2', 'completed', '2026-01-02')
    expect(await find('/admin/orders', 'number')).toEqual(['O-2', 'O-1'])
    expect(await find('/admin/orders?status=pending', 'number')).toEqual(['O-1'])
    expect(await find('/admin/orders?search=acao', 'organization_name')).toEqual(['Ação'])
    expect(await find(`/admin/orders?organization_id=${other.id}`, 'number')).toEqual(['O-2'])
    expect(await find('/admin/orders?date_from=2026-01-01&date_to=2026-01-01', 'number')).toEqual(['O-1'])
  })
})

describe('GET /admin/jobs, POST /admin/jobs/{id}/retry', () => {
  it('200 lists a dead letter; the retry runs it; a second retry is 404', async () => {
    const org = await app.world.organization()
    const { data: invite } = await org.owner.post(`/organizations/${org.id}/collaborators`, { email: address() })
    await app.database.query(
      `update jobs set dead_at = now(), attempts = 10, last_error = 'MailRejected: no', failing_since = now()
        where organization_id = $1`,
      [org.id],
    )
    const { data } = await administrator.get(`/admin/jobs?organization_id=${org.id}&kind=notifications/mail`)
    expect(data).toEqual([
      {
        id: expect.any(Number),
        kind: 'notifications/mail',
        organization_id: org.id,
        organization_name: org.name,
        payload: { mail: 'invite', resource_id: invite.id, user_id: null, mail_id: expect.any(Number) },
        state: 'dead_letter',
        last_error: 'MailRejected: no',
        attempts: 10,
        failing_since: expect.any(String),
        next_try_at: null,
        dead_at: expect.any(String),
        created_at: expect.any(String),
      },
    ])
    const answer = await administrator.post(`/admin/jobs/${data[0].id}/retry`)
    expect(answer.data).toMatchObject({ id: data[0].id, dead_at: null, attempts: 0 })
    expect((await administrator.post(`/admin/jobs/${data[0].id}/retry`)).status).toBe(404)
    await app.service.worker.drain()
    expect((await app.service.sandbox?.mail?.list())?.some(({ to }) => to === invite.email)).toBe(true)
    expect((await administrator.get('/admin/jobs')).data).toEqual([])
  })
})

describe('GET /admin/audit-log', () => {
  it('200 with the log of all organizations, of one, or of the service', async () => {
    const [one, other] = [await app.world.organization(), await app.world.organization()]
    await one.owner.put(`/organizations/${one.id}`, { phone: '1' })
    await other.owner.put(`/organizations/${other.id}`, { phone: '2' })
    expect(await find('/admin/audit-log?per_page=2', 'organization_id')).toEqual([other.id, one.id])
    expect(await find(`/admin/audit-log?organization_id=${one.id}`, 'organization_id')).toEqual([one.id])
    expect(await find(`/admin/audit-log?resource=organization&resource_id=${other.id}`, 'organization_id')).toEqual([
      other.id,
    ])
    expect(await find(`/admin/audit-log?log=service&organization_id=${one.id}`)).toEqual([])
    expect((await administrator.get('/admin/audit-log?log=all')).status).toBe(422)
  })
})

import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Mailbox, mailboxOf } from '#test/harness/mailed-links.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const boss = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })
const mailbox: Mailbox = mailboxOf(app)

let next = 0
const address = (): string => `colleague-${++next}@vendor.example`
const reason = 'Joins the team'
const appoint = (body: object, by = boss) => by.post('/admin/staff', { reason, ...body })
const audited = async (action: string) =>
  (await boss.get(`/admin/audit-log?log=service&resource=user&action=${action}`)).data[0]

describe('GET /admin/staff', () => {
  it('200 with roles, the last sign-in, and who appointed them, but no customers', async () => {
    const person = await app.world.user({ name: 'Rita' })
    await appoint({ email: person.email, roles: ['sales', 'support'] })
    const { data } = await boss.get('/admin/staff?role=sales')
    expect(data).toEqual([
      {
        id: person.userId,
        email: person.email,
        name: 'Rita',
        status: 'ACTIVE',
        roles: ['sales', 'support'],
        disabled_at: null,
        last_signed_in_at: null,
        appointed_at: app.clock.now.toISOString(),
        appointed_by: boss.userId,
        appointed_by_name: 'Boss',
      },
    ])
    const all = (await boss.get('/admin/staff')).data.map(({ id }: { id: number }) => id)
    expect(all).toEqual(expect.arrayContaining([boss.userId, person.userId]))
    expect(all).not.toContain(acme.owner.userId)
    expect((await boss.get('/admin/staff?role=owner')).status).toBe(422)
  })
  it('200 with the moment of the last sign-in', async () => {
    const { email } = await app.world.user({ roles: ['customer', 'support'] })
    const hash = await app.service.ports.passwords.hash('vento-lilas-7')
    await app.database.query('update users set password_hash = $1 where email = $2', [hash, email])
    app.clock.advance(1)
    expect((await app.world.anonymous.post('/auth/login', { email, password: 'vento-lilas-7' })).status).toBe(200)
    const { data } = await boss.get('/admin/staff?role=support')
    const [found] = data.filter((one: { email: string }) => one.email === email)
    expect(found.last_signed_in_at).toBe(app.clock.now.toISOString())
  })
  it('200 for one of them, as listed; 404 for a customer and for nobody', async () => {
    const person = await app.world.user({ roles: ['customer', 'finance'] })
    const { data } = await boss.get('/admin/staff?role=finance')
    const found = await boss.get(`/admin/staff/${person.userId}`)
    expect(found.data).toEqual(data.find(({ id }: { id: number }) => id === person.userId))
    for (const id of [acme.owner.userId, 999_999, 'x']) expect((await boss.get(`/admin/staff/${id}`)).status).toBe(404)
    expect((await (await acme.staffAs('support')).get(`/admin/staff/${person.userId}`)).status).toBe(403)
  })
  it('200 for the auditor, 403 for the other roles', async () => {
    expect((await (await acme.staffAs('auditor')).get('/admin/staff')).status).toBe(200)
    const support = await acme.staffAs('support')
    expect((await support.get('/admin/staff')).message).toBe(
      'Scope not authorized: staff:read. An administrator of the vendor can grant the role auditor',
    )
    expect((await support.post('/admin/staff', {})).message).toBe(
      'Scope not authorized: staff:write. An administrator of the vendor can grant the role administrator',
    )
  })
})

describe('POST /admin/staff', () => {
  it('201 for a verified account: its sessions end, and it has the roles once it signs in again', async () => {
    const person = await app.world.user({ name: 'Nina' })
    const password = 'vento-lilas-7'
    const hash = await app.service.ports.passwords.hash(password)
    await app.database.query('update users set password_hash = $1 where id = $2', [hash, person.userId])
    const signIn = async () => (await app.world.anonymous.post('/auth/login', { email: person.email, password })).data
    const { refresh_token: former } = await signIn()
    const inside = app.world.inside(person, acme.id)
    expect((await inside.get('/tickets')).message).toBe('Not a collaborator of this organization')
    const answer = await appoint({ email: person.email.toUpperCase(), roles: ['support'] })
    expect([answer.status, answer.data.roles]).toEqual([201, ['support']])
    expect([(await inside.get('/tickets')).status, (await person.get('/auth/me')).status]).toEqual([401, 401])
    expect((await app.world.anonymous.post('/auth/refresh', { refresh_token: former })).status).toBe(401)
    const headers = { authorization: `Bearer ${(await signIn()).access_token}` }
    const again = { ...headers, 'x-service-organization': String(acme.id) }
    expect((await app.world.anonymous.get('/tickets', again)).status).toBe(200)
    expect((await app.world.anonymous.get('/invoices', again)).status).toBe(403)
    expect((await app.world.anonymous.get('/auth/me', headers)).data.roles).toEqual(['customer', 'support'])
    expect(await audited('staff_appointed')).toMatchObject({
      actor: 'Boss',
      resource_id: person.userId,
      changes: { after: { before: [], after: ['support'], reason } },
    })
  })
  it('401 for a session of staff that the provider of an organization opened, whatever the roles', async () => {
    const person = await acme.member({ scopes: ['quotes'] })
    await app.database.query(`update users set roles = '{customer,administrator}' where id = $1`, [person.userId])
    await app.database.query('update sessions set sso_organization_id = $2 where user_id = $1', [
      person.userId,
      acme.id,
    ])
    for (const path of ['/admin/staff', '/quotes', '/auth/me', '/me/access', `/organizations/${acme.id}`])
      expect((await person.get(path)).status, path).toBe(401)
    expect((await person.post('/auth/api-keys', { name: 'ERP' })).status).toBe(401)
    await app.database.query(`update users set roles = '{customer}' where id = $1`, [person.userId])
    expect((await person.get('/quotes')).status).toBe(200)
    await app.database.query(`update users set roles = '{customer,support}' where id = $1`, [person.userId])
    await app.database.query('update sessions set sso_organization_id = null where user_id = $1', [person.userId])
    expect((await person.get('/admin/tickets')).status).toBe(200)
  })
  it('tells the person and the administrators by mail, each in their language', async () => {
    const person = await app.world.user({ name: 'Joana' })
    await app.database.query(`update users set language = 'pt-BR' where id = $1`, [person.userId])
    await appoint({ email: person.email, roles: ['finance'] })
    const own = await mailbox.newest(person.email)
    expect(own.subject).toBe('Seus papéis em Titular foram alterados')
    expect(own.text).toContain('Agora: Financeiro')
    expect(own.text).toContain(`Motivo: ${reason}`)
    const told = (await mailbox.of(boss.email)).find(({ text }) => text.includes('Joana'))
    expect(told?.subject).toBe('Titular: the roles of Joana were changed')
    expect(told?.text).toContain('Now: Finance')
  })
  it('201 for an address without an account, whose roles count once it is verified', async () => {
    const email = address()
    const { data } = await appoint({ email, name: 'Rui', roles: ['support'] })
    expect(data).toMatchObject({ email, name: 'Rui', status: 'PENDING', roles: ['support'] })
    const mails = await mailbox.of(email)
    expect(mails).toHaveLength(1)
    const link = await mailbox.link(email, '/verify-account')
    const { data: verified } = await app.world.anonymous.post('/auth/verify-account', link)
    expect(verified.password_required).toBe(true)
    const headers = { authorization: `Bearer ${verified.access_token}`, 'x-service-organization': String(acme.id) }
    expect((await app.world.anonymous.get('/tickets', headers)).status).toBe(200)
  })
  it('201 for an account that is not verified: whoever registered it is shut out, and has no role meanwhile', async () => {
    const email = address()
    const password = 'um cavalo correto'
    const { data } = await app.world.anonymous.post('/auth/register', { email, password, name: 'Mallory' })
    const headers = { authorization: `Bearer ${data.access_token}`, 'x-service-organization': String(acme.id) }
    await appoint({ email, roles: ['administrator'] })
    expect((await app.world.anonymous.get('/tickets', headers)).status).toBe(401)
    expect((await app.world.anonymous.post('/auth/login', { email, password })).status).toBe(401)
  })
  it('403 for a pending account in an organization, whatever its roles', async () => {
    const pending = await app.world.user({ roles: ['customer', 'administrator'], status: 'PENDING' })
    expect((await pending.get('/admin/staff')).status).toBe(403)
    expect((await app.world.inside(pending, acme.id).get('/tickets')).status).toBe(403)
  })
  it('409 for one who is staff already, and for a disabled account', async () => {
    const person = await app.world.user({ roles: ['customer', 'sales'] })
    expect((await appoint({ email: person.email, roles: ['support'] })).status).toBe(409)
    const gone = await app.world.user()
    await boss.post(`/admin/users/${gone.userId}/disable`)
    expect((await appoint({ email: gone.email, roles: ['support'] })).status).toBe(409)
    expect((await boss.get(`/admin/users?search=${gone.email}`)).data[0].roles).toEqual(['customer'])
  })
  it('201 for one and 409 for the others who appoint the same address at once', async () => {
    const { email: known } = await app.world.user()
    for (const email of [known, address()]) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => appoint({ email, roles: ['support'] })))
      const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
      expect(statuses).toEqual([201, 409, 409, 409])
    }
  })
  it('422 without a reason, without roles, with roles twice, unknown ones or those of organizations', async () => {
    const email = address()
    for (const roles of [undefined, [], ['support', 'support'], ['owner'], ['customer'], 'support', ['__proto__']])
      expect((await appoint({ email, roles })).errors?.fields).toBeDefined()
    expect((await boss.post('/admin/staff', { email, roles: ['support'] })).errors?.fields).toHaveProperty('reason')
    expect((await appoint({ email: 'nobody', roles: ['support'] })).errors?.fields).toHaveProperty('email')
    expect((await boss.get(`/admin/users?search=${email}`)).data).toEqual([])
  })
})

describe('PUT /admin/staff/{id}', () => {
  it('200 with other roles, which count while a session of the person goes on', async () => {
    const person = await acme.staffAs('support')
    const put = await boss.put(`/admin/staff/${person.userId}`, { roles: ['finance'], reason: 'Moves' })
    expect(put.data).toMatchObject({ id: person.userId, roles: ['finance'] })
    expect((await person.get('/invoices')).status).toBe(200)
    expect((await person.get('/admin/tickets')).status).toBe(403)
    expect(await audited('staff_roles_changed')).toMatchObject({
      changes: { after: { before: ['support'], after: ['finance'], reason: 'Moves' } },
    })
  })
  it('404 for a customer and for nobody; 403 for all but administrators, about themselves too', async () => {
    const body = { roles: ['administrator'], reason }
    expect((await boss.put(`/admin/staff/${acme.owner.userId}`, body)).status).toBe(404)
    expect((await boss.put('/admin/staff/999999', body)).status).toBe(404)
    for (const role of ['support', 'sales', 'finance', 'operations', 'auditor'] as const) {
      const person = await acme.staffAs(role)
      expect((await person.put(`/admin/staff/${person.userId}`, body)).status, role).toBe(403)
    }
  })
})

describe('DELETE /admin/staff/{id}', () => {
  it('200 leaves the account of a customer; 404 the second time; 422 without a reason', async () => {
    const person = await acme.staffAs('operations')
    expect((await boss.delete(`/admin/staff/${person.userId}`)).errors?.fields).toHaveProperty('reason')
    expect((await boss.delete(`/admin/staff/${person.userId}?reason=Leaves`)).status).toBe(200)
    expect((await person.get('/environments')).message).toBe('Not a collaborator of this organization')
    expect((await person.get('/auth/me')).data.roles).toEqual(['customer'])
    expect((await boss.delete(`/admin/staff/${person.userId}?reason=Leaves`)).status).toBe(404)
    expect(await audited('staff_removed')).toMatchObject({
      changes: { after: { before: ['operations'], after: [], reason: 'Leaves' } },
    })
  })
})

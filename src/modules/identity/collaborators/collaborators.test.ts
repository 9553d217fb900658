import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { address, admin, at, idOf } from '#test/scenes/collaborators.ts'
import { somebodyWaits } from '#test/harness/database.ts'
import { apiKey } from '#test/scenes/records.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()

describe('GET /organizations/{id}/collaborators', () => {
  it('200 with the full records, newest first', async () => {
    const org = await app.world.organization()
    const member = await org.member({ scopes: ['organization'], email: 'Elise@example.com' })
    const { data, meta } = await member.get(at(org))
    expect(meta).toMatchObject({ total: 2, page: 1 })
    expect(data[0]).toEqual({
      id: expect.any(Number),
      organization_id: org.id,
      parent_user_id: null,
      user_id: member.userId,
      email: 'Elise@example.com',
      name: expect.any(String),
      role: 'member',
      invited_role: null,
      named_role_id: null,
      status: 'active',
      can_manage_org: true,
      can_manage_finances: false,
      can_manage_orders: false,
      can_manage_licenses: false,
      can_manage_tickets: false,
      can_manage_quotes: false,
      can_manage_contracts: false,
      can_manage_documents: false,
      can_manage_downloads: false,
      can_manage_entitlements: false,
      ticket_visibility: 'all',
      started_at: null,
      expired_at: null,
      invite_status: 'accepted',
      invite_expires_at: null,
      has_second_factor: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await member.get(`${at(org)}?role=owner`)).data).toHaveLength(1)
    expect((await member.get(`${at(org)}?search=eLISE`)).data).toHaveLength(1)
    expect((await member.get(`${at(org)}?status=expired`)).data).toHaveLength(0)
    expect((await member.get(at(org, data[0].id))).data).toEqual(data[0])
  })
  it('403 without the scope; an expired collaborator has no access and is listed as expired', async () => {
    const org = await app.world.organization()
    const late = await org.member({ scopes: ['organization'], expiredAt: new Date(app.clock.now.getTime() + 60_000) })
    expect((await late.get(at(org))).status).toBe(200)
    const id = await idOf(app, org, late)
    await org.owner.put(at(org, id), { expired_at: app.clock.now.toISOString() })
    expect((await late.get(at(org))).status).toBe(403)
    expect((await org.owner.get(at(org, id))).data.status).toBe('expired')
    expect((await (await org.member()).get(at(org))).message).toBe('Scope not authorized: organization')
  })
  it('200 with a status that agrees with the invite: a collaborator who accepted before the start date is not `invited`', async () => {
    const org = await app.world.organization()
    const member = await org.member()
    const id = await idOf(app, org, member)
    const starts = new Date(app.clock.now.getTime() + 3_600_000).toISOString()
    const early = await org.owner.put(at(org, id), { started_at: starts })
    expect(early.data).toMatchObject({ status: 'scheduled', invite_status: 'accepted' })
    expect((await org.owner.get(`${at(org)}?status=scheduled`)).data).toMatchObject([{ id }])
    expect((await org.owner.get(`${at(org)}?status=invited`)).data).toEqual([])
    expect((await member.get('/search?q=ab')).status).toBe(403)
    app.clock.advance(3_601)
    expect((await org.owner.get(at(org, id))).data.status).toBe('active')
  })
  it('404 for another organization’s collaborator, in every route', async () => {
    const [org, other] = [await app.world.organization(), await app.world.organization()]
    const id = await idOf(app, other, await other.member())
    for (const speaker of [org.owner, org.staff]) {
      expect((await speaker.get(at(org, id))).status).toBe(404)
      expect((await speaker.put(at(org, id), { can_manage_quotes: true })).status).toBe(404)
      expect((await speaker.delete(at(org, id))).status).toBe(404)
      expect((await speaker.post(`${at(org, id)}/resend-invite`)).status).toBe(404)
    }
    expect((await org.owner.get(`${at(org)}/1e3`)).status).toBe(404)
  })
})

describe('PUT /organizations/{id}/collaborators/{collaborator_id}', () => {
  it('200 and the grant is in force from the next request', async () => {
    const org = await app.world.organization()
    const member = await org.member()
    const id = await idOf(app, org, member)
    expect((await member.get('/quotes')).status).toBe(403)
    const answer = await org.owner.put(at(org, id), { can_manage_quotes: true, role: 'admin' })
    expect(answer.data).toMatchObject({ role: 'admin', can_manage_quotes: true, status: 'active' })
    expect((await member.get('/quotes')).status).toBe(200)
    await org.owner.put(at(org, id), { can_manage_quotes: false })
    expect((await member.get('/quotes')).status).toBe(403)
  })
  it('200 for an admin on a member, within the admin’s own scopes', async () => {
    const org = await app.world.organization()
    const who = await admin(org)
    const member = await org.member({ scopes: ['finances'] })
    const id = await idOf(app, org, member)
    // Keeping an existing scope is not a new grant.
    expect((await who.put(at(org, id), { can_manage_finances: true, can_manage_quotes: true })).status).toBe(200)
    expect((await who.put(at(org, id), { can_manage_orders: true })).status).toBe(403)
    expect((await who.put(at(org, id), { role: 'admin' })).status).toBe(403)
    expect((await who.put(at(org, id), { can_manage_finances: false })).status).toBe(200)
  })
  it('403 for an admin on an admin, oneself and the owner; 409 on the owner by staff', async () => {
    const org = await app.world.organization()
    const [who, other] = [await admin(org), await admin(org)]
    for (const target of [who, other, org.owner])
      expect((await who.put(at(org, await idOf(app, org, target)), { can_manage_quotes: false })).status).toBe(403)
    const owner = await idOf(app, org, org.owner)
    expect((await org.staff.put(at(org, owner), { role: 'member' })).status).toBe(409)
    expect((await org.owner.put(at(org, owner), { expired_at: '2026-01-01T00:00:00.000Z' })).status).toBe(409)
    const member = await idOf(app, org, await org.member())
    expect((await org.owner.put(at(org, member), { role: 'guest' })).status).toBe(403)
    expect((await org.staff.put(at(org, member), { role: 'guest' })).data.role).toBe('guest')
    expect((await org.staff.put(at(org, member), { role: 'owner' })).status).toBe(409)
  })
  it('200 changes the role of an invite; 403 for an admin on the invite of an admin', async () => {
    const org = await app.world.organization()
    const { data } = await org.owner.post(at(org), { email: address() })
    const who = await admin(org)
    expect((await who.put(at(org, data.id), { can_manage_quotes: true })).status).toBe(200)
    const answer = await org.owner.put(at(org, data.id), { role: 'admin' })
    expect(answer.data).toMatchObject({ role: 'pending', invited_role: 'admin', status: 'invited' })
    expect((await who.put(at(org, data.id), { role: 'member' })).status).toBe(403)
    expect((await who.delete(at(org, data.id))).status).toBe(403)
    expect((await who.post(`${at(org, data.id)}/resend-invite`)).status).toBe(403)
  })
  it('403 for an admin who is demoted while the request waits in the tenant queue', async () => {
    const org = await app.world.organization()
    const member = await idOf(app, org, await org.member())
    const acts = [
      (who: Speaker) => who.put(at(org, member), { can_manage_quotes: true }),
      (who: Speaker) => who.post(at(org), { email: address() }),
      (who: Speaker) => who.delete(at(org, member)),
      (who: Speaker) => who.put(`/organizations/${org.id}`, { phone: '1' }),
    ]
    const people = await Promise.all(acts.map(() => admin(org)))
    const client = new Client({ connectionString: app.database.url })
    await client.connect()
    await client.query('begin')
    await client.query('select 1 from event_sequences where organization_id = $1 for update', [org.id])
    const waiting = acts.map((act, index) => act(people[index] ?? org.owner))
    // The other requests wait for it in the process.
    await somebodyWaits(app.database, 1)
    await client.query(`update collaborators set role = 'member' where organization_id = $1 and role = 'admin'`, [
      org.id,
    ])
    await client.query('commit')
    await client.end()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([403, 403, 403, 403])
  })
})

describe('DELETE /organizations/{id}/collaborators/{collaborator_id}', () => {
  it('200 and the collaborator loses access at once', async () => {
    const org = await app.world.organization()
    const member = await org.member({ scopes: ['organization'] })
    const id = await idOf(app, org, member)
    expect((await (await admin(org)).delete(at(org, id))).data).toBeNull()
    expect((await member.get(at(org))).status).toBe(403)
    expect((await org.owner.delete(at(org, id))).status).toBe(404)
  })
  it('200 for collaborators who remove themselves: members without the scope, admins, guests', async () => {
    const org = await app.world.organization()
    for (const role of ['member', 'admin', 'guest'] as const) {
      const who = await org.member({ role })
      expect((await who.delete(at(org, await idOf(app, org, who)))).status).toBe(200)
      expect((await who.delete(at(org, 1))).status).toBe(403)
    }
  })
  it('409 for the last owner, also for many requests at once, and by staff', async () => {
    const org = await app.world.organization()
    const id = await idOf(app, org, org.owner)
    const answers = await Promise.all([org.owner, org.owner, org.staff].map((one) => one.delete(at(org, id))))
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409])
    expect((await (await admin(org)).delete(at(org, id))).status).toBe(403)
    const second = app.database.query(
      `insert into collaborators (organization_id, email, role) values ($1, 'second@example.com', 'owner')`,
      [org.id],
    )
    await expect(second).rejects.toThrow('collaborators_owner')
  })
  it('403 for an API key, which acts as a member and cannot remove anybody', async () => {
    const org = await app.world.organization()
    const key = await apiKey(app, org, { permission: 'read_write', scopes: ['organization'] })
    const program = app.world.speaker({ ...key, 'x-service-organization': String(org.id) }, org.owner)
    expect((await program.get(at(org))).status).toBe(200)
    for (const who of [org.owner, await org.member()])
      expect((await program.delete(at(org, await idOf(app, org, who)))).status).toBe(403)
    expect((await program.post(at(org), { email: address() })).status).toBe(403)
    expect((await program.put(`/organizations/${org.id}`, { phone: '1' })).status).toBe(403)
    expect((await program.get('/organizations')).status).toBe(401)
  })
  it('403 for members on others, and for an admin on an admin', async () => {
    const org = await app.world.organization()
    const [member, other] = [await org.member({ scopes: ['organization'] }), await org.member()]
    expect((await member.delete(at(org, await idOf(app, org, other)))).status).toBe(403)
    expect((await (await admin(org)).delete(at(org, await idOf(app, org, await admin(org))))).status).toBe(403)
  })
})

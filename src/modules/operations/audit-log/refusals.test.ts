// Refused requests in the audit log: whose log has them, how callers who are not members are named, and how a flood is
// counted instead of logged one by one.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { routes } from '../../../modules.ts'
import { apiKey } from '#test/scenes/records.ts'
import type { Organization } from '#test/harness/world.ts'

let acme: Organization
const app = await appOfFile()
const administrator = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })

type Entry = {
  action: string
  actor: string
  actor_id: number
  actor_kind: string
  ip: string
  changes: { after: object }
}
const refusalsOf = async (organization: Organization): Promise<Entry[]> =>
  (await organization.owner.get('/audit-log?action=refused&per_page=100')).data
const ofService = async (action = 'refused'): Promise<Entry[]> =>
  (await administrator.get(`/admin/audit-log?log=service&action=${action}&per_page=100`)).data
const fresh = async (): Promise<Organization> => {
  // Each test has its own minute, because entries are limited per minute.
  app.clock.advance(61)
  return (acme = await app.world.organization())
}

describe('a refusal in an organization', () => {
  it('of a member is in its audit log with name, route and reason', async () => {
    await fresh()
    const member = await acme.member({ scopes: ['orders'] })
    const answer = await member.post('/quotes/1/accept')
    expect(answer.status).toBe(403)
    expect(await refusalsOf(acme)).toEqual([
      {
        id: expect.any(Number),
        at: app.clock.now.toISOString(),
        actor_kind: 'user',
        actor_id: member.userId,
        actor: expect.stringMatching(/^Person /),
        action: 'refused',
        resource: 'organization',
        resource_id: acme.id,
        changes: {
          before: null,
          after: { request: 'POST /quotes/{id}/accept', reason: 'Scope not authorized: quotes' },
        },
        reason: null,
        request_id: answer.headers['x-request-id'],
        ip: '127.0.0.1',
      },
    ])
  })
  it('of a caller who is not a member names route, IP address and user id only; the caller’s organization has no entry', async () => {
    await fresh()
    const theirs = await app.world.organization({ name: 'Theirs' })
    const outsider = app.world.inside(theirs.owner, acme.id)
    expect((await outsider.get('/invoices?search=their+secret')).status).toBe(403)
    expect((await outsider.post('/tickets', { title: 'their secret' })).status).toBe(403)
    const entries = await refusalsOf(acme)
    expect(entries).toMatchObject([
      { actor: `user ${theirs.owner.userId}`, actor_id: theirs.owner.userId, ip: '127.0.0.1' },
      { changes: { after: { request: 'GET /invoices', reason: 'Not a collaborator of this organization' } } },
    ])
    const [account] = await app.database.query<{ name: string }>('select name from users where id = $1', [
      theirs.owner.userId,
    ])
    for (const word of [theirs.owner.email, account?.name, 'Theirs', 'secret'])
      expect(JSON.stringify(entries)).not.toContain(word)
    expect(await refusalsOf(theirs)).toEqual([])
  })
  it('is logged for a key of another organization, for a rule of an operation, and for a route of staff', async () => {
    await fresh()
    const theirs = await app.world.organization()
    const headers = await apiKey(app, theirs, { permission: 'read', scopes: ['quotes'] })
    const key = app.world.speaker({ ...headers, 'x-service-organization': String(acme.id) }, theirs.owner)
    expect((await key.get('/quotes')).status).toBe(403)
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    const { data } = await acme.owner.get(`/organizations/${acme.id}/collaborators?role=owner`)
    expect((await admin.put(`/organizations/${acme.id}/collaborators/${data[0].id}`, { role: 'member' })).status).toBe(
      403,
    )
    expect((await acme.owner.post('/quotes', {})).status).toBe(403)
    const entries = await refusalsOf(acme)
    expect(
      entries.map(({ actor_kind, changes }) => `${actor_kind} ${(changes.after as { request: string }).request}`),
    ).toEqual([
      'user POST /quotes',
      'user PUT /organizations/{id}/collaborators/{collaborator_id}',
      'api_key GET /quotes',
    ])
    expect(entries.at(-1)).toMatchObject({ actor: `user ${theirs.owner.userId}` })
  })
  it('names the requested organization in the log line too', async () => {
    await fresh()
    const outsider = app.world.inside(await app.world.user(), acme.id)
    const { headers } = await outsider.get('/quotes')
    const line = app.log.map((text) => JSON.parse(text)).find((one) => one.request_id === headers['x-request-id'])
    expect(line).toMatchObject({ status: 403, organization_id: acme.id, user_id: outsider.userId })
  })
})

describe('a refusal that concerns no organization', () => {
  it('is in the service’s own log: administration, an organization that does not exist, a webhook’s signature', async () => {
    await fresh()
    const { userId } = acme.owner
    expect((await acme.owner.get('/admin/users')).status).toBe(403)
    const member = await acme.member({ scopes: ['orders'] })
    expect((await app.world.inside(member, 999_999_999).get('/orders')).status).toBe(404)
    const nowhere = app.world.speaker({ ...member.headers, 'x-service-organization': '999999999' }, member)
    expect((await nowhere.get('/quotes')).status).toBe(403)
    expect((await app.world.anonymous.post('/webhooks/payment/entity_br', { id: 'evt_1' })).status).toBe(401)
    expect((await app.world.anonymous.post('/webhooks/provisioning', { id: 'evt_1' })).status).toBe(401)
    expect(await ofService()).toMatchObject([
      { actor: 'anonymous', ip: '127.0.0.1', changes: { after: { request: 'POST /webhooks/provisioning' } } },
      { actor: 'anonymous', ip: '127.0.0.1', changes: { after: { request: 'POST /webhooks/payment/{company}' } } },
      { actor_id: member.userId, changes: { after: { request: 'GET /quotes', organization_id: 999_999_999 } } },
      { actor_id: userId, changes: { after: { request: 'GET /admin/users' } } },
    ])
  })
  it('of an unsigned webhook is 401 and logged, whatever else of the request is wrong', async () => {
    for (const route of routes.filter(({ access }) => access.kind === 'signed')) {
      await fresh()
      const before = (await ofService()).length
      const path = route.path.replace('{company}', 'entity_br')
      const wrong = [`${path}?no_such_parameter=1`, path, route.path.replace('{company}', 'entity_none')]
      for (const one of new Set(wrong))
        expect([one, (await app.world.anonymous.post(one, 'no json')).status]).toEqual([one, 401])
      const entries = await ofService()
      expect(entries.length).toBe(before + new Set(wrong).size)
      expect(entries[0]).toMatchObject({ changes: { after: { request: `POST ${route.path}` } } })
    }
  })
  it('is not logged for 401, 404 and 422', async () => {
    await fresh()
    const before = (await ofService()).length
    await app.world.anonymous.get('/quotes')
    await acme.owner.get('/quotes/999999999')
    await acme.owner.get('/quotes?page=0')
    expect(await refusalsOf(acme)).toEqual([])
    expect(await ofService()).toHaveLength(before)
  })
})

describe('a flood', () => {
  it('of one caller leaves ten entries a minute and the count of the others', async () => {
    await fresh()
    const outsider = app.world.inside(await app.world.user(), acme.id)
    for (let times = 0; times < 25; times++) expect((await outsider.get('/quotes')).status).toBe(403)
    expect(await refusalsOf(acme)).toHaveLength(10)
    app.clock.advance(61)
    expect((await outsider.get('/quotes')).status).toBe(403)
    expect(await refusalsOf(acme)).toHaveLength(11)
    const { data } = await acme.owner.get('/audit-log?action=refusals_left_out')
    expect(data).toMatchObject([{ actor_kind: 'system', changes: { after: { count: 15, since: expect.any(String) } } }])
  })
  it('of many callers leaves thirty entries a minute in an organization, and 120 in all', async () => {
    await fresh()
    const other = await app.world.organization()
    const crowd = await Promise.all(Array.from({ length: 40 }, () => app.world.user()))
    for (const who of crowd) expect((await app.world.inside(who, acme.id).get('/quotes')).status).toBe(403)
    expect(await refusalsOf(acme)).toHaveLength(30)
    for (const organization of await Promise.all(Array.from({ length: 4 }, () => app.world.organization())))
      for (const who of crowd) await app.world.inside(who, organization.id).get('/quotes')
    const [all] = await app.database.query<{ n: number }>(
      `select count(*)::int as n from audit_log where action = 'refused' and at = $1`,
      [app.clock.now],
    )
    expect(all?.n).toBe(120)
    expect((await app.world.inside(crowd[0] ?? acme.owner, other.id).get('/quotes')).status).toBe(403)
    expect(await refusalsOf(other)).toEqual([])
  })
})

describe('when the audit entry cannot be written', () => {
  it('403 all the same', async () => {
    await fresh()
    const outsider = app.world.inside(await app.world.user(), acme.id)
    await app.database.query(`alter table audit_log add constraint never check (action <> 'refused') not valid`)
    expect((await outsider.get('/quotes')).status).toBe(403)
    await app.database.query('alter table audit_log drop constraint never')
    expect(await refusalsOf(acme)).toEqual([])
    expect(app.log.join('\n')).toContain('a refusal could not be written to the audit log')
  })
})

// What the vendor's keys may do, from where and how long.
import { describe, expect, it } from 'vitest'
import { routes } from '../../../modules.ts'
import { permissionsOf } from '#kernel/values/staff-roles.ts'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords } from '#test/scenes/records.ts'
import { basic, vendorKey } from '#test/scenes/vendor-keys.ts'

const every = permissionsOf(['administrator'])

const app = await appOfFile({
  environment: { STAFF_ENTRY: 'reason', STAFF_MFA: 'required', TRUSTED_PROXIES: '127.0.0.1' },
})
const acme = await app.world.organization()
const other = await app.world.organization()

const ids = (records: Record<string, number>[], path: string) =>
  new Set(records.map((one) => (path === '/admin/organizations' ? one['id'] : one['organization_id'])))
const from = (address: string) => ({ 'x-forwarded-for': address })

describe('a key of the vendor', () => {
  it('needs no second factor and no entry, and is in the audit logs by its name and number', async () => {
    const key = app.world.inside(await vendorKey(app, { permissions: every }), acme.id)
    const { id } = await vendorKey(app, { permissions: ['orders:read'] })
    expect((await key.get('/tickets')).status).toBe(200)
    const { data } = await acme.owner.get('/audit-log')
    expect(data[0]).toMatchObject({ action: 'staff_entry', actor_kind: 'api_key' })
    expect(data[0].actor).toMatch(/^test \(API key \d+\)$/)
    expect(id).toBeGreaterThan(0)
    expect((await key.get('/admin/orders')).status).toBe(200)
    const log = (await key.get('/admin/audit-log?log=service&action=administration')).data
    expect(log[0]).toMatchObject({ actor_kind: 'api_key', actor: data[0].actor })
  })
  it('stays when its creator leaves or is disabled, and does not act with their memberships', async () => {
    const key = await vendorKey(app, { permissions: ['organization:read', 'organization:write'] })
    await app.database.query(`update users set roles = '{customer}', disabled_at = now() where id = $1`, [key.userId])
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role, invite_status) values ($1, $2, $3, 'admin', 'accepted')`,
      [acme.id, key.userId, key.email],
    )
    const inside = app.world.inside(key, acme.id)
    expect((await inside.get(`/organizations/${acme.id}`)).status).toBe(200)
    expect((await inside.get('/tickets')).status).toBe(403)
    const endpoint = await inside.post('/webhook-endpoints', { url: 'https://acme.example/', events: ['*'] })
    expect(endpoint).toMatchObject({ status: 403, errors: { reason: 'person_needed' } })
    expect((await inside.post(`/organizations/${acme.id}/transfer-ownership`, { user_id: key.userId })).status).toBe(
      403,
    )
  })
  it('401 from the second on at which it expires, and once it is revoked', async () => {
    const expiresAt = new Date(app.clock.now.getTime() + 60_000)
    const key = await vendorKey(app, { permissions: ['orders:read'], expiresAt })
    app.clock.advance(59)
    expect((await key.get('/admin/orders')).status).toBe(200)
    app.clock.advance(1)
    expect((await key.get('/admin/orders')).status).toBe(401)
    const living = await vendorKey(app, { permissions: ['orders:read'] })
    await app.database.query('update vendor_keys set revoked_at = now() where id = $1', [living.id])
    expect((await living.get('/admin/orders')).status).toBe(401)
    expect((await app.world.inside(living, acme.id).get('/orders')).status).toBe(401)
  })
  it('401 with another secret, in the query, and on what only people do', async () => {
    const key = await vendorKey(app, { permissions: every })
    const forged = app.world.speaker({ authorization: basic(key.consumerKey, `${key.secret}x`) }, key)
    expect((await forged.get('/admin/orders')).status).toBe(401)
    const query = `consumer_key=${key.consumerKey}&consumer_secret=${key.secret}`
    const inQuery = await app.world.anonymous.get(`/admin/orders?${query}`)
    expect([inQuery.status, inQuery.message]).toEqual([401, expect.stringContaining('as HTTP Basic')])
    for (const path of ['/auth/me', '/auth/sessions', '/auth/mfa', '/auth/passkeys', '/organizations'])
      expect(await key.get(path), path).toMatchObject({ status: 401, message: expect.stringContaining('No API key') })
  })
  it('403 for acts of a person that only some bodies are', async () => {
    const inside = app.world.inside(await vendorKey(app, { permissions: every }), acme.id)
    const required = await inside.put(`/organizations/${acme.id}`, { require_mfa: true })
    expect(required).toMatchObject({ status: 403, errors: { reason: 'person_needed' } })
    expect((await inside.put(`/organizations/${acme.id}`, { city: 'Recife' })).status).toBe(200)
  })
})

describe('allowed_ips', () => {
  it('admits IPv4, IPv6, and IPv4 that is written as IPv6; 403 for others, which is audited', async () => {
    const allowedIps = ['203.0.113.7', '10.1.0.0/16', '2001:db8:1::/48']
    const key = await vendorKey(app, { permissions: ['orders:read', 'audit:read'], allowedIps })
    for (const address of ['203.0.113.7', '10.1.255.255', '2001:db8:1::9', '::ffff:203.0.113.7', '2001:DB8:1:0::1'])
      expect((await key.get('/admin/orders', from(address))).status, address).toBe(200)
    const inside = app.world.inside(key, acme.id)
    for (const address of ['203.0.113.8', '10.2.0.1', '2001:db8:2::9', '::ffff:203.0.113.8', '::', 'unknown'])
      for (const [who, path] of [
        [key, '/admin/orders'],
        [inside, '/orders'],
      ] as const)
        expect(await who.get(path, from(address)), address).toMatchObject({
          status: 403,
          errors: { reason: 'key_address_refused' },
        })
    const { data } = await app.world.inside(acme.owner, acme.id).get('/audit-log?action=refused')
    expect(data[0].changes.after.reason).toContain('not accepted from this network address')
  })
  it('counts the nearest address that is no proxy, whatever the client claims', async () => {
    const key = await vendorKey(app, { permissions: ['orders:read'], allowedIps: ['203.0.113.7'] })
    expect((await key.get('/admin/orders', from('203.0.113.7, 198.51.100.1'))).status).toBe(403)
    expect((await key.get('/admin/orders', from('198.51.100.1, 203.0.113.7'))).status).toBe(200)
  })
})

/** What a list cannot do without. */
const asking = (path: string): string => (path === '/admin/search' ? '&q=PLG' : '')

describe('a key for some organizations', () => {
  it('lists only their records, in every list that it may use', async () => {
    await createRecords(app, acme)
    await createRecords(app, other)
    const all = await vendorKey(app, { permissions: every })
    const some = await vendorKey(app, { permissions: every, organizations: [acme.id] })
    // The kinds of reports are the same for all.
    const lists = routes.filter(
      (route) => route.features.limitsOrganizations && route.page && route.path !== '/admin/reports',
    )
    let filled = 0
    for (const { path, method } of lists) {
      expect(method).toBe('GET')
      const [whole, limited] = await Promise.all(
        [all, some].map((key) => key.get(`${path}?per_page=100${asking(path)}`)),
      )
      if (whole?.data.length === 0) continue
      filled += 1
      expect(ids(whole?.data, path), path).toContain(other.id)
      expect([...ids(limited?.data, path)], path).toEqual([acme.id])
      expect(limited?.meta?.total, path).toBe(limited?.data.length)
      const asked = await some.get(`${path}?per_page=100&organization_id=${other.id}${asking(path)}`)
      expect(asked.data ?? [], path).toEqual([])
    }
    expect(filled).toBeGreaterThan(12)
    expect((await some.get('/admin/audit-log?log=service')).data).toEqual([])
  })
  it('gives one record of such a list by its id, and 404 for those of others', async () => {
    const [own, others] = [await app.world.organization(), await app.world.organization()]
    await createRecords(app, own)
    await createRecords(app, others)
    const all = await vendorKey(app, { permissions: every })
    const some = await vendorKey(app, { permissions: every, organizations: [own.id] })
    const single = routes.filter(({ features, path }) => features.limitsOrganizations && path.endsWith('/{id}'))
    expect(single.length).toBeGreaterThan(1)
    for (const { path } of single) {
      const list = path.replace('/{id}', '')
      for (const { id: organization } of [own, others]) {
        const { data } = await all.get(`${list}?per_page=1&organization_id=${organization}`)
        expect(data, list).toHaveLength(1)
        const { status, data: found } = await some.get(`${list}/${data[0].id}`)
        expect([status, found?.organization_id ?? null], list).toEqual(
          organization === own.id ? [200, own.id] : [404, null],
        )
      }
    }
  })
  it('reports about them only', async () => {
    const all = await vendorKey(app, { permissions: every })
    const some = await vendorKey(app, { permissions: every, organizations: [acme.id] })
    for (const { name } of (await some.get('/admin/reports')).data) {
      const [limited, asked] = await Promise.all([
        some.get(`/admin/reports/${name}`),
        all.get(`/admin/reports/${name}?organization_id=${acme.id}`),
      ])
      expect(asked.status, name).toBe(200)
      expect(limited.data.rows, name).toEqual(asked.data.rows)
    }
    const { data } = await all.get('/admin/reports/billed')
    expect(data.rows).not.toEqual((await some.get('/admin/reports/billed')).data.rows)
  })
  it('404 for the others, in the header and the path, also for changes', async () => {
    const some = await vendorKey(app, { permissions: every, organizations: [acme.id] })
    const there = app.world.inside(some, other.id)
    for (const answer of [
      await there.get('/tickets'),
      await there.post('/tickets', {}),
      await there.get(`/organizations/${other.id}`),
      await some.post(`/admin/organizations/${other.id}/verify`),
      await some.get('/admin/organizations/999999/test-clock'),
    ])
      expect(answer).toMatchObject({ status: 404, message: 'Organization not found' })
    expect((await app.world.inside(some, acme.id).get(`/organizations/${acme.id}`)).status).toBe(200)
    expect(await some.get('/admin/users')).toMatchObject({
      status: 403,
      errors: { reason: 'key_of_some_organizations' },
    })
  })
})

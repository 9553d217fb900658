import { describe, expect, it } from 'vitest'
import { Client } from 'pg'
import { appOfFile } from '#test/harness/app.ts'
import { somebodyWaits } from '#test/harness/database.ts'
import type { Speaker } from '#test/harness/world.ts'
import { basic, vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const boss = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })

const create = (body: object = {}, by = boss) =>
  by.post('/admin/api-keys', { name: 'Warehouse', permissions: ['orders:read'], ...body })
const speaks = (data: Record<string, string>): Speaker =>
  app.world.speaker(
    { authorization: basic(data['consumer_key'] ?? '', data['consumer_secret'] ?? '') },
    app.world.anonymous,
  )
const later = (seconds: number) => new Date(app.clock.now.getTime() + seconds * 1000).toISOString()
const auditOf = async (id: number) =>
  (await boss.get('/admin/audit-log?log=service&resource=vendor_key')).data.filter(
    (one: { resource_id: number }) => one.resource_id === id,
  )

describe('POST /admin/api-keys', () => {
  it('201 with the secret, which no other answer, log line or row has', async () => {
    const allowed_ips = ['10.0.0.0/8', '2001:DB8::1', '127.0.0.1']
    const answer = await create({ permissions: ['tickets:write'], organization_ids: [acme.id], allowed_ips })
    expect(answer.status).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.data).toMatchObject({
      name: 'Warehouse',
      permissions: ['tickets:read', 'tickets:write'],
      organization_ids: [acme.id],
      allowed_ips: ['10.0.0.0/8', '2001:db8::1', '127.0.0.1'],
      expires_at: null,
      last_used_at: null,
      created_by: boss.userId,
      created_by_name: 'Boss',
      consumer_key: expect.stringMatching(/^vk_[\w-]{24}$/),
      consumer_secret: expect.stringMatching(/^vs_[\w-]{43}$/),
    })
    const { id, consumer_key, consumer_secret } = answer.data
    const key = app.world.inside(speaks(answer.data), acme.id)
    expect((await key.get('/tickets')).status).toBe(200)
    const { raw } = await boss.get(`/admin/api-keys/${id}`)
    const entries = JSON.stringify(await auditOf(id))
    const [stored] = await app.database.query<{ row: string }>('select to_jsonb(k)::text as row from vendor_keys k')
    for (const text of [raw.body, entries, stored?.row, app.log.join('')]) expect(text).not.toContain(consumer_secret)
    expect(raw.body + entries + app.log.join('')).not.toContain(consumer_key)
  })
  it('403 for a permission that the creator lacks, for other staff, and for every key', async () => {
    const custom = await app.world.user({ roles: ['customer', 'auditor'] })
    expect((await create({}, custom)).status).toBe(403)
    const key = await vendorKey(app, { permissions: ['staff:read', 'staff:write', 'orders:read'] })
    expect(await create({}, key)).toMatchObject({ status: 403, errors: { reason: 'person_needed' } })
  })
  it('403 for who is removed from staff while the request is under way', async () => {
    const leaving = await app.world.user({ roles: ['customer', 'administrator'] })
    const { data } = await create({}, leaving)
    const removal = new Client({ connectionString: app.database.url })
    await removal.connect()
    await removal.query('begin')
    await removal.query(`update users set roles = '{customer}' where id = $1`, [leaving.userId])
    const asked = [create({ name: 'Too late' }, leaving), leaving.post(`/admin/api-keys/${data.id}/rotate`, {})]
    await somebodyWaits(app.database, 2)
    await removal.query('commit')
    await removal.end()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403])
    expect((await boss.get(`/admin/api-keys?created_by=${leaving.userId}`)).meta?.total).toBe(1)
  })
  it('422 names every bad field', async () => {
    const wrong = { name: '', permissions: ['orders'], expires_at: later(-1), allowed_ips: ['10.0.0.1/8'] }
    const { status, errors } = await create(wrong)
    expect(status).toBe(422)
    expect(Object.keys(errors?.fields ?? {}).toSorted()).toEqual([
      'allowed_ips.0',
      'expires_at',
      'name',
      'permissions.0',
    ])
    for (const network of [
      '::ffff:10.0.0.0/104',
      '1.2.3',
      '10.0.0.0/33',
      'fe80::1%eth0',
      '0x7f.1',
      'localhost',
      '1.2.3.4/08',
    ])
      expect((await create({ allowed_ips: [network] })).errors?.fields, network).toHaveProperty(['allowed_ips.0'])
    expect((await create({ organization_ids: [acme.id, 999_999] })).errors?.fields).toEqual({
      'organization_ids.1': 'no such organization',
    })
    expect((await create({ permissions: ['staff:write'] })).status).toBe(422)
    expect((await create({ organization_ids: [] })).status).toBe(422)
  })
})

describe('GET /admin/api-keys', () => {
  it('200 with those that are not revoked, of a creator if asked', async () => {
    const maker = await app.world.user({ roles: ['customer', 'administrator'] })
    const { data: first } = await create({ name: 'é “q” \u{1F511}' }, maker)
    const { data: second } = await create({}, maker)
    await maker.delete(`/admin/api-keys/${second.id}`)
    const { data } = await boss.get(`/admin/api-keys?created_by=${maker.userId}`)
    expect(data.map((one: { id: number; name: string }) => [one.id, one.name])).toEqual([[first.id, 'é “q” \u{1F511}']])
    expect((await boss.get(`/admin/api-keys/${second.id}`)).status).toBe(404)
  })
})

describe('PATCH /admin/api-keys/{id}', () => {
  it('200 counts from the next request on, and is audited', async () => {
    const { data } = await create({ permissions: ['orders:read', 'tickets:read'] })
    const key = app.world.inside(speaks(data), acme.id)
    expect((await key.get('/tickets')).status).toBe(200)
    const change = { permissions: ['orders:read'], organization_ids: [other.id], expires_at: later(60) }
    const changed = await boss.patch(`/admin/api-keys/${data.id}`, change)
    expect(changed.data).toMatchObject({ ...change, name: 'Warehouse' })
    expect((await key.get('/tickets')).message).toContain('Scope not authorized: tickets:read')
    expect((await key.get('/orders')).status).toBe(404)
    const back = await boss.patch(`/admin/api-keys/${data.id}`, { organization_ids: null, expires_at: null })
    expect(back.data).toMatchObject({ organization_ids: null, expires_at: null })
    expect((await key.get('/orders')).status).toBe(200)
    const [last] = await auditOf(data.id)
    expect(last).toMatchObject({ action: 'updated', actor: 'Boss', actor_id: boss.userId })
  })
  it('404 for one that is revoked or was never there', async () => {
    const { data } = await create()
    await boss.delete(`/admin/api-keys/${data.id}`)
    for (const id of [data.id, 999_999]) {
      expect((await boss.patch(`/admin/api-keys/${id}`, { name: 'x' })).status).toBe(404)
      expect((await boss.post(`/admin/api-keys/${id}/rotate`, {})).status).toBe(404)
      expect((await boss.delete(`/admin/api-keys/${id}`)).status).toBe(404)
    }
  })
})

describe('POST /admin/api-keys/{id}/rotate', () => {
  it('200: both secrets count until the overlap is over, to the second', async () => {
    const { data } = await create()
    const rotated = await boss.post(`/admin/api-keys/${data.id}/rotate`, { overlap_minutes: 10 })
    expect(rotated.data).toMatchObject({ consumer_key: data.consumer_key, previous_secret_ends_at: later(600) })
    expect(rotated.data.consumer_secret).not.toBe(data.consumer_secret)
    app.clock.advance(599)
    expect((await speaks(data).get('/admin/orders')).status).toBe(200)
    expect((await speaks(rotated.data).get('/admin/orders')).status).toBe(200)
    app.clock.advance(1)
    expect((await speaks(data).get('/admin/orders')).status).toBe(401)
    expect((await speaks(rotated.data).get('/admin/orders')).status).toBe(200)
  })
  it('409 while an overlap lasts, unless all former secrets are to end', async () => {
    const { data } = await create()
    const rotate = (overlap_minutes: number) => boss.post(`/admin/api-keys/${data.id}/rotate`, { overlap_minutes })
    const answers = await Promise.all([rotate(5), rotate(5)])
    expect(answers.map(({ status }) => status).toSorted((one, next) => one - next)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.errors?.reason).toBe('rotation_running')
    const won = answers.find(({ status }) => status === 200)
    expect((await speaks(data).get('/admin/orders')).status).toBe(200)
    const { data: last } = await rotate(0)
    expect(last.previous_secret_ends_at).toBeNull()
    for (const former of [data, won?.data]) expect((await speaks(former).get('/admin/orders')).status).toBe(401)
    expect((await speaks(last).get('/admin/orders')).status).toBe(200)
  })
  it('409 for a key that has expired', async () => {
    const { data } = await create({ expires_at: later(5) })
    app.clock.advance(5)
    const answer = await boss.post(`/admin/api-keys/${data.id}/rotate`, {})
    expect(answer).toMatchObject({ status: 409, errors: { reason: 'key_expired' } })
  })
})

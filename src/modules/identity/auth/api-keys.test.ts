import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const nobody = app.world.anonymous

const inside = (id: number) => ({ 'x-service-organization': String(id) })

async function made(body: object = {}, who: Speaker = acme.owner) {
  const answer = await who.post('/auth/api-keys', { name: 'ERP', ...body })
  expect(answer.status).toBe(201)
  const { consumer_key: key, consumer_secret: secret, id } = answer.data as Record<string, string>
  const query = `consumer_key=${key}&consumer_secret=${secret}`
  return { answer, id, key, secret, query }
}
const ask = (query: string, path = '/auth/api-keys', id = acme.id) => nobody.get(`${path}?${query}`, inside(id))

describe('POST /auth/api-keys', () => {
  it('201 with the secret, which no other answer has', async () => {
    const { answer, key, secret } = await made({ permission: 'read_write', scopes: ['orders', 'tickets'] })
    expect(answer.data).toMatchObject({
      organization_id: acme.id,
      user_id: acme.owner.userId,
      name: 'ERP',
      permission: 'read_write',
      scopes: ['orders', 'tickets', 'entitlements'],
      last_four: key?.slice(-4),
      revoked_at: null,
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect([key, secret]).toEqual([expect.stringMatching(/^ck_[\w-]{24}$/), expect.stringMatching(/^cs_[\w-]{43}$/)])
    const { raw } = await acme.owner.get('/auth/api-keys')
    expect(raw.body).not.toContain(key)
    const [stored] = await app.database.query<{ all: string }>(
      `select (select jsonb_agg(to_jsonb(k))::text from api_keys k) || (select jsonb_agg(to_jsonb(a))::text from audit_log a)
              || (select jsonb_agg(to_jsonb(e))::text from events e) as all`,
    )
    expect(stored?.all).not.toContain(secret)
    const audit = await app.database.query<{ after: object; data: object }>(
      `select a.after, e.data from audit_log a join events e using (organization_id, resource_id)
        where a.resource = 'api_key' and e.resource = 'api_key' and a.action = 'created' and e.type = 'titular/api_key/created'`,
    )
    expect(audit[0]?.after).toMatchObject({ secret_digest: '***', consumer_key: '***', name: 'ERP' })
    expect(audit[0]?.data).not.toHaveProperty('secret_digest')
    expect(audit[0]?.data).not.toHaveProperty('consumer_key')
  })
  it('201 with all of the creator’s scopes and read access by default', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization', 'quotes'] })
    const { answer } = await made({}, admin)
    expect(answer.data).toMatchObject({ permission: 'read', scopes: ['organization', 'quotes'] })
  })
  it('403 for a scope that the creator lacks, for members, and for staff who are not collaborators', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    const answer = await admin.post('/auth/api-keys', { name: 'ERP', scopes: ['finances'] })
    expect([answer.status, answer.message]).toEqual([403, 'Scope not authorized: finances'])
    const member = await acme.member({ scopes: ['organization'] })
    expect((await member.post('/auth/api-keys', { name: 'ERP' })).status).toBe(403)
    const plain = await acme.member({ role: 'admin', scopes: ['quotes'] })
    expect((await plain.post('/auth/api-keys', { name: 'ERP' })).message).toBe('Scope not authorized: organization')
    expect((await acme.staff.post('/auth/api-keys', { name: 'ERP' })).status).toBe(403)
  })
  it('422 names every bad field; 400 without the header; 401 without credentials', async () => {
    const answer = await acme.owner.post('/auth/api-keys', { name: '', permission: 'all', scopes: ['*'], user_id: 1 })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {}).toSorted()).toEqual(['name', 'permission', 'scopes.0', 'user_id'])
    const { authorization = '' } = acme.owner.headers
    expect((await nobody.post('/auth/api-keys', { name: 'ERP' }, { authorization })).status).toBe(400)
    expect((await nobody.post('/auth/api-keys', { name: 'ERP' }, inside(acme.id))).status).toBe(401)
  })
})

describe('GET /auth/api-keys', () => {
  it('200 with the keys of this organization only, newest first', async () => {
    const other = await app.world.organization()
    const first = await made({}, other.owner)
    const second = await made({}, other.owner)
    const { data, meta } = await other.owner.get('/auth/api-keys')
    expect(data.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id])
    expect(meta?.total).toBe(2)
    expect(Object.keys(data[0])).not.toContain('secret_digest')
  })
  it('403 without the scope', async () => {
    const member = await acme.member({ scopes: ['quotes'] })
    expect((await member.get('/auth/api-keys')).status).toBe(403)
  })
})

describe('DELETE /auth/api-keys/{id}', () => {
  it('200 and the key ends at once; 404 the second time and for a key of another organization', async () => {
    const other = await app.world.organization()
    const { id, query } = await made({ scopes: ['organization'] })
    expect((await ask(query)).status).toBe(200)
    expect((await other.owner.delete(`/auth/api-keys/${id}`)).status).toBe(404)
    expect((await acme.owner.delete(`/auth/api-keys/${id}`)).status).toBe(200)
    expect((await ask(query)).status).toBe(401)
    expect((await acme.owner.delete(`/auth/api-keys/${id}`)).status).toBe(404)
    expect(
      (await acme.owner.get('/auth/api-keys?per_page=100')).data.map((key: { id: number }) => key.id),
    ).not.toContain(id)
  })
  it('403 for members', async () => {
    const { id } = await made()
    const member = await acme.member({ scopes: ['organization'] })
    expect((await member.delete(`/auth/api-keys/${id}`)).status).toBe(403)
  })
})

describe('an API key', () => {
  it('200 in the query or as Basic authentication, with Cache-Control: no-store', async () => {
    const { query, key, secret } = await made({ scopes: ['organization'] })
    const answer = await ask(query)
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    const basic = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
    expect((await nobody.get('/auth/api-keys', { ...inside(acme.id), authorization: basic })).status).toBe(200)
  })
  it('401 for half a pair, pairs that do not match, repeated values, and malformed values', async () => {
    const { key, secret, query } = await made({ scopes: ['organization'] })
    const other = await made({ scopes: ['organization'] })
    for (const wrong of [
      `consumer_key=${key}`,
      `consumer_secret=${secret}`,
      `consumer_key=${key}&consumer_secret=${other.secret}`,
      `consumer_key=${secret}&consumer_secret=${key}`,
      `${query}&consumer_key=${key}`,
      `${query}&${query}`,
      `consumer_key=&consumer_secret=`,
      `consumer_key[]=${key}&consumer_secret=${secret}`,
    ])
      expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 401])
    for (const pair of [key, `${key}:`, `${key}:${secret}x`, `:${secret}`]) {
      const authorization = `Basic ${Buffer.from(pair ?? '').toString('base64')}`
      expect((await nobody.get('/auth/api-keys', { ...inside(acme.id), authorization })).status).toBe(401)
    }
    expect(
      (await nobody.get(`/auth/api-keys?${query}`, { ...inside(acme.id), authorization: 'Bearer x' })).status,
    ).toBe(401)
  })
  it('401 on routes without an organization, because it is not a user', async () => {
    const { query } = await made()
    for (const path of ['/auth/me', '/auth/session', '/organizations'])
      expect((await ask(query, path)).status).toBe(401)
    expect((await nobody.post(`/auth/logout?${query}`)).status).toBe(401)
  })
  it('403 for writing with a read key, for reading with a write key, and for what needs an admin', async () => {
    const read = await made({ scopes: ['organization', 'orders'] })
    const write = await made({ permission: 'write', scopes: ['organization', 'orders'] })
    const both = await made({ permission: 'read_write', scopes: ['organization'] })
    const post = (query: string) => nobody.post(`/orders/1/cancel?${query}`, undefined, inside(acme.id))
    expect([(await ask(read.query)).status, (await post(read.query)).status]).toEqual([200, 403])
    expect([(await ask(write.query)).status, (await post(write.query)).status]).toEqual([403, 404])
    expect((await nobody.post(`/auth/api-keys?${both.query}`, { name: 'more' }, inside(acme.id))).status).toBe(403)
    expect((await ask(read.query, '/quotes')).message).toBe('Scope not authorized: quotes')
  })
  it('200 without the header, 403 in another organization, 404 in one that does not exist', async () => {
    const { query } = await made({ scopes: ['organization'] })
    const other = await app.world.organization()
    expect((await ask(query, '/auth/api-keys', other.id)).status).toBe(403)
    expect((await ask(query, '/auth/api-keys', 999_999)).status).toBe(404)
    expect((await nobody.get(`/auth/api-keys?${query}`)).status).toBe(200)
  })
  it('403 in another organization of its creator', async () => {
    const { query } = await made({ scopes: ['organization'] })
    const other = await app.world.organization()
    await app.database.query(
      `insert into collaborators (organization_id, user_id, email, role, can_manage_org) values ($1, $2, $3, 'admin', true)`,
      [other.id, acme.owner.userId, acme.owner.email],
    )
    expect((await app.world.inside(acme.owner, other.id).get('/auth/api-keys')).status).toBe(200)
    const answer = await ask(query, '/auth/api-keys', other.id)
    expect([answer.status, answer.message]).toEqual([403, 'The API key belongs to another organization'])
    expect((await ask(query)).status).toBe(200)
  })
  it('loses a scope when its creator does, and ends with their membership', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization', 'quotes'] })
    const { query } = await made({}, admin)
    expect((await ask(query, '/quotes')).status).toBe(200)
    const at = [acme.id, admin.userId]
    await app.database.query(
      `update collaborators set can_manage_quotes = false where organization_id = $1 and user_id = $2`,
      at,
    )
    expect((await ask(query, '/quotes')).status).toBe(403)
    await app.database.query(`delete from collaborators where organization_id = $1 and user_id = $2`, at)
    expect((await ask(query)).status).toBe(401)
  })
})

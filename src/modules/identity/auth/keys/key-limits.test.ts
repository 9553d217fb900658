// The end, the networks, the last use and the rotation of an organization's keys.
import { describe, expect, it } from 'vitest'
import { createLastUses } from '#kernel/access/last-uses.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'
import { basic } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile({ environment: { TRUSTED_PROXIES: '127.0.0.1', API_KEYS_IN_QUERY: '0' } })
const acme = await app.world.organization()

type Pair = { id: number; consumer_key: string; consumer_secret: string }
async function made(body: object = {}, who: Speaker = acme.owner): Promise<Pair> {
  const answer = await who.post('/auth/api-keys', { name: 'ERP', scopes: ['organization'], ...body })
  expect(answer.status).toBe(201)
  return answer.data
}
const ask = ({ consumer_key, consumer_secret }: Pair, headers = {}) =>
  app.world.anonymous.get('/auth/api-keys', { authorization: basic(consumer_key, consumer_secret), ...headers })
const from = (address: string) => ({ 'x-forwarded-for': address })
const later = (seconds: number) => new Date(app.clock.now.getTime() + seconds * 1000).toISOString()
const rotate = (id: number, body: object = {}, who: Speaker = acme.owner) =>
  who.post(`/auth/api-keys/${id}/rotate`, body)

describe('expires_at', () => {
  it('401 from that second on, until it is given a later one', async () => {
    const key = await made({ expires_at: later(30) })
    app.clock.advance(29)
    expect((await ask(key)).status).toBe(200)
    app.clock.advance(1)
    expect((await ask(key)).status).toBe(401)
    expect((await rotate(key.id)).errors?.reason).toBe('key_expired')
    const changed = await acme.owner.patch(`/auth/api-keys/${key.id}`, { expires_at: later(30), name: 'ERP 2' })
    expect(changed.data).toMatchObject({ expires_at: later(30), name: 'ERP 2', allowed_ips: null })
    expect((await ask(key)).status).toBe(200)
    expect((await acme.owner.get(`/auth/api-keys/${key.id}`)).data).toEqual(changed.data)
  })
  it('422 in the past; 403 for a member; 404 for the key of another organization', async () => {
    const key = await made()
    const change = (who: Speaker, body: object) => who.patch(`/auth/api-keys/${key.id}`, body)
    expect((await change(acme.owner, { expires_at: later(0) })).errors?.fields).toHaveProperty('expires_at')
    expect((await change(await acme.member({ scopes: ['organization'] }), { name: 'x' })).status).toBe(403)
    const other = await app.world.organization()
    expect((await change(other.owner, { name: 'x' })).status).toBe(404)
    expect((await other.owner.get(`/auth/api-keys/${key.id}`)).status).toBe(404)
    expect((await rotate(key.id, {}, other.owner)).status).toBe(404)
  })
})

const lesserAdmin = () => acme.member({ role: 'admin', scopes: ['organization', 'orders'] })

describe('a limit', () => {
  const networks = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7']
  const scopes = ['organization', 'finances']
  const wider: [string, object][] = [
    ['a later end', { expires_at: '2999-01-01T00:00:00.000Z' }],
    ['no end', { expires_at: null }],
    ['other networks', { allowed_ips: ['198.51.100.8'] }],
    ['a larger network', { allowed_ips: ['203.0.112.0/23'] }],
    ['a network of the other kind', { allowed_ips: ['::/0'] }],
    ['one network more', { allowed_ips: [...networks, '192.0.2.1'] }],
    ['all networks', { allowed_ips: null }],
  ]
  const limited = () => made({ scopes, allowed_ips: networks, expires_at: later(86_400) })

  it.each(wider)('403 for %s by who may do less than the key, 200 by who may do as much', async (_what, change) => {
    const { id } = await limited()
    const before = (await acme.owner.get(`/auth/api-keys/${id}`)).data
    for (const who of [await lesserAdmin(), await acme.staffAs('sales')]) {
      const refused = await who.patch(`/auth/api-keys/${id}`, change)
      expect([refused.status, refused.errors?.reason]).toEqual([403, 'more_than_own'])
    }
    expect((await acme.owner.get(`/auth/api-keys/${id}`)).data).toEqual(before)
    const equal = await acme.member({ role: 'admin', scopes: ['organization', 'finances'] })
    expect((await equal.patch(`/auth/api-keys/${id}`, change)).status).toBe(200)
    expect((await acme.staff.patch(`/auth/api-keys/${id}`, change)).status).toBe(200)
  })
  it('is narrowed by every admin, who also revokes the key', async () => {
    const { id } = await limited()
    const who = await lesserAdmin()
    const narrower = {
      allowed_ips: ['203.0.113.128/25', '2001:db8::1', '198.51.100.7'],
      expires_at: later(60),
      name: 'x',
    }
    expect((await who.patch(`/auth/api-keys/${id}`, narrower)).data).toMatchObject(narrower)
    expect((await who.patch(`/auth/api-keys/${id}`, narrower)).status).toBe(200)
    const free = await made({ scopes })
    expect((await who.patch(`/auth/api-keys/${free.id}`, narrower)).status).toBe(200)
    expect((await who.delete(`/auth/api-keys/${id}`)).status).toBe(200)
  })
  it('of a key that only reads is widened by staff who read as much', async () => {
    const [reads, writes] = [
      await made({ scopes, expires_at: later(60) }),
      await made({ scopes, permission: 'write', expires_at: later(60) }),
    ]
    const both = await acme.staffAs('sales', 'auditor')
    const change = { expires_at: later(120) }
    expect((await both.patch(`/auth/api-keys/${reads.id}`, change)).status).toBe(200)
    expect((await both.patch(`/auth/api-keys/${writes.id}`, change)).errors?.reason).toBe('more_than_own')
  })
})

describe('allowed_ips', () => {
  it('403 from elsewhere, for reads and changes, and in the audit log of the organization', async () => {
    const key = await made({ allowed_ips: ['10.0.0.0/8'], permission: 'read_write' })
    expect((await ask(key, from('10.9.8.7'))).status).toBe(200)
    const refused = await ask(key, from('11.9.8.7'))
    expect(refused).toMatchObject({ status: 403, errors: { reason: 'key_address_refused' } })
    const authorization = basic(key.consumer_key, key.consumer_secret)
    const headers = { authorization, ...from('11.9.8.7') }
    expect((await app.world.anonymous.post('/orders/1/cancel', {}, headers)).errors?.reason).toBe('key_address_refused')
    const { data } = await acme.owner.get('/audit-log?action=refused')
    expect(data[0]).toMatchObject({ actor_kind: 'api_key', ip: '11.9.8.7' })
  })
})

describe('POST /auth/api-keys', () => {
  it('409 for the hundred and first, also of two at once, until one is revoked', async () => {
    const org = await app.world.organization()
    const { id } = await made({}, org.owner)
    await app.database.query(
      `insert into api_keys (organization_id, user_id, name, consumer_key, secret_digest, permission, scopes, last_four)
       select k.organization_id, k.user_id, 'Many', k.consumer_key || n, k.secret_digest, 'read', k.scopes, k.last_four
         from api_keys k, generate_series(1, 98) n where k.organization_id = $1 and k.id = $2`,
      [org.id, id],
    )
    const create = () => org.owner.post('/auth/api-keys', { name: 'One more' })
    const answers = await Promise.all([create(), create()])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409])
    expect((await create()).errors?.reason).toBe('limit_reached')
    await org.owner.delete(`/auth/api-keys/${id}`)
    expect((await create()).status).toBe(201)
  })
})

describe('last_used_at', () => {
  it('is null at first, then moves by steps of five minutes without an audit entry', async () => {
    const key = await made()
    const usedAt = async (): Promise<string> => (await acme.owner.get(`/auth/api-keys/${key.id}`)).data.last_used_at
    expect(await usedAt()).toBeNull()
    const entries = async () => (await acme.owner.get('/audit-log')).meta?.total
    const [begun, before] = [app.clock.now, await entries()]
    const use = async (seconds: number): Promise<string> => {
      const uses = createLastUses({
        database: app.service.database,
        onError: (error) => expect.unreachable(String(error)),
      })
      uses.ofKey({ of: 'organization', id: key.id }, acme.id, new Date(begun.getTime() + seconds * 1000))
      await uses.close()
      return usedAt()
    }
    expect(await use(0)).toBe(begun.toISOString())
    expect(await use(299)).toBe(begun.toISOString())
    expect(await use(301)).toBe(new Date(begun.getTime() + 301_000).toISOString())
    expect(await entries()).toBe(before)
    await acme.owner.patch(`/auth/api-keys/${key.id}`, { name: 'Used' })
    expect(await usedAt()).not.toBeNull()
  })
})

describe('POST /auth/api-keys/{id}/rotate', () => {
  it('200: both secrets count during the overlap, and neither is in an event or an entry', async () => {
    const key = await made()
    const { data: next } = await rotate(key.id, { overlap_minutes: 1 })
    expect(next).toMatchObject({ id: key.id, consumer_key: key.consumer_key, previous_secret_ends_at: later(60) })
    app.clock.advance(59)
    expect([(await ask(key)).status, (await ask(next)).status]).toEqual([200, 200])
    expect((await rotate(key.id, { overlap_minutes: 1 })).errors?.reason).toBe('rotation_running')
    app.clock.advance(1)
    expect([(await ask(key)).status, (await ask(next)).status]).toEqual([401, 200])
    const [stored] = await app.database.query<{ all: string }>(
      `select (select jsonb_agg(to_jsonb(a))::text from audit_log a) || (select jsonb_agg(to_jsonb(e))::text from events e) as all`,
    )
    for (const half of [key.consumer_key, key.consumer_secret, next.consumer_secret])
      expect(stored?.all).not.toContain(half)
    const { data } = await acme.owner.get('/audit-log?resource=api_key&action=rotated')
    expect(data[0]).toMatchObject({ resource_id: key.id, changes: { after: { secret_digest: '***' } } })
  })
  it('one of two at once gets a secret, the other 409', async () => {
    const key = await made()
    const answers = await Promise.all([rotate(key.id), rotate(key.id)])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect((await ask(key)).status).toBe(200)
  })
  it('403 for others than its creator, whatever their role', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    const key = await made({}, admin)
    expect((await rotate(key.id)).errors?.reason).toBe('not_yours')
    expect((await rotate(key.id, {}, admin)).status).toBe(200)
  })
})

describe('API_KEYS_IN_QUERY=0', () => {
  it('401 says where to send the key', async () => {
    const { consumer_key, consumer_secret } = await made()
    const path = `/auth/api-keys?consumer_key=${consumer_key}&consumer_secret=${consumer_secret}`
    const answer = await app.world.anonymous.get(path)
    expect([answer.status, answer.message]).toEqual([401, expect.stringContaining('as HTTP Basic')])
  })
})

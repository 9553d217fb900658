// For whom a request counts: for its caller once the secret is known to be right, until then for the network address.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Headers } from '#test/harness/world.ts'
import { basic, vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile({ environment: { LIMIT_REQUESTS: '60/3600', TRUSTED_PROXIES: '127.0.0.1' } })
const acme = await app.world.organization()
const { anonymous } = app.world

let addresses = 0
const newAddress = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })

/** How often each status was answered, in the order of the first of each. */
async function statuses(count: number, ask: (index: number) => Promise<{ status: number }>) {
  const found: Record<string, number> = {}
  for (let index = 0; index < count; index++) {
    const { status } = await ask(index)
    found[`_${status}`] = (found[`_${status}`] ?? 0) + 1
  }
  return found
}

type Pair = { id: number; consumer_key: string; consumer_secret: string }
const newKey = async (): Promise<Pair> =>
  (await acme.owner.post('/auth/api-keys', { name: 'ERP', scopes: ['entitlements'] })).data
const sitesBy = ({ consumer_key, consumer_secret }: Pair, address: Headers) =>
  anonymous.get('/sites', { authorization: basic(consumer_key, consumer_secret), ...address })
const wrong = (key: Pair): Pair => ({ ...key, consumer_secret: `cs_${'x'.repeat(40)}` })

it('what is no credential counts for its address, also at paths that nothing answers', async () => {
  const address = newAddress()
  const ask = (index: number) => anonymous.get(index % 2 ? '/quotes' : '/nothing', { authorization: 'x', ...address })
  expect(await statuses(70, ask)).toEqual({ _401: 60, _429: 10 })
})

describe('an API key', () => {
  it('is not locked out by who knows its name: a wrong secret counts for the address that sends it', async () => {
    const key = await newKey()
    const [attacker, owner] = [newAddress(), newAddress()]
    expect(await statuses(130, () => sitesBy(wrong(key), attacker))).toEqual({ _401: 60, _429: 70 })
    expect((await sitesBy(key, owner)).status).toBe(200)
    expect((await sitesBy(key, attacker)).status).toBe(200)
    const elsewhere = newAddress()
    expect(await statuses(70, () => sitesBy(key, elsewhere))).toEqual({ _200: 59, _429: 11 })
    const other = await newKey()
    expect((await sitesBy(other, elsewhere)).status).toBe(200)
  })
  it('has a right secret to itself at an address that sends wrong ones, once it was admitted', async () => {
    const [key, late] = [await newKey(), await newKey()]
    const shared = newAddress()
    expect((await sitesBy(key, shared)).status).toBe(200)
    await statuses(60, () => sitesBy(wrong(late), shared))
    expect((await sitesBy(late, shared)).status).toBe(429)
    expect((await sitesBy(key, shared)).status).toBe(200)
  })
  it('is not locked out by its former secret', async () => {
    const key = await newKey()
    const [attacker, owner] = [newAddress(), newAddress()]
    expect((await sitesBy(key, attacker)).status).toBe(200)
    const rotated = (await acme.owner.post(`/auth/api-keys/${key.id}/rotate`, { overlap_minutes: 0 })).data
    expect(await statuses(130, () => sitesBy(key, attacker))).toEqual({ _401: 60, _429: 70 })
    expect((await sitesBy({ ...key, ...rotated }, owner)).status).toBe(200)
  })
  it('of the vendor is no more locked out than others', async () => {
    const key = await vendorKey(app, { permissions: ['entitlements:read'] })
    const authorization = basic(key.consumerKey, `vs_${'x'.repeat(32)}`)
    const [attacker, owner] = [newAddress(), newAddress()]
    const asked = { 'x-service-organization': String(acme.id) }
    const forged = { ...asked, authorization, ...attacker }
    expect(await statuses(70, () => anonymous.get('/sites', forged))).toEqual({ _401: 60, _429: 10 })
    const right = { ...asked, authorization: basic(key.consumerKey, key.secret), ...owner }
    expect((await anonymous.get('/sites', right)).status).toBe(200)
  })
})

it('a cookie that names somebody uses up nothing of theirs', async () => {
  const ana = await app.world.user()
  const cookie = `service_session=1.${ana.userId}.${'x'.repeat(43)}`
  const attacker = newAddress()
  expect(await statuses(70, () => anonymous.get('/auth/session', { cookie, ...attacker }))).toEqual({
    _401: 60,
    _429: 10,
  })
  expect((await ana.get('/auth/me')).status).toBe(200)
})

describe('a route with a limit of its own', () => {
  it('counts input that is refused as a request of the caller', async () => {
    const ana = await app.world.user()
    expect(await statuses(70, () => ana.post('/organizations/cnpj-check', {}))).toEqual({ _422: 60, _429: 10 })
  })
  it('counts what the access check refuses, in whichever organization', async () => {
    const ana = await app.world.user()
    const ask = (index: number) =>
      ana.post('/sites/1/verify', {}, { 'x-service-organization': String(900_000_000 + index) })
    expect(await statuses(70, ask)).toEqual({ _404: 60, _429: 10 })
  })
})

import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { product, release } from '#test/scenes/releases.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const versions = async (by: Speaker, query = ''): Promise<string[]> =>
  (await by.get(`/downloads${query}`)).data.map(({ version }: { version: string }) => version)
const newCustomer = () => app.world.organization()

describe('GET /downloads', () => {
  it('200 with an empty list for an organization without entitlements', async () => {
    await release(acme, (await product(acme)).id)
    const customer = await newCustomer()
    const answer = await customer.owner.get('/downloads')
    expect([answer.status, answer.data, answer.meta?.total]).toEqual([200, [], 0])
  })
  it('200 in the order of versions, by product', async () => {
    const [one, other] = [await product(acme), await product(acme)]
    for (const version of ['1.9.0', '1.10.0', '1.10.0-rc.2', '1.10.0-rc.10']) await release(acme, one.id, { version })
    await release(acme, other.id, { version: '0.1.0' })
    const customer = await newCustomer()
    for (const { id } of [one, other]) await entitlement(customer, { product_id: id })
    expect(await versions(customer.owner)).toEqual(['0.1.0', '1.10.0', '1.10.0-rc.10', '1.10.0-rc.2', '1.9.0'])
    expect(await versions(customer.owner, `?product_id=${one.id}&per_page=2&page=2`)).toEqual(['1.10.0-rc.2', '1.9.0'])
  })
  it('200 for the product of the entitlement, by its id or else by its name', async () => {
    const [sold, other] = [await product(acme), await product(acme)]
    await release(acme, sold.id)
    await release(acme, other.id, { version: '5.0.0' })
    const customer = await newCustomer()
    const byName = await entitlement(customer, { product_name: sold.name })
    expect(await versions(customer.owner)).toEqual(['1.0.0'])
    await customer.staff.patch(`/entitlements/${byName.id}`, { product_id: other.id })
    expect(await versions(customer.owner)).toEqual(['5.0.0'])
    await acme.staff.patch(`/admin/products/${other.id}`, { name: 'Renamed' })
    expect(await versions(customer.owner)).toEqual(['5.0.0'])
  })
  it('200 for releases up to the end of the update period, inclusive', async () => {
    const sold = await product(acme)
    const released_at = '2026-01-10T00:00:00.000Z'
    await release(acme, sold.id, { version: '1.0.0', released_at })
    await release(acme, sold.id, { version: '1.1.0', released_at: '2026-01-10T00:00:00.001Z' })
    const customer = await newCustomer()
    const bought = await entitlement(customer, { product_id: sold.id, updates_until: released_at })
    expect(bought).toMatchObject({ updates_until: released_at, release_channels: ['stable'] })
    expect(await versions(customer.owner)).toEqual(['1.0.0'])
    await customer.staff.patch(`/entitlements/${bought.id}`, { updates_until: null })
    expect(await versions(customer.owner)).toEqual(['1.1.0', '1.0.0'])
  })
  it('200 for the channels of the entitlement, and a beta that became stable', async () => {
    const sold = await product(acme)
    await release(acme, sold.id, { version: '1.0.0' })
    const beta = await release(acme, sold.id, { version: '1.1.0', channel: 'beta' })
    const customer = await newCustomer()
    const bought = await entitlement(customer, { product_id: sold.id })
    expect(await versions(customer.owner)).toEqual(['1.0.0'])
    const path = `/entitlements/${bought.id}`
    for (const release_channels of [[], ['alpha'], ['beta', 'beta'], 'beta'])
      expect((await customer.staff.patch(path, { release_channels })).status).toBe(422)
    await customer.staff.patch(path, { release_channels: ['beta'] })
    expect(await versions(customer.owner)).toEqual(['1.1.0'])
    await customer.staff.patch(path, { release_channels: ['stable'] })
    await acme.staff.patch(`/downloads/${beta.id}`, { channel: 'stable' })
    expect(await versions(customer.owner)).toEqual(['1.1.0', '1.0.0'])
  })
  it('200 only while the entitlement is active, and of the class PLG', async () => {
    const sold = await product(acme)
    const { id } = await release(acme, sold.id)
    const customer = await newCustomer()
    const expires_at = new Date(app.clock.now.getTime() + 60_000).toISOString()
    await entitlement(customer, { product_id: sold.id, class: 'ENV' })
    expect(await versions(customer.owner)).toEqual([])
    const bought = await entitlement(customer, { product_id: sold.id, expires_at })
    const seen = async () => (await customer.owner.get(`/downloads/${id}`)).data?.entitlement_ids ?? null
    expect(await seen()).toEqual([bought.id])
    const second = await entitlement(customer, { product_id: sold.id })
    expect(await seen()).toEqual([bought.id, second.id])
    await customer.staff.post(`/entitlements/${second.id}/suspend`)
    expect(await seen()).toEqual([bought.id])
    app.clock.advance(60)
    expect(await seen()).toBeNull()
    await customer.staff.post(`/entitlements/${second.id}/resume`)
    expect(await seen()).toEqual([second.id])
    await customer.staff.post(`/entitlements/${second.id}/cancel`)
    expect(await seen()).toBeNull()
  })
  it('200 with the oldest 100 of the entitlements that cover it', async () => {
    const sold = await product(acme)
    const { id } = await release(acme, sold.id)
    const customer = await newCustomer()
    const bought = await app.database.query<{ id: number }>(
      `insert into entitlements (organization_id, code, class, product_name, company, product_id)
       select $1, 'PLG-190002' || lpad(n::text, 4, '0'), 'PLG', 'Backup', 'entity_br', $2 from generate_series(1, 101) n returning id`,
      [customer.id, sold.id],
    )
    const ids = bought.map((one) => one.id).toSorted((a, b) => a - b)
    expect((await customer.owner.get(`/downloads/${id}`)).data.entitlement_ids).toEqual(ids.slice(0, 100))
    expect((await customer.owner.get('/downloads')).data[0].entitlement_ids).toEqual(ids.slice(0, 100))
  })
  it('200 with filters, and yanked releases with their reason', async () => {
    const sold = await product(acme)
    await release(acme, sold.id, { version: '1.0.0', files: [{ platform: 'linux' }] })
    const { id } = await release(acme, sold.id, { version: '2.0.0', files: [{ platform: 'windows' }] })
    await acme.staff.post(`/downloads/${id}/yank`, { reason: 'Loses settings' })
    const customer = await newCustomer()
    await entitlement(customer, { product_id: sold.id })
    const { owner } = customer
    expect(await versions(owner)).toEqual(['2.0.0', '1.0.0'])
    expect(await versions(owner, '?status=published')).toEqual(['1.0.0'])
    expect(await versions(owner, '?platform=windows')).toEqual(['2.0.0'])
    expect(await versions(owner, '?platform=macos')).toEqual([])
    expect(await versions(owner, '?channel=beta')).toEqual([])
    expect((await owner.get(`/downloads/${id}`)).data.yank_reason).toBe('Loses settings')
    for (const query of ['?status=gone', '?platform=amiga', '?product_id=x', '?search=x'])
      expect((await owner.get(`/downloads${query}`)).status, query).toBe(422)
  })
  it('403 without the scope, 404 for another organization’s', async () => {
    const sold = await product(acme)
    const { id } = await release(acme, sold.id)
    const customer = await newCustomer()
    await entitlement(customer, { product_id: sold.id })
    const with_ = await customer.member({ scopes: ['downloads'] })
    const without = await customer.member({ scopes: ['licenses'] })
    expect((await with_.get(`/downloads/${id}`)).status).toBe(200)
    for (const path of ['/downloads', `/downloads/${id}`]) expect((await without.get(path)).status).toBe(403)
    expect((await without.post(`/downloads/${id}/link`, {})).status).toBe(403)
    const stranger = await newCustomer()
    expect((await stranger.owner.get(`/downloads/${id}`)).status).toBe(404)
    expect((await stranger.owner.post(`/downloads/${id}/link`, {})).status).toBe(404)
  })
  it('200 for ten thousand releases and an organization with a thousand entitlements to them', async () => {
    const sold = await product(acme)
    const { id } = await release(acme, sold.id, { version: '0.0.1' })
    const customer = await newCustomer()
    const bought = await entitlement(customer, { product_id: sold.id })
    await app.database.query(
      `insert into releases (product_id, version, version_key, channel, status, released_at, created_at, updated_at)
       select product_id, '1.0.' || n, '011' || '010' || lpad(length(n::text)::text, 2, '0') || n || '~', channel, status,
              released_at, created_at, updated_at from releases, generate_series(1, 10000) n where id = $1`,
      [id],
    )
    await app.database.query(
      `insert into entitlements (organization_id, code, class, product_name, company, product_id)
       select organization_id, 'PLG-190002' || lpad(n::text, 5, '0'), class, product_name, company, product_id
         from entitlements, generate_series(1, 1000) n where id = $1`,
      [bought.id],
    )
    await app.database.query('analyze releases, entitlements')
    const first = await customer.owner.get('/downloads')
    const last = await customer.owner.get('/downloads?page=501')
    expect([first.meta?.total, first.data[0].version, last.data[0].version]).toEqual([10_001, '1.0.10000', '0.0.1'])
  })
})

// Activating a license for a domain, and deactivating it.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { license } from '#test/scenes/licenses.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const member = await acme.member({ scopes: ['licenses'] })

const at = (id: number, rest = ''): string => `/licenses/${id}${rest}`
const activate = (id: number, domain: unknown) => member.post(at(id, '/activate'), { domain })
const deactivate = (id: number, domain: unknown) => member.post(at(id, '/deactivate'), { domain })

async function environment(values: object): Promise<void> {
  const hosting = await license(acme)
  const row = {
    organization_id: acme.id,
    name: 'Site',
    platform: 'custom',
    entitlement_id: hosting.entitlement_id,
    entitlement_code: hosting.entitlement_code,
    ...values,
  }
  await app.database.query(
    `insert into environments (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map((_, index) => `$${index + 1}`)
      .join(', ')})`,
    Object.values(row),
  )
}

describe('POST /licenses/{id}/activate', () => {
  it('200 with the canonical domain and the count; 200 for the same domain again, counted once', async () => {
    const { id } = await license(acme)
    const expected = { license_id: id, domain: 'shop.acme.example', activations_count: 1, activations_limit: 5 }
    for (const domain of [
      'shop.acme.example',
      'https://WWW.Shop.ACME.example.:8443/cart?x=1',
      'SHOP.acme.example.',
      'www.shop.acme.example',
    ]) {
      const answer = await activate(id, domain)
      expect(answer.status).toBe(200)
      expect(answer.data).toEqual(expected)
    }
    expect((await member.get(at(id))).data).toMatchObject({
      activations_count: 1,
      activated_domains: ['shop.acme.example'],
    })
    expect((await member.get(at(id, '/history'))).meta?.total).toBe(2)
  })
  it('409 beyond the limit; a freed slot can be used again', async () => {
    const { id } = await license(acme, { activations_limit: 1 })
    expect((await activate(id, 'a.example')).status).toBe(200)
    expect((await activate(id, 'b.example')).status).toBe(409)
    expect((await deactivate(id, 'a.example')).data).toEqual({
      license_id: id,
      domain: 'a.example',
      activations_count: 0,
      activations_limit: 1,
    })
    expect((await activate(id, 'b.example')).status).toBe(200)
  })
  it('409 when the license is suspended, revoked, or past its end before the expiry job has run', async () => {
    const { id } = await license(acme)
    await acme.staff.post(at(id, '/suspend'))
    expect((await activate(id, 'a.example')).status).toBe(409)
    await acme.staff.post(at(id, '/revoke'))
    expect((await activate(id, 'a.example')).status).toBe(409)
    const end = new Date(app.clock.now.getTime() + 1000).toISOString()
    const ending = await license(acme, { expires_at: end })
    expect((await activate(ending.id, 'a.example')).status).toBe(200)
    app.clock.advance(1)
    expect((await activate(ending.id, 'b.example')).status).toBe(409)
    expect((await activate(ending.id, 'a.example')).status).toBe(409)
  })
  it('200 without a slot on local hosts and on those of environments outside production', async () => {
    await environment({ environment_type: 'staging', url: 'https://Staging.acme.example:8443/app' })
    await environment({ environment_type: 'production', url: 'https://live.acme.example' })
    await environment({ environment_type: 'sandbox', url: 'https://gone.acme.example', status: 'decommissioned' })
    const { id } = await license(acme, { activations_limit: 1 })
    expect((await activate(id, 'acme.example')).data.activations_count).toBe(1)
    for (const domain of ['localhost:3000', 'shop.test', 'app.localhost', 'www.staging.acme.example'])
      expect(await activate(id, domain), domain).toMatchObject({ status: 200, data: { activations_count: 1 } })
    for (const domain of ['live.acme.example', 'gone.acme.example', 'shop.test.example'])
      expect((await activate(id, domain)).status, domain).toBe(409)
    expect((await member.get(at(id))).data).toMatchObject({
      activated_domains: ['acme.example'],
      staging_domains: ['localhost', 'shop.test', 'app.localhost', 'staging.acme.example'],
    })
    expect((await deactivate(id, 'localhost')).data.activations_count).toBe(1)
    expect((await deactivate(id, 'localhost')).status).toBe(404)
    // The staging site goes into production, so it takes a slot.
    await app.database.query(`update environments set environment_type = 'production' where organization_id = $1`, [
      acme.id,
    ])
    expect((await activate(id, 'staging.acme.example')).status).toBe(409)
    await deactivate(id, 'acme.example')
    expect((await activate(id, 'staging.acme.example')).data.activations_count).toBe(1)
    expect((await member.get(at(id))).data.staging_domains).toEqual(['shop.test', 'app.localhost'])
  })
  it('gives back the slot of a domain that takes none any more', async () => {
    const { id } = await license(acme, { activations_limit: 1 })
    await app.database.query(`update licenses set activated_domains = '{shop.local}' where id = $1`, [id])
    expect((await activate(id, 'acme.example')).status).toBe(409)
    expect((await activate(id, 'shop.local')).data.activations_count).toBe(0)
    expect((await activate(id, 'acme.example')).status).toBe(200)
    expect((await member.get(at(id))).data).toMatchObject({
      activated_domains: ['acme.example'],
      staging_domains: ['shop.local'],
    })
  })
  it('409 for the production site, even if an environment outside production names its host too', async () => {
    await environment({ environment_type: 'staging', url: 'https://both.acme.example/staging' })
    await environment({ environment_type: 'production', url: 'https://www.both.acme.example' })
    const { id } = await license(acme, { activations_limit: 1 })
    expect((await activate(id, 'acme.example')).status).toBe(200)
    expect((await activate(id, 'both.acme.example')).status).toBe(409)
  })
  it('409 beyond 100 domains without a slot, so that the list is bounded', async () => {
    const { id } = await license(acme)
    const many = Array.from({ length: 100 }, (_, index) => `${index}.test`)
    await app.database.query(`update licenses set staging_domains = $1 where id = $2`, [many, id])
    expect((await activate(id, 'more.test')).status).toBe(409)
    expect((await activate(id, '5.test')).status).toBe(200)
  })
  it('200 with a slot for a staging site of another organization', async () => {
    await environment({ environment_type: 'staging', url: 'https://staging.acme.example' })
    const owner = other.owner
    const { id } = await license(other, { activations_limit: 1 })
    const answer = await owner.post(at(id, '/activate'), { domain: 'staging.acme.example' })
    expect(answer.data.activations_count).toBe(1)
  })
  it('403 without the scope, 404 for another organization’s', async () => {
    const { id } = await license(acme)
    const viewer = await acme.member({ scopes: ['entitlements'] })
    expect((await viewer.post(at(id, '/activate'), { domain: 'a.example' })).status).toBe(403)
    expect((await other.owner.post(at(id, '/activate'), { domain: 'a.example' })).status).toBe(404)
    expect((await other.staff.post(at(id, '/deactivate'), { domain: 'a.example' })).status).toBe(404)
  })
  it('422 for text that is not a host name', async () => {
    const { id } = await license(acme)
    for (const act of ['activate', 'deactivate'])
      for (const domain of [
        '',
        ' ',
        '*.acme.example',
        '127.0.0.1',
        'a b.example',
        'x'.repeat(300),
        5,
        null,
        ['a.example'],
      ]) {
        const answer = await member.post(at(id, `/${act}`), { domain })
        expect(answer.status, String(domain)).toBe(422)
        expect(Object.keys(answer.errors?.fields ?? {})[0]).toMatch(/^domain/)
      }
    expect((await member.post(at(id, '/activate'), { domain: 'a.example', force: true })).status).toBe(422)
  })
})

describe('POST /licenses/{id}/deactivate', () => {
  it('404 for a domain that is not active; 200 on a suspended license', async () => {
    const { id } = await license(acme)
    expect((await deactivate(id, 'a.example')).status).toBe(404)
    await activate(id, 'a.example')
    await acme.staff.post(at(id, '/suspend'))
    expect((await deactivate(id, 'WWW.a.example')).status).toBe(200)
    expect((await deactivate(id, 'a.example')).status).toBe(404)
  })
})

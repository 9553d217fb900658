// Sites follow licenses and environments, in whatever order, and however often, their jobs run.
import { beforeAll, describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'
import type { Organization } from '#test/harness/world.ts'

let acme: Organization

const app = await appOfFile()

const drain = () => app.service.worker.drain()
const activate = (id: number, domain: string) => acme.owner.post(`/licenses/${id}/activate`, { domain })
const deactivate = (id: number, domain: string) => acme.owner.post(`/licenses/${id}/deactivate`, { domain })

type Seen = [domain: string, licenses: number[], environment: number | null, status: string]
async function all(): Promise<Seen[]> {
  await drain()
  const rows = await app.database.query<Record<string, never>>(
    'select domain, license_ids, environment_id, status from sites where organization_id = $1 order by domain',
    [acme.id],
  )
  return rows.map((row) => Object.values(row) as unknown as Seen)
}

const seen = async (domain: string) => (await all()).find(([one]) => one === domain)

/** The jobs that follow, as if they came again and in the opposite order. */
async function repeated(): Promise<void> {
  const events = await app.database.query<{ kind: string; id: number; resource_id: number }>(
    `select 'sites/propagate-' || resource as kind, id, resource_id from events
      where organization_id = $1 and resource in ('license', 'environment') order by id desc`,
    [acme.id],
  )
  for (const { kind, id, resource_id } of events)
    await app.database.query('insert into jobs (organization_id, kind, payload) values ($1, $2, $3)', [
      acme.id,
      kind,
      JSON.stringify({ event_id: id, resource_id }),
    ])
}

async function environment(values: object) {
  const { id: entitlement_id } = await entitlement(acme, { class: 'ENV', product_name: 'Moodle' })
  const body = { name: 'Campus', platform: 'moodle', environment_type: 'production', entitlement_id, ...values }
  const answer = await acme.staff.post('/environments', body)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}

describe('a license', () => {
  beforeAll(async () => void (acme = await app.world.organization()))

  it('adds the sites of its domains, staging too, and leaves them when it is deactivated', async () => {
    const first = await license(acme)
    const second = await license(acme)
    await activate(first.id, 'https://WWW.shop.example/')
    await activate(second.id, 'shop.example')
    await activate(first.id, 'shop.test')
    expect(await all()).toEqual([
      ['shop.example', [first.id, second.id], null, 'active'],
      ['shop.test', [first.id], null, 'active'],
    ])
    await deactivate(first.id, 'shop.example')
    await deactivate(first.id, 'shop.test')
    const left: Seen[] = [
      ['shop.example', [second.id], null, 'active'],
      ['shop.test', [], null, 'inactive'],
    ]
    expect(await all()).toEqual(left)
    await repeated()
    expect(await all()).toEqual(left)
    await acme.staff.post(`/licenses/${second.id}/revoke`)
    expect((await all())[0]).toEqual(['shop.example', [], null, 'inactive'])
    await activate(first.id, 'shop.example')
    expect((await all())[0]).toEqual(['shop.example', [first.id], null, 'active'])
  })
  it('finds the site that somebody added, and leaves its name', async () => {
    const { id } = await license(acme)
    const site = (await acme.owner.post('/sites', { domain: 'own.example', name: 'Ours' })).data
    await acme.owner.patch(`/sites/${site.id}`, { status: 'inactive' })
    await activate(id, 'own.example')
    await drain()
    const linked = { name: 'Ours', status: 'active', license_ids: [id] }
    expect((await acme.owner.get(`/sites/${site.id}`)).data).toMatchObject(linked)
  })
  it('is activated although the site cannot be written', async () => {
    const { id } = await license(acme)
    await app.database.query(`alter table sites add constraint broken check (domain <> 'broken.example') not valid`)
    expect((await activate(id, 'broken.example')).status).toBe(200)
    await drain()
    await app.database.query('alter table sites drop constraint broken')
    expect((await acme.owner.get('/sites?search=broken')).data).toEqual([])
    app.clock.advance(60)
    await drain()
    expect((await acme.owner.get('/sites?search=broken')).data).toMatchObject([{ license_ids: [id] }])
  })
})

describe('domains that come and go at once', () => {
  beforeAll(async () => void (acme = await app.world.organization()))

  it('leave the sites as the licenses are in the end', async () => {
    const ids = [(await license(acme, { activations_limit: 9 })).id, (await license(acme, { activations_limit: 9 })).id]
    const churn = async (worker: number) => {
      for (let step = 0; step < 6; step++) {
        const act = (worker + step) % 3 === 0 ? deactivate : activate
        await act(ids[worker % 2] ?? 0, `site-${(worker * 5 + step) % 9}.example`)
        if (step % 2) await drain()
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, worker) => churn(worker)))
    const active: Record<string, number[]> = {}
    for (const id of ids)
      for (const domain of (await acme.owner.get(`/licenses/${id}`)).data.activated_domains)
        active[domain] = [...(active[domain] ?? []), id]
    const found = (await all()).filter(([, , , status]) => status === 'active')
    expect(Object.fromEntries(found.map(([domain, licenses]) => [domain, licenses]))).toEqual(active)
  })
})

describe('1,000 domains', () => {
  beforeAll(async () => void (acme = await app.world.organization()))

  it('are 1,000 sites, by one job after the other, and none is left without its license', async () => {
    const { id } = await license(acme, { activations_limit: 1000 })
    const many = Array.from({ length: 999 }, (_, index) => `site-${index}.example`)
    await app.database.query('update licenses set activated_domains = $1 where id = $2', [many, id])
    await activate(id, 'the-last.example')
    const found = await all()
    expect(found).toHaveLength(1000)
    expect(found.every(([, licenses]) => licenses[0] === id)).toBe(true)
    const { meta } = await acme.owner.get(`/sites?license_id=${id}&per_page=100`)
    expect(meta).toMatchObject({ total: 1000, pages: 10 })
    await app.database.query(`update licenses set activated_domains = '{the-last.example}' where id = $1`, [id])
    await deactivate(id, 'the-last.example')
    expect((await all()).filter(([, licenses, , status]) => licenses.length > 0 || status === 'active')).toEqual([])
  })
})

describe('an environment', () => {
  beforeAll(async () => void (acme = await app.world.organization()))

  it('has the site of its address, and gives its platform', async () => {
    const { id } = await environment({ url: 'https://WWW.Campus.example:8443/login' })
    expect(await all()).toEqual([['campus.example', [], id, 'active']])
    const [site] = (await acme.owner.get(`/sites?environment_id=${id}`)).data
    expect(site).toMatchObject({ environment_id: id, platform: 'moodle' })
    expect(await acme.owner.delete(`/sites/${site.id}`)).toMatchObject({
      status: 409,
      message: `Environment ${id} is at the site; change its url or decommission it first`,
    })
    await acme.staff.patch(`/environments/${id}`, { url: 'https://aula.example' })
    const moved: Seen[] = [
      ['aula.example', [], id, 'active'],
      ['campus.example', [], null, 'inactive'],
    ]
    expect(await all()).toEqual(moved)
    await repeated()
    expect(await all()).toEqual(moved)
    await acme.staff.post(`/environments/${id}/status`, { status: 'decommissioned' })
    expect((await all()).map(([, , at]) => at)).toEqual([null, null])
  })
  it('has none for an address without a host name', async () => {
    const before = await all()
    await environment({ url: 'http://203.0.113.7/' })
    await environment({})
    expect(await all()).toEqual(before)
  })
  it('shares a domain with others: the one in production has it, then the oldest', async () => {
    const staging = await environment({ environment_type: 'staging', url: 'https://both.example/staging' })
    const younger = await environment({ environment_type: 'sandbox', url: 'https://both.example/sandbox' })
    const production = await environment({ url: 'https://both.example' })
    expect((await seen('both.example'))?.[2]).toBe(production.id)
    await acme.staff.patch(`/environments/${production.id}`, { url: null })
    expect((await seen('both.example'))?.[2]).toBe(staging.id)
    await acme.staff.post(`/environments/${staging.id}/status`, { status: 'decommissioned' })
    expect((await seen('both.example'))?.[2]).toBe(younger.id)
    await repeated()
    expect((await seen('both.example'))?.[2]).toBe(younger.id)
  })
  it('keeps a site active whose license is deactivated, and the other way round', async () => {
    const { id } = await license(acme)
    const hosted = await environment({ url: 'https://two.example' })
    await activate(id, 'two.example')
    expect(await seen('two.example')).toEqual(['two.example', [id], hosted.id, 'active'])
    await deactivate(id, 'two.example')
    expect(await seen('two.example')).toEqual(['two.example', [], hosted.id, 'active'])
    await activate(id, 'two.example')
    await acme.staff.patch(`/environments/${hosted.id}`, { url: null })
    expect(await seen('two.example')).toEqual(['two.example', [id], null, 'active'])
  })
})

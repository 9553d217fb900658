import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const member = await acme.member({ scopes: ['entitlements'] })
const hosting: { id: number; code: string } = await entitlement(acme)

async function entitlement(at: Organization, entitlementClass = 'ENV') {
  const body = { class: entitlementClass, product_name: 'Hosting', company: 'entity_br', organization_id: at.id }
  return (await at.staff.post('/entitlements', body)).data
}

const campus = () => ({
  name: 'Campus',
  platform: 'moodle',
  environment_type: 'production',
  entitlement_id: hosting.id,
})

async function environment(more: object = {}, at = acme) {
  const answer = await at.staff.post('/environments', { ...campus(), ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}

async function history(id: number): Promise<{ from_status: string | null; to_status: string; note: string | null }[]> {
  return (await member.get(`/environments/${id}/history`)).data
}
const steps = async (id: number): Promise<string[]> => (await history(id)).map(({ to_status: to }) => to)

describe('POST /environments', () => {
  it('201 with the status provisioning and the entitlement’s code', async () => {
    const made = await environment({ url: 'https://campus.example', metadata: '{"size":3}' })
    expect(made).toMatchObject({
      ...campus(),
      status: 'provisioning',
      entitlement_code: hosting.code,
      organization_id: acme.id,
      production_id: null,
      provisioning_state: 'none',
      provisioning_error: null,
      url: 'https://campus.example',
    })
    expect(made).not.toHaveProperty('suspended_with_entitlement')
    expect(made).not.toHaveProperty('provisioning_attempt')
    expect((await member.get(`/environments/${made.id}`)).data).toEqual({
      ...made,
      production: null,
      paired_environments: [],
    })
  })
  it('403 for customers, owners too', async () => {
    expect((await acme.owner.post('/environments', campus())).status).toBe(403)
  })
  it('422 for an entitlement of another organization or none, and for another class', async () => {
    const foreign = await entitlement(other)
    const answers = await Promise.all(
      [foreign.id, 999_999_999].map((entitlement_id) =>
        acme.staff.post('/environments', { ...campus(), entitlement_id }),
      ),
    )
    for (const { status, errors } of answers) {
      expect(status).toBe(422)
      expect(errors?.fields).toEqual({ entitlement_id: 'names no entitlement of this organization' })
    }
    const license = await entitlement(acme, 'PLG')
    const answer = await acme.staff.post('/environments', { ...campus(), entitlement_id: license.id })
    expect(answer.status).toBe(422)
    expect(answer.errors?.fields?.['entitlement_id']).toMatch(/ENV/)
  })
  it('422 for wrong and read-only fields', async () => {
    const wrong = [
      { name: ' ' },
      { platform: 'drupal' },
      { environment_type: 'qa' },
      { url: 'javascript:alert(1)' },
      { metadata: '{' },
      { status: 'maintenance' },
      { provisioning_state: 'done' },
      { suspended_with_entitlement: true },
      { organization_id: other.id },
    ]
    for (const more of wrong) {
      const answer = await acme.staff.post('/environments', { ...campus(), ...more })
      expect(answer.status, JSON.stringify(more)).toBe(422)
      expect(Object.keys(answer.errors?.fields ?? {})).toEqual(Object.keys(more))
    }
  })
  it('409 on an entitlement that is not active', async () => {
    const held = await entitlement(acme)
    await acme.staff.post(`/entitlements/${held.id}/suspend`)
    expect((await acme.staff.post('/environments', { ...campus(), entitlement_id: held.id })).status).toBe(409)
  })
})

describe('pairs', () => {
  it('201 for staging with its production; both answers contain the pair', async () => {
    const production = await environment()
    const staging = await environment({ name: 'Staging', environment_type: 'staging', production_id: production.id })
    const view = (await member.get(`/environments/${staging.id}`)).data
    expect(view.production).toEqual({
      id: production.id,
      name: 'Campus',
      status: 'provisioning',
      environment_type: 'production',
      url: null,
    })
    const { paired_environments } = (await member.get(`/environments/${production.id}`)).data
    expect(paired_environments.map(({ id }: { id: number }) => id)).toEqual([staging.id])
    // 409: a production environment with paired ones keeps its type.
    const become = { environment_type: 'sandbox' }
    expect((await acme.staff.patch(`/environments/${production.id}`, become)).status).toBe(409)
    expect(
      (await acme.staff.patch(`/environments/${staging.id}`, { production_id: null })).data.production_id,
    ).toBeNull()
    expect((await acme.staff.patch(`/environments/${production.id}`, become)).status).toBe(200)
  })
  it('422 for a production of another organization, an environment that is not production, itself, or a production with a production', async () => {
    const theirs = await entitlement(other)
    const foreign = await environment({ entitlement_id: theirs.id }, other)
    const staging = await environment({ environment_type: 'staging' })
    const gone = await environment()
    await acme.staff.post(`/environments/${gone.id}/status`, { status: 'decommissioned' })
    for (const production_id of [foreign.id, 999_999_999, staging.id, gone.id]) {
      const answer = await acme.staff.post('/environments', { ...campus(), environment_type: 'staging', production_id })
      expect(answer.status).toBe(422)
      expect(answer.errors?.fields).toHaveProperty('production_id')
    }
    const production = await environment()
    expect((await acme.staff.post('/environments', { ...campus(), production_id: production.id })).status).toBe(422)
    const self = { environment_type: 'staging', production_id: production.id }
    expect((await acme.staff.patch(`/environments/${production.id}`, self)).status).toBe(422)
    // An environment whose production is decommissioned may still change its type.
    const left = await environment({ environment_type: 'staging', production_id: production.id })
    await acme.staff.post(`/environments/${production.id}/status`, { status: 'decommissioned' })
    expect((await acme.staff.patch(`/environments/${left.id}`, { environment_type: 'sandbox' })).status).toBe(200)
    const paired = { environment_type: 'production', production_id: production.id }
    expect((await acme.staff.patch(`/environments/${staging.id}`, paired)).status).toBe(422)
  })
})

describe('PATCH /environments/{id}', () => {
  it('200 changes the given fields', async () => {
    const { id } = await environment()
    const answer = await acme.staff.patch(`/environments/${id}`, { name: 'Campus 2', url: 'https://two.example' })
    expect(answer.data).toMatchObject({ name: 'Campus 2', url: 'https://two.example', platform: 'moodle' })
    expect((await acme.staff.patch(`/environments/${id}`, { url: null })).data.url).toBeNull()
  })
  it('404, 403, 422', async () => {
    const { id } = await environment()
    expect((await other.staff.patch(`/environments/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await acme.owner.patch(`/environments/${id}`, { name: 'Mine' })).status).toBe(403)
    for (const wrong of [{ status: 'active' }, { entitlement_id: 1 }, { metadata: 'x' }, { url: 'ftp://x' }])
      expect((await acme.staff.patch(`/environments/${id}`, wrong)).status).toBe(422)
  })
})

describe('POST /environments/{id}/status', () => {
  it('200 for allowed moves, with their reasons in the history, oldest first', async () => {
    const { id } = await environment()
    for (const [status, note] of [
      ['active', 'Handed over'],
      ['maintenance', null],
      ['active', null],
      ['decommissioned', 'Moved'],
    ])
      expect((await acme.staff.post(`/environments/${id}/status`, { status, note })).data.status).toBe(status)
    const entries = await history(id)
    expect(entries.map((one) => [one.from_status, one.to_status, one.note])).toEqual([
      [null, 'provisioning', null],
      ['provisioning', 'active', 'Handed over'],
      ['active', 'maintenance', null],
      ['maintenance', 'active', null],
      ['active', 'decommissioned', 'Moved'],
    ])
    expect(entries[1]).toMatchObject({
      changed_at: app.clock.now.toISOString(),
      changed_by: acme.staff.userId,
      changed_by_name: 'Staff',
    })
    const { data, meta } = await member.get(`/environments/${id}/history?page=2&per_page=2`)
    expect(meta).toEqual({ page: 2, per_page: 2, total: 5, pages: 3 })
    expect(data.map(({ to_status: to }: { to_status: string }) => to)).toEqual(['maintenance', 'active'])
  })
  it('409 for other moves, without an entry in the history', async () => {
    const { id } = await environment()
    for (const status of ['provisioning', 'maintenance', 'suspended'])
      expect((await acme.staff.post(`/environments/${id}/status`, { status })).status).toBe(409)
    await acme.staff.post(`/environments/${id}/status`, { status: 'decommissioned' })
    for (const status of ['active', 'decommissioned'])
      expect((await acme.staff.post(`/environments/${id}/status`, { status })).status).toBe(409)
    expect(await steps(id)).toEqual(['provisioning', 'decommissioned'])
  })
  it('200 for one of two requests at once', async () => {
    const { id } = await environment({ status: 'active' })
    const acts = await Promise.all(
      ['maintenance', 'maintenance', 'maintenance'].map((status) =>
        acme.staff.post(`/environments/${id}/status`, { status }),
      ),
    )
    expect(acts.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409, 409])
    expect(await steps(id)).toEqual(['active', 'maintenance'])
  })
  it('404, 403, 422', async () => {
    const { id } = await environment()
    expect((await other.staff.post(`/environments/${id}/status`, { status: 'active' })).status).toBe(404)
    expect((await acme.owner.post(`/environments/${id}/status`, { status: 'active' })).status).toBe(403)
    expect((await acme.staff.post(`/environments/${id}/status`, { status: 'broken' })).status).toBe(422)
    expect((await acme.staff.post(`/environments/${id}/status`, {})).status).toBe(422)
  })
})

describe('GET /environments/{id}/history', () => {
  it('404 for an environment of another organization, 403 without the scope', async () => {
    const { id } = await environment()
    expect((await other.owner.get(`/environments/${id}/history`)).status).toBe(404)
    expect((await (await acme.member()).get(`/environments/${id}/history`)).status).toBe(403)
    expect((await member.get(`/environments/${id}/history?per_page=0`)).status).toBe(422)
  })
})

describe('POST /environments/{id}/provision', () => {
  it('409 without a provisioning system', async () => {
    const { id } = await environment()
    const answer = await acme.staff.post(`/environments/${id}/provision`)
    expect(answer.status).toBe(409)
    expect(answer.message).toBe('No provisioning system is configured')
  })
})

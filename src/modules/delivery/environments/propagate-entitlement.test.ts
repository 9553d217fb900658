// Environments follow their entitlement: suspended and resumed with it, decommissioned when it is cancelled.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const member = await acme.member({ scopes: ['entitlements'] })

async function entitlement() {
  const body = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', organization_id: acme.id }
  return (await acme.staff.post('/entitlements', body)).data
}

async function environment(more: { entitlement_id: number; status?: string }) {
  const campus = { name: 'Campus', platform: 'moodle', environment_type: 'production' }
  const answer = await acme.staff.post('/environments', { ...campus, ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}

async function history(id: number): Promise<{ from_status: string | null; to_status: string; note: string | null }[]> {
  return (await member.get(`/environments/${id}/history`)).data
}
const steps = async (id: number): Promise<string[]> => (await history(id)).map(({ to_status: to }) => to)

describe('an environment with its entitlement', () => {
  it('is suspended and resumed; what staff suspended stays; 409 for activating by hand meanwhile', async () => {
    const held = await entitlement()
    const one = await environment({ entitlement_id: held.id, status: 'active' })
    const two = await environment({ entitlement_id: held.id, status: 'active' })
    const fresh = await environment({ entitlement_id: held.id })
    await acme.staff.post(`/environments/${one.id}/status`, { status: 'maintenance' })
    await acme.staff.post(`/environments/${two.id}/status`, { status: 'suspended', note: 'Abuse' })
    await acme.staff.post(`/entitlements/${held.id}/suspend`)
    for (const id of [one.id, two.id, fresh.id])
      expect((await acme.staff.post(`/environments/${id}/status`, { status: 'active' })).status).toBe(409)
    expect((await member.get(`/environments/${fresh.id}`)).data.status).toBe('provisioning')
    await acme.staff.post(`/entitlements/${held.id}/resume`)
    expect(await steps(one.id)).toEqual(['active', 'maintenance', 'suspended', 'active'])
    expect((await history(one.id)).at(-1)?.note).toBe('With its entitlement')
    expect(await steps(two.id)).toEqual(['active', 'suspended'])
    expect((await acme.staff.post(`/environments/${two.id}/status`, { status: 'active' })).status).toBe(200)
  })
  it('stays suspended when staff resumed and suspended it again', async () => {
    const held = await entitlement()
    const { id } = await environment({ entitlement_id: held.id, status: 'active' })
    await acme.staff.post(`/entitlements/${held.id}/suspend`)
    await acme.staff.post(`/entitlements/${held.id}/resume`)
    await acme.staff.post(`/environments/${id}/status`, { status: 'suspended' })
    await acme.staff.post(`/entitlements/${held.id}/suspend`)
    await acme.staff.post(`/entitlements/${held.id}/resume`)
    expect((await member.get(`/environments/${id}`)).data.status).toBe('suspended')
  })
  it('is decommissioned when it is cancelled, suspended when it expires and resumed when it is renewed', async () => {
    const held = await entitlement()
    const { id } = await environment({ entitlement_id: held.id, status: 'active' })
    await acme.staff.patch(`/entitlements/${held.id}`, {
      expires_at: new Date(app.clock.now.getTime() + 1000).toISOString(),
    })
    app.clock.advance(2)
    await app.service.worker.start()
    await app.service.worker.drain()
    await app.service.worker.stop()
    expect((await member.get(`/environments/${id}`)).data.status).toBe('suspended')
    await acme.staff.post(`/entitlements/${held.id}/renew`, {})
    expect((await member.get(`/environments/${id}`)).data.status).toBe('active')
    await acme.staff.post(`/entitlements/${held.id}/cancel`)
    expect(await steps(id)).toEqual(['active', 'suspended', 'active', 'decommissioned'])
  })
  it('is suspended during concurrent moves by staff, and the history stays consistent', async () => {
    const held = await entitlement()
    const { id } = await environment({ entitlement_id: held.id, status: 'active' })
    await Promise.all([
      acme.staff.post(`/entitlements/${held.id}/suspend`),
      acme.staff.post(`/environments/${id}/status`, { status: 'maintenance' }),
      acme.staff.post(`/environments/${id}/status`, { status: 'suspended' }),
    ])
    const entries = await history(id)
    for (const [index, one] of entries.entries()) expect(one.from_status).toBe(entries[index - 1]?.to_status ?? null)
    expect(entries.at(-1)?.to_status).toBe('suspended')
    expect((await member.get(`/environments/${id}`)).data.status).toBe('suspended')
  })
})

import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const member = await acme.member({ scopes: ['entitlements'] })

const license = { class: 'PLG', product_name: 'Backup “Pro” 🚀', company: 'entity_br' }

describe('POST /entitlements', () => {
  it('201 with a code of class, month and number', async () => {
    const answer = await acme.staff.post('/entitlements', { ...license, organization_id: acme.id })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({ ...license, organization_id: acme.id, status: 'active', auto_created: false })
    expect(answer.data.code).toMatch(
      new RegExp(`^PLG-${app.clock.now.toISOString().slice(0, 7).replace('-', '')}\\d{4}$`),
    )
  })
  it('403 for customers, owners too', async () => {
    expect((await acme.owner.post('/entitlements', { ...license, organization_id: acme.id })).status).toBe(403)
  })
  it('422 names every bad field', async () => {
    const answer = await acme.staff.post('/entitlements', {
      class: 'XXX',
      product_name: ' ',
      company: 'entity_br',
      status: 'active',
    })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {}).toSorted()).toEqual([
      'class',
      'organization_id',
      'product_name',
      'status',
    ])
  })
  it('422 for another organization in the body', async () => {
    const answer = await acme.staff.post('/entitlements', { ...license, organization_id: acme.id + 1 })
    expect(answer.status).toBe(422)
    expect(answer.errors?.fields).toHaveProperty('organization_id')
  })
})

describe('GET /entitlements', () => {
  it('200 with the newest first', async () => {
    await acme.staff.post('/entitlements', { ...license, organization_id: acme.id })
    const answer = await member.get('/entitlements?per_page=1&search=backup')
    expect(answer.status).toBe(200)
    expect(answer.data).toHaveLength(1)
    expect(answer.meta).toMatchObject({ page: 1, per_page: 1 })
    const byCode = await member.get(`/entitlements/code/${answer.data[0].code}`)
    expect(byCode.data).toEqual(answer.data[0])
  })
  it('403 without the scope', async () => {
    const other = await acme.member({ scopes: ['quotes'] })
    const answer = await other.get('/entitlements')
    expect(answer.status).toBe(403)
    expect(answer.message).toBe('Scope not authorized: entitlements')
  })
  it('404 for another organization’s entitlement', async () => {
    const { data } = await acme.staff.post('/entitlements', { ...license, organization_id: acme.id })
    const other = await app.world.organization()
    expect((await other.owner.get(`/entitlements/${data.id}`)).status).toBe(404)
    expect((await other.owner.get(`/entitlements/code/${data.code}`)).status).toBe(404)
  })
})

describe('POST /entitlements/{id}/suspend, /resume, /cancel, /renew', () => {
  it('200 for allowed moves, 409 for all others', async () => {
    const { data } = await acme.staff.post('/entitlements', { ...license, organization_id: acme.id })
    const at = `/entitlements/${data.id}`
    expect((await acme.staff.post(`${at}/suspend`)).data.status).toBe('suspended')
    expect((await acme.staff.post(`${at}/suspend`)).status).toBe(409)
    expect((await acme.staff.post(`${at}/resume`)).data.status).toBe('active')
    expect((await acme.staff.post(`${at}/cancel`)).data.status).toBe('cancelled')
    expect((await acme.staff.post(`${at}/renew`)).status).toBe(409)
    expect((await acme.staff.post(`/entitlements/999999/cancel`)).status).toBe(404)
  })
})

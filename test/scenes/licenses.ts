// Licenses for tests, as staff issue them.
import { expect } from 'vitest'
import type { Answer, Organization } from '#test/harness/world.ts'

export async function entitlement(at: Organization, more: object = {}): Promise<Answer['data']> {
  const body = { class: 'PLG', product_name: 'Backup Pro', company: 'entity_br', organization_id: at.id, ...more }
  const answer = await at.staff.post('/entitlements', body)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}

export async function license(at: Organization, more: object = {}, entitled: object = {}): Promise<Answer['data']> {
  const { id: entitlement_id } = await entitlement(at, entitled)
  const answer = await at.staff.post('/licenses', { entitlement_id, activations_limit: 5, ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}

// POST /admin/crm/proposals/{id}/accept and /reject: staff decide what of the CRM the organization takes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshCnpj } from '#test/scenes/cnpj.ts'
import { crmScene, type CrmScene, inCrm } from '#test/scenes/crm.ts'
import type { Organization } from '#test/harness/world.ts'

let at: CrmScene
let acme: Organization
let id: string
beforeAll(async () => void (at = await crmScene()))
afterAll(() => at.close())
beforeEach(async () => {
  acme = await at.app.world.organization({ name: 'Acme' })
  ;({ crm_company_id_br: id } = await inCrm(at, acme))
})

const post = (proposal: number, act: string) => at.administrator.post(`/admin/crm/proposals/${proposal}/${act}`)
const here = async () => (await acme.owner.get(`/organizations/${acme.id}`)).data
const there = () => at.portal.store.companies.get(id)?.properties
const work = () => at.app.service.worker.drain()

/** What a salesperson wrote into the company, as staff are offered it. */
async function offered(properties: Record<string, string>): Promise<number> {
  at.portal.store.edit('companies', id, properties)
  await inCrm(at, acme, { notes: String(Math.floor(at.app.clock.now.getTime())), city: 'Recife' })
  const { data } = await at.administrator.get(`/admin/crm/proposals?organization_id=${acme.id}&status=open`)
  expect(data).toHaveLength(1)
  return data[0].id
}

describe('POST /admin/crm/proposals/{id}/accept', () => {
  it('200: the organization has the value, with the administrator’s name in its audit log', async () => {
    const proposal = await offered({ phone: '+55 11 5555-0199' })
    const { data } = await post(proposal, 'accept')
    expect(data).toMatchObject({ status: 'accepted', decided_by: at.administrator.userId, field: 'phone' })
    await work()
    expect(await here()).toMatchObject({ phone: '+55 11 5555-0199' })
    expect(there()).toMatchObject({ phone: '+55 11 5555-0199' })
    const { data: log } = await acme.owner.get(`/audit-log?resource=organization&actor_id=${at.administrator.userId}`)
    expect(log[0].changes).toEqual({ before: { phone: '+55 11 5555-0100' }, after: { phone: '+55 11 5555-0199' } })
  })
  it('409 when the organization has changed the field since; its offer is renewed with the next comparison', async () => {
    const proposal = await offered({ phone: '1' })
    await acme.owner.put(`/organizations/${acme.id}`, { phone: '2' })
    const answer = await post(proposal, 'accept')
    expect(answer).toMatchObject({ status: 409, message: 'The organization has changed its phone since' })
    expect(await here()).toMatchObject({ phone: '2' })
    await work()
    expect((await post(proposal, 'accept')).status).toBe(200)
    expect(await here()).toMatchObject({ phone: '1' })
  })
  it('409 for a value that the organization cannot have, and for a CNPJ of another one', async () => {
    const proposal = await offered({ cnpj: '11222333000100' })
    expect((await post(proposal, 'accept')).message).toContain('must be a CNPJ with the right check digits')
    const cnpj = freshCnpj()
    const other = await at.app.world.organization()
    await other.owner.put(`/organizations/${other.id}`, { cnpj })
    at.portal.store.edit('companies', id, { cnpj })
    await inCrm(at, acme, { city: 'Olinda' })
    expect((await post(proposal, 'accept')).status).toBe(409)
    expect(await here()).toMatchObject({ cnpj: null })
  })
  it('409 for a decided one, and for one of two at once; 404 for an unknown one and a deleted organization’s', async () => {
    const proposal = await offered({ phone: '1' })
    const answers = await Promise.all([post(proposal, 'accept'), post(proposal, 'reject')])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1)
    expect((await post(proposal, 'accept')).status).toBe(409)
    expect((await post(999_999_999, 'accept')).status).toBe(404)
    await acme.owner.delete(`/organizations/${acme.id}`)
    expect((await post(proposal, 'reject')).status).toBe(404)
    expect((await at.administrator.get(`/admin/crm/proposals?organization_id=${acme.id}`)).data).toEqual([])
  })
  it('403 for anybody but administrators', async () => {
    expect((await acme.owner.post('/admin/crm/proposals/1/accept')).status).toBe(403)
    expect((await acme.owner.post('/admin/crm/proposals/1/reject')).status).toBe(403)
  })
})

describe('POST /admin/crm/proposals/{id}/reject', () => {
  it('200: the organization keeps its value, and the CRM gets it', async () => {
    const proposal = await offered({ phone: '1' })
    expect((await post(proposal, 'reject')).data).toMatchObject({ status: 'rejected', proposed_value: '1' })
    await work()
    expect(await here()).toMatchObject({ phone: '+55 11 5555-0100' })
    expect(there()).toMatchObject({ phone: '+55 11 5555-0100' })
  })
  it('200: a value for an empty field stays in the CRM and is not offered again, until it changes there', async () => {
    const proposal = await offered({ state: 'PE' })
    await post(proposal, 'reject')
    await work()
    await inCrm(at, acme, { city: 'Olinda' })
    const open = async () =>
      (await at.administrator.get(`/admin/crm/proposals?organization_id=${acme.id}&status=open`)).data
    expect(await open()).toEqual([])
    expect(there()).toMatchObject({ state: 'PE' })
    at.portal.store.edit('companies', id, { state: 'PB' })
    await inCrm(at, acme, { city: 'Recife' })
    expect(await open()).toMatchObject([{ proposed_value: 'PB' }])
  })
})

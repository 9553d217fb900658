// Organizations as companies of the CRM: what is sent, and that nothing doubles.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { crmScene, type CrmScene, inCrm } from '#test/scenes/crm.ts'
import { freshCnpj } from '#test/scenes/cnpj.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { startApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'

let at: CrmScene
let acme: Organization
beforeAll(async () => void (at = await crmScene()))
afterAll(() => at.close())
beforeEach(async () => {
  acme = await at.app.world.organization({ name: 'Acme' })
  at.portal.trouble(null)
  at.portal.refuseWrites(null)
  at.portal.log.length = 0
})

const work = () => at.app.service.worker.drain()
const companiesOf = (organization: Organization, portal = at.portal) =>
  [...portal.store.companies.values()].filter(
    (one) => one.properties['titular_organization_id'] === String(organization.id) && one.mergedInto === null,
  )
const deadLetters = async () =>
  (await at.administrator.get(`/admin/jobs?kind=crm/sync-company&state=dead_letter&organization_id=${acme.id}`)).data
const proposals = async (query = '') =>
  (await at.administrator.get(`/admin/crm/proposals?organization_id=${acme.id}${query}`)).data
const retryLater = async () => {
  at.app.clock.advance(10)
  await work()
}

describe('an organization', () => {
  it('is a company of the legal entity of its country, with these fields only', async () => {
    const cnpj = freshCnpj()
    const data = await inCrm(at, acme, {
      cnpj,
      city: 'São Paulo',
      website: 'https://acme.example',
      email: 'a@b.example',
    })
    const [company, ...others] = companiesOf(acme)
    expect(others).toEqual([])
    expect(company?.properties).toEqual({
      titular_organization_id: String(acme.id),
      name: 'Acme',
      cnpj,
      phone: '+55 11 5555-0100',
      website: 'https://acme.example',
      city: 'São Paulo',
      country: 'BR',
    })
    expect(data).toMatchObject({ crm_company_id_br: company?.id, crm_company_id_global: null })
    expect(companiesOf(acme, at.globalPortal)).toEqual([])
    const { data: log } = await acme.owner.get('/audit-log?resource=organization')
    expect(log[0].changes.after).toEqual({ crm_company_id_br: company?.id })
  })
  it('is a company of another legal entity too once that has sent it a quote', async () => {
    await inCrm(at, acme)
    await sentQuote(acme, { company: 'entity_global', currency: 'USD' })
    await work()
    const { data } = await acme.owner.get(`/organizations/${acme.id}`)
    expect(data.crm_company_id_global).toBe(companiesOf(acme, at.globalPortal)[0]?.id)
    expect(data.crm_company_id_br).toBe(companiesOf(acme)[0]?.id)
  })
  it('is changed in place, and cleared where it was cleared', async () => {
    await inCrm(at, acme, { city: 'Recife' })
    await inCrm(at, acme, { city: null, phone: '1' })
    expect(companiesOf(acme).map(({ properties }) => properties)).toEqual([
      { titular_organization_id: String(acme.id), name: 'Acme', city: '', phone: '1', country: 'BR' },
    ])
  })
  it('causes no write when nothing of it has changed', async () => {
    await inCrm(at, acme)
    at.portal.log.length = 0
    await acme.owner.put(`/organizations/${acme.id}`, { notes: 'Something else' })
    await work()
    expect(at.portal.log.map((line) => line.split(' ')[0])).toEqual(['GET'])
  })
  it('exists once when its creation took effect and the answer never came', async () => {
    at.portal.trouble('after', 1)
    await inCrm(at, acme)
    await retryLater()
    expect(companiesOf(acme)).toHaveLength(1)
    expect((await acme.owner.get(`/organizations/${acme.id}`)).data.crm_company_id_br).toBe(companiesOf(acme)[0]?.id)
  })
  it('adopts the company with its CNPJ: fills what is empty there, and overwrites nothing', async () => {
    const cnpj = freshCnpj()
    const { id } = at.portal.store.add('companies', { cnpj, name: 'ACME Ltda.', phone: '+55 11 5555-0199' })
    const data = await inCrm(at, acme, { cnpj, city: 'Recife' })
    expect(data).toMatchObject({ crm_company_id_br: id, name: 'Acme', phone: '+55 11 5555-0100' })
    expect(companiesOf(acme)).toMatchObject([
      { id, properties: { name: 'ACME Ltda.', phone: '+55 11 5555-0199', city: 'Recife', country: 'BR' } },
    ])
    expect(await proposals('&status=open')).toMatchObject([
      { field: 'phone', current_value: '+55 11 5555-0100', proposed_value: '+55 11 5555-0199' },
      { field: 'name', current_value: 'Acme', proposed_value: 'ACME Ltda.' },
    ])
  })
  it('is a dead letter when the company with its CNPJ is another organization’s; a deleted one’s is taken over', async () => {
    const cnpj = freshCnpj()
    const other = await at.app.world.organization()
    const { id } = at.portal.store.add('companies', { cnpj, titular_organization_id: String(other.id) })
    await inCrm(at, acme, { cnpj })
    const [note] = await deadLetters()
    expect(note.last_error).toContain(
      `company ${id} of the CRM has this CNPJ and is the company of organization ${other.id}`,
    )
    await other.owner.delete(`/organizations/${other.id}`)
    await at.administrator.post(`/admin/jobs/${note.id}/retry`)
    await work()
    expect(companiesOf(acme)).toMatchObject([{ id }])
  })
  it('is a dead letter with the reason when a rule of the portal refuses it; the retry sends the present state', async () => {
    at.portal.refuseWrites('Property values were not valid: "industry" is required')
    await inCrm(at, acme)
    const [note] = await deadLetters()
    expect(note).toMatchObject({ attempts: 1 })
    expect(note.last_error).toContain('the CRM refused: entity_br: 400 Property values were not valid: "industry"')
    at.portal.refuseWrites(null)
    await at.administrator.post(`/admin/jobs/${note.id}/retry`)
    await work()
    expect(companiesOf(acme)).toHaveLength(1)
  })
  it('waits without a failed attempt while the day’s calls are used up', async () => {
    at.portal.trouble('daily')
    await inCrm(at, acme)
    const [job] = await at.app.database.query(
      `select attempts, dead_at from jobs where kind = 'crm/sync-company' and organization_id = $1`,
      [acme.id],
    )
    expect(job).toEqual({ attempts: 0, dead_at: null })
    at.portal.trouble(null)
    await retryLater()
    expect(companiesOf(acme)).toHaveLength(1)
  })
  it('is not sent any more once it is deleted, stays there, and goes on after its restoration', async () => {
    await inCrm(at, acme)
    at.portal.log.length = 0
    await acme.owner.delete(`/organizations/${acme.id}`)
    await work()
    expect(at.portal.log).toEqual([])
    await at.administrator.post(`/admin/organizations/${acme.id}/restore`)
    await inCrm(at, acme, { city: 'Recife' })
    expect(companiesOf(acme)).toMatchObject([{ properties: { city: 'Recife' } }])
  })
  it('has what the CRM confirms in its field, whatever was entered there', async () => {
    const { crm_company_id_br: own } = await inCrm(at, acme)
    const other = await at.app.world.organization()
    await other.owner.put(`/organizations/${other.id}`, { crm_company_id_br: '777', crm_company_id_global: '778' })
    const { data } = await acme.owner.put(`/organizations/${acme.id}`, { crm_company_id_br: '779' })
    expect(data.crm_company_id_br).toBe('779')
    await work()
    expect((await acme.owner.get(`/organizations/${acme.id}`)).data.crm_company_id_br).toBe(own)
    expect((await other.owner.get(`/organizations/${other.id}`)).data).toMatchObject({
      crm_company_id_br: companiesOf(other)[0]?.id,
      crm_company_id_global: null,
    })
  })
  it('gets its id in spite of another organization that entered it first', async () => {
    const other = await at.app.world.organization()
    await inCrm(at, acme)
    const id = companiesOf(acme)[0]?.id
    await acme.owner.put(`/organizations/${acme.id}`, { crm_company_id_br: null })
    await other.owner.put(`/organizations/${other.id}`, { crm_company_id_br: id })
    await work()
    await retryLater()
    expect((await acme.owner.get(`/organizations/${acme.id}`)).data.crm_company_id_br).toBe(id)
    expect((await other.owner.get(`/organizations/${other.id}`)).data.crm_company_id_br).not.toBe(id)
  })
})

describe('without a CRM', () => {
  it('nothing is sent, and no job is left', async () => {
    const app = await startApp()
    const one = await app.world.organization()
    await one.owner.put(`/organizations/${one.id}`, { phone: '1', crm_company_id_br: '7' })
    await sentQuote(one)
    await app.service.worker.drain()
    expect(await app.database.query(`select kind from jobs where kind like 'crm/%'`)).toEqual([])
    expect((await one.owner.get(`/organizations/${one.id}`)).data.crm_company_id_br).toBe('7')
    expect((await app.world.anonymous.post('/webhooks/crm/entity_br', '[]')).status).toBe(401)
    await app.close()
  })
})

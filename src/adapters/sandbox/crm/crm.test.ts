// The sandbox's CRM over real HTTP: the port's contract by HubSpot's adapter, what salespeople do in it, its events,
// faults by wish, and what it keeps.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crmContract } from '#ports/crm.contract.ts'
import { type Crm, CrmRefused, CrmUnavailable, type ReceivedCrmEvent } from '#ports/crm.ts'
import { until } from '#test/harness/until.ts'
import { systemOf } from '#test/scenes/sandbox-system.ts'
import { hubspot } from '../../hubspot/hubspot.ts'
import { openCrm } from './crm.ts'

const [TOKEN, SECRET] = ['token-of-the-service', 'secret-of-the-webhook']

async function opened() {
  let webhookUrl = ''
  const system = await systemOf((at) => {
    webhookUrl = `${at.publicUrl}/api/v1/webhooks/crm/entity_br`
    const account = { company: 'entity_br', token: TOKEN, webhookSecret: SECRET, cnpjProperty: 'cnpj', webhookUrl }
    return openCrm({ ...at, ...account })
  })
  const url = `${system.url}/sandbox/crm/entity_br`
  const crm = hubspot({
    company: 'entity_br',
    token: TOKEN,
    webhookSecrets: ['older', SECRET],
    webhookUrl,
    cnpjProperty: 'cnpj',
    url,
    provider: 'hubspot-sandbox',
  })
  /** As a salesperson. */
  const call = async (method: string, path: string, body?: object, token = 'sales') => {
    const answer = await fetch(`${url}/crm${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  const close = async () => {
    await crm.close()
    await system.close()
  }
  return { system, crm, call, close }
}

crmContract('the sandbox', opened)

const COMPANIES = '/objects/2026-09/companies'

describe('the sandbox’s CRM', () => {
  let at: Awaited<ReturnType<typeof opened>>
  let crm: Crm
  beforeAll(async () => {
    at = await opened()
    ;({ crm } = at)
  })
  afterAll(() => at.close())
  const save = (organizationId: number, values: object = {}) =>
    crm.saveCompany({ id: null, organizationId, values: { name: 'Acme “Ünï” 🎉', ...values } })
  const received = (): ReceivedCrmEvent[] =>
    at.system.received.flatMap(({ headers, body }) => {
      const read = crm.readEvents(headers, body, new Date())
      return read.kind === 'signed' ? read.events.map((event) => event.received) : []
    })
  const typesAbout = (id: string) =>
    received().flatMap((event) => (event.kind === 'changed' && event.ids.includes(id) ? [event.providerType] : []))

  it('announces what salespeople do in signed events; what the service did is ignored', async () => {
    const { id } = await save(1)
    await at.call('PATCH', `${COMPANIES}/${id}`, { properties: { city: 'Recife', name: 'Acme “Ünï” 🎉' } })
    const { body: other } = await at.call('POST', COMPANIES, { properties: { name: 'Beta' } })
    await at.call('POST', `${COMPANIES}/merge`, { primaryObjectId: id, objectIdToMerge: other.id })
    await at.call('DELETE', `${COMPANIES}/${id}`)
    await until(() => typesAbout(id).length === 4)
    expect(new Set(typesAbout(id))).toEqual(new Set(['company.propertyChange', 'company.merge', 'company.deletion']))
    const own = received().filter((event) => event.kind === 'ignored')
    expect(own).toMatchObject([{ providerType: 'company.creation' }])
    expect(await crm.findCompany({ organizationId: 1, cnpj: null })).toBeNull()
  })
  it('sends events again that were not taken, under the same id', async () => {
    const { id } = await save(2)
    await until(() => received().some((event) => event.dedupeKey.includes(id)))
    at.system.answerEventsWith(503)
    const before = at.system.received.length
    await at.call('PATCH', `${COMPANIES}/${id}`, { properties: { phone: '+55 81 5555-0100' } })
    await until(() => at.system.received.length > before)
    at.system.answerEventsWith(200)
    await until(() => at.system.received.length > before + 1)
    const [first, second] = received().slice(-2)
    expect([first?.kind, second]).toEqual(['changed', first])
  })
  it('keeps companies, deals and properties over a restart, and gives no id twice', async () => {
    const company = await save(3, { cnpj: '11222333000181' })
    const values = { name: 'Q-3', amount: '150.00', currency: 'BRL', closesOn: '2026-12-31' }
    const place = { pipeline: 'default', stage: 'presentationscheduled' }
    const deal = await crm.saveDeal({ id: null, quoteId: 3, companyId: company.id, values, place })
    const property = { name: 'segment', hasUniqueValue: true }
    expect((await at.call('POST', '/properties/2026-09/companies', property)).status).toBe(201)
    await at.system.restart()
    expect(await crm.findCompany({ organizationId: 404, cnpj: '11222333000181' })).toMatchObject({ id: company.id })
    expect(await crm.findDeal(3)).toEqual(deal)
    expect((await at.call('GET', '/properties/2026-09/companies/segment')).body).toMatchObject(property)
    expect(Number((await save(4)).id)).toBeGreaterThan(Number(deal.id))
  })
  it('refuses what HubSpot’s API does not take', async () => {
    const { id } = await save(5)
    expect((await at.call('PATCH', `${COMPANIES}/${id}`, { properties: { shoe_size: '42' } })).status).toBe(400)
    expect((await at.call('PATCH', `${COMPANIES}/${id}`, { properties: { name: 7 } })).status).toBe(400)
    expect((await at.call('POST', `${COMPANIES}/batch/upsert`, [])).status).toBe(400)
    expect((await at.call('GET', `${COMPANIES}/%E0%A4%A`)).status).toBe(404)
    expect((await at.call('GET', '/objects/2026-09/contacts/1')).status).toBe(404)
    const twice = { name: 'name', hasUniqueValue: true }
    expect((await at.call('POST', '/properties/2026-09/companies', twice)).status).toBe(409)
    for (const token of ['other', '']) expect((await at.call('GET', COMPANIES, undefined, token)).status).toBe(401)
  })
  it('fails as it is wished to', async () => {
    await expect(save(6, { name: 'sandbox: refuse' })).rejects.toThrow(CrmRefused)
    await expect(save(7, { name: 'sandbox: unavailable' })).rejects.toThrow(CrmUnavailable)
    expect(await crm.findCompany({ organizationId: 7, cnpj: null })).toBeNull()
    await expect(save(8, { name: 'sandbox: unclear' })).rejects.toThrow(CrmUnavailable)
    const there = await crm.findCompany({ organizationId: 8, cnpj: null })
    expect((await save(8, { name: 'sandbox: unclear' })).id).toBe(there?.id)
    expect(at.system.errors).toEqual([])
  })
})

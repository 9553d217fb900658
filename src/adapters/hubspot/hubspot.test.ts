// HubSpot over real HTTP, with a stand-in that limits, refuses, hangs and answers nonsense.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CrmBusy, CrmRefused, CrmUnavailable } from '#ports/crm.ts'
import { crmContract } from '#ports/crm.contract.ts'
import { hubspotOf } from '#test/scenes/crm.ts'
import { type HubspotStandIn, hubspotStandIn } from '#test/stand-ins/hubspot.ts'

crmContract('HubSpot', async () => {
  const portal = await hubspotStandIn()
  portal.store.unique.companies.clear()
  portal.store.unique.deals.clear()
  const crm = hubspotOf(portal)
  const close = async () => {
    await crm.close()
    await portal.close()
  }
  return { crm, close }
})

let portal: HubspotStandIn
let crm: ReturnType<typeof hubspotOf>

beforeAll(async () => {
  portal = await hubspotStandIn()
  crm = hubspotOf(portal)
})
afterAll(async () => {
  await crm.close()
  await portal.close()
})
beforeEach(async () => {
  await crm.close()
  crm = hubspotOf(portal)
  portal.trouble(null)
  portal.refuseWrites(null)
  portal.log.length = 0
})

const find = () => crm.findCompany({ organizationId: 1, cnpj: null })
const save = (organizationId = 1) => crm.saveCompany({ id: null, organizationId, values: { name: 'Acme' } })

describe('a call', () => {
  it('is made again once after a rate limit, and then gives CrmBusy; at once when the day is used up', async () => {
    portal.trouble('limit', 1)
    expect(await save()).toMatchObject({ organizationId: 1 })
    portal.trouble('limit')
    await expect(find()).rejects.toThrow(CrmBusy)
    portal.log.length = 0
    portal.trouble('daily')
    await expect(find()).rejects.toThrow(CrmBusy)
    expect(portal.log).toHaveLength(1)
  })
  it.each(['down', 'forbidden', 'garbage', 'huge', 'redirect', 'hang'] as const)(
    'gives CrmUnavailable: %s',
    async (kind) => {
      portal.trouble(kind)
      await expect(find()).rejects.toThrow(CrmUnavailable)
      expect(portal.log).toHaveLength(1)
    },
  )
  it('gives CrmUnavailable for a wrong token, and never names it', async () => {
    const other = hubspotOf(portal, { token: 'pat-na1-of-somebody-else' })
    const failure: unknown = await other.findCompany({ organizationId: 1, cnpj: null }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CrmUnavailable)
    expect(String(failure)).not.toContain('pat-na1')
    await other.close()
  })
  it('gives CrmRefused with HubSpot’s reason when a rule of the portal refuses the values', async () => {
    portal.refuseWrites('Property values were not valid: "industry" is required')
    await expect(save()).rejects.toThrow(CrmRefused)
    await expect(save()).rejects.toThrow('entity_br: 400 Property values were not valid: "industry" is required')
  })
})

describe('a company', () => {
  it('exists once when its creation took effect and the answer never came', async () => {
    portal.trouble('after', 1)
    await expect(save(2)).rejects.toThrow(CrmUnavailable)
    const { id } = await save(2)
    const all = [...portal.store.companies.values()]
    expect(all.filter((one) => one.properties['titular_organization_id'] === '2').map((one) => one.id)).toEqual([id])
  })
  it('is never looked for by search', async () => {
    await find()
    await save(3)
    expect(portal.log.filter((line) => line.includes('/search'))).toEqual([])
  })
  it('is read without masks, blanks and what cannot be stored', async () => {
    const name = ` ${'x'.repeat(300)} `
    const given = { cnpj: '11.222.333/0001-81', website: 'acme.example', phone: ' 1\0 ', city: '  ', name }
    portal.store.add('companies', { titular_organization_id: '4', ...given })
    expect((await crm.findCompany({ organizationId: 4, cnpj: null }))?.values).toEqual({
      name: 'x'.repeat(254),
      cnpj: '11222333000181',
      website: 'https://acme.example',
      phone: '1\ufffd',
      city: null,
      state: null,
      country: null,
    })
  })
  it('has no organization when the property was overwritten with something else', async () => {
    portal.store.add('companies', { cnpj: '12ABC34501DE35', titular_organization_id: 'abc' })
    expect(await crm.findCompany({ organizationId: 5, cnpj: '12ABC34501DE35' })).toMatchObject({ organizationId: null })
  })
})

describe('prepare', () => {
  it('gives CrmRefused when a property has values that are not unique', async () => {
    const other = hubspotOf(portal, { cnpjProperty: 'phone' })
    await expect(other.prepare()).rejects.toThrow(
      'the property phone of companies exists and its values are not unique',
    )
    await other.close()
  })
})

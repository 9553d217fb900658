// The contract of the CRM port. The tests of each adapter run it against a CRM that they start.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Crm, CrmRefused, type DealStatus } from './crm.ts'
import { stageOf } from './deal-settings.ts'

export type OpenCrm = { crm: Crm; close: () => Promise<void> }

const VALUES = { name: 'São João “Ltda”', cnpj: '11222333000181', city: 'São Paulo' }
const DEAL = { name: 'Q-7 · São João', amount: '150.00', currency: 'BRL', closesOn: '2026-12-31' }

/** The stages are those of HubSpot's first pipeline. */
const placeOf = (status: DealStatus) => ({ pipeline: 'default', stage: stageOf([], status) })

export function crmContract(name: string, open: () => Promise<OpenCrm>): void {
  describe(`the CRM by ${name}`, () => {
    let opened: OpenCrm
    beforeAll(async () => void (opened = await open()))
    afterAll(() => opened.close())

    it('prepares as often as it is asked to', async () => {
      await opened.crm.prepare()
      expect(await opened.crm.prepare()).toBeUndefined()
    })
    it('finds no company and no deal that nobody saved', async () => {
      expect(await opened.crm.findCompany({ organizationId: 404, cnpj: '12ABC34501DE35' })).toBeNull()
      expect(await opened.crm.findDeal(404)).toBeNull()
    })
    it('creates one company, also for four calls at once and a repeated one', async () => {
      const { crm } = opened
      const save = () => crm.saveCompany({ id: null, organizationId: 7, values: VALUES })
      const saved = [...(await Promise.all([save(), save(), save(), save()])), await save()]
      expect(new Set(saved.map(({ id }) => id)).size).toBe(1)
      expect(saved[0]).toMatchObject({ organizationId: 7, values: VALUES })
    })
    it('finds it by the organization and by the CNPJ at once, changes it by its id, and clears with null', async () => {
      const { crm } = opened
      const found = await crm.findCompany({ organizationId: 7, cnpj: null })
      expect(found).toMatchObject({ organizationId: 7, values: { ...VALUES, phone: null } })
      expect(await crm.findCompany({ organizationId: 404, cnpj: VALUES.cnpj })).toEqual(found)
      const id = found?.id ?? ''
      await crm.saveCompany({ id, organizationId: 7, values: { phone: '+55 11 5555-0100', city: null } })
      const changed = await crm.findCompany({ organizationId: 7, cnpj: null })
      expect(changed).toMatchObject({ id, values: { name: VALUES.name, phone: '+55 11 5555-0100', city: null } })
    })
    it('refuses a second company with the same CNPJ', async () => {
      const values = { name: 'Another', cnpj: VALUES.cnpj }
      await expect(opened.crm.saveCompany({ id: null, organizationId: 8, values })).rejects.toThrow(CrmRefused)
      expect(await opened.crm.findCompany({ organizationId: 8, cnpj: null })).toBeNull()
    })
    it('creates one deal with its company, moves it, and leaves its stage when none is given', async () => {
      const { crm } = opened
      const company = await crm.findCompany({ organizationId: 7, cnpj: null })
      const change = { quoteId: 7, companyId: company?.id ?? '', values: DEAL }
      const made = await crm.saveDeal({ ...change, id: null, place: placeOf('sent') })
      expect(await crm.saveDeal({ ...change, id: null, place: placeOf('sent') })).toEqual(made)
      const won = await crm.saveDeal({ ...change, id: made.id, place: placeOf('paid') })
      expect(won).toMatchObject({ id: made.id, companyIds: [company?.id] })
      expect(won.stage).not.toBe(made.stage)
      await crm.saveDeal({ ...change, id: made.id, place: null, values: { ...DEAL, amount: '90.00' } })
      expect(await crm.findDeal(7)).toEqual(won)
    })
    it('gives unsigned for a body without a valid signature', () => {
      const body = Buffer.from('[]')
      for (const headers of [{}, { 'x-hubspot-signature-v3': 'AA==', 'x-hubspot-request-timestamp': '0' }])
        expect(opened.crm.readEvents(headers, body, new Date()).kind).toBe('unsigned')
    })
  })
}

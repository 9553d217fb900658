// The parts of an invoice, for any amounts; the description; the recipient and its country.
import { describe, expect, it } from 'vitest'
import { lineOf } from '#test/scenes/paid-invoices.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import { formatMoney, parseMoney, sum } from '#kernel/values/money.ts'
import { NOTHING_KNOWN } from '../municipal-parameters/known-parameters.ts'
import type { LineItem } from '../../delivery/products/line-item.ts'
import type { TaxTerms } from '../../delivery/products/offers.ts'
import { countryCode } from './country.ts'
import type { Codes } from '#modules/sales/municipal-parameters/service-codes.ts'
import { DESCRIPTION_LENGTH, describePart, partsOf, placed } from './invoice-parts.ts'
import { recipientFrom, storable } from './recipient.ts'

const whole = (lines: LineItem[]) =>
  placed(
    lines,
    lines.map(({ total }) => parseMoney(total, 'BRL')),
  )

const linesOf = (...given: [string, string][]) =>
  whole(given.map(([name, total]) => lineOf(name, total) as unknown as LineItem))

const codesOf = (more: Partial<Codes> = {}): Codes => ({
  profile: PROFILE,
  products: new Map(),
  known: NOTHING_KNOWN,
  ...more,
})

const shares = (total: string, ...given: [string, string][]) =>
  partsOf(linesOf(...given), total, codesOf()).map((part) => part.total)

const sold = (...products: (number | null)[]) =>
  whole(products.map((product_id) => ({ ...lineOf('ENV', '1.00'), product_id }) as unknown as LineItem))

describe('the parts of an invoice', () => {
  it('have the sums of their lines when those add up to the total', () => {
    expect(shares('30.00', ['PLG', '10.01'], ['ENV', '19.99'])).toEqual(['10.01', '19.99'])
  })
  it('share the difference when the lines do not add up to the total', () => {
    expect(shares('10.00', ['PLG', '10.00'], ['ENV', '10.00'])).toEqual(['5.00', '5.00'])
    expect(shares('0.01', ['PLG', '10.00'], ['ENV', '10.01'])).toEqual(['0.01'])
    expect(shares('10.00', ['PLG', '0.00'], ['ENV', '0.00'])).toEqual(['10.00'])
    expect(shares('10.00')).toEqual(['10.00'])
    expect(shares('0.00', ['PLG', '0.00'])).toEqual([])
  })
  it('add up to the total to the last cent, without negative ones, for ten thousand invoices', () => {
    let seed = 42
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let times = 0; times < 10_000; times++) {
      const lines = Array.from({ length: 1 + random(6) }, (): [string, string] => [
        ['PLG', 'ENV', 'SVC'][random(3)] ?? 'PLG',
        formatMoney(BigInt(random(1_000_000_000)) * BigInt(random(100_000)), 'BRL'),
      ])
      const total = formatMoney(BigInt(random(2_000_000_000)) * BigInt(random(400_000)), 'BRL')
      const amounts = shares(total, ...lines).map((amount) => parseMoney(amount, 'BRL'))
      expect(formatMoney(sum(amounts), 'BRL'), JSON.stringify({ lines, total })).toBe(total)
      expect(amounts.every((amount) => amount > 0n)).toBe(true)
    }
  })
  it('have no code when the profile has none', () => {
    const { ENV } = PROFILE.services
    const profile = { ...PROFILE, services: ENV ? { ENV } : {} }
    const parts = partsOf(linesOf(['PLG', '1.00'], ['ENV', '2.00']), '3.00', codesOf({ profile }))
    expect(parts.map(({ service, total }) => [service?.national ?? null, total])).toEqual([
      [null, '1.00'],
      ['010301', '2.00'],
    ])
  })
})

describe('the codes of products', () => {
  const terms = { service_code: null, nbs_code: null, iss_rate: null, tax_issue_rule: null }
  const servicesOf = (given: Partial<TaxTerms>, ...more: (number | null)[]) =>
    partsOf(sold(7, ...more), '9.00', codesOf({ products: new Map([[7, { ...terms, ...given, id: 7 }]]) })).map(
      ({ service }) => service,
    )

  it('replace those of the class one by one, and all of them with a service code', () => {
    const { ENV } = PROFILE.services
    expect(servicesOf({})).toEqual([ENV])
    expect(servicesOf({ nbs_code: '111032200' })).toEqual([{ ...ENV, nbs: '111032200' }])
    expect(servicesOf({ iss_rate: '5.00' })).toEqual([{ ...ENV, iss_rate: '5.00' }])
    expect(servicesOf({ service_code: '010701' })).toEqual([{ national: '010701' }])
    expect(servicesOf({ service_code: '010701002', iss_rate: '5.00' })).toEqual([
      { national: '010701', municipal: '002', iss_rate: '5.00' },
    ])
  })
  it('part lines that differ in any of them, and no others', () => {
    expect(servicesOf({ nbs_code: '111032200' }, 8, null)).toHaveLength(2)
    expect(servicesOf({ iss_rate: '2.9' }, 8), 'the rate of the class').toHaveLength(1)
    expect(servicesOf({}, 8, null)).toHaveLength(1)
  })
  it('are no profile', () => {
    const products = new Map([[7, { ...terms, id: 7, service_code: '010701' }]])
    expect(partsOf(sold(7), '1.00', { profile: null, known: NOTHING_KNOWN, products })).toMatchObject([
      { service: null },
    ])
  })
})

describe('the description', () => {
  it('is cut at a whole character, and has only characters that XML allows', () => {
    const name = `\u0001${'🚀'.repeat(199)}`
    const lines = whole(Array.from({ length: 20 }, () => lineOf('PLG', '1.00', name) as unknown as LineItem))
    const text = describePart({ service: null, lines }, 'BR-1')
    expect(Array.from(text)).toHaveLength(DESCRIPTION_LENGTH)
    expect(text.isWellFormed()).toBe(true)
    expect(text).toMatch(/^1 × {2}🚀.*…$/u)
    expect(storable('a\u0000b\u001fc\u0085d\ufffee\tf\ng\ud800')).toBe('a b c d e\tf\ng\ufffd')
  })
})

describe('the recipient', () => {
  const nobody = { name: 'Acme', legal_name: null, cnpj: null, id_number: null, email: null, tax_email: null }
  const nowhere = { municipal_registration: null, phone: null, address: null, address_number: null, address2: null }
  const params = { tax_param1: null, tax_param2: null, tax_param3: null, tax_param4: null, tax_param5: null }
  const place = { neighborhood: null, city: null, state: null, ibge_code: null, zipcode: null, country: null }
  const facts = { ...nobody, ...nowhere, ...place, ...params }
  it('has the CPF of a person, and the foreign number of a company abroad', () => {
    expect(recipientFrom({ ...facts, id_number: '123.456.789-09' })).toMatchObject({
      taxId: '12345678909',
      foreignTaxId: null,
    })
    const abroad = { ...facts, id_number: 'PT 501 442 600', country: 'Portugal', zipcode: '1100-148' }
    expect(recipientFrom(abroad)).toMatchObject({
      taxId: null,
      foreignTaxId: 'PT 501 442 600',
      address: { country: 'PT', zipcode: '1100-148' },
    })
    expect(recipientFrom({ ...facts, legal_name: ' \u0007 ', address: ' ', country: 'Atlantis' })).toMatchObject({
      name: 'Acme',
      address: { street: null, country: '' },
    })
  })
  it.each([
    ['BR', [null, '', ' ', 'br', 'Brasil', 'BRAZIL', 'bra', 'Brésil']],
    ['US', ['us', 'USA', 'EUA', 'Estados Unidos', 'United States', 'united  states of America']],
    ['GB', ['UK', 'Reino Unido', 'United Kingdom', 'GBR']],
    ['DE', ['Alemanha', 'Germany', 'Deutschland', 'DEU']],
    ['CI', ['Côte d’Ivoire', 'ci']],
    [null, ['Atlantis', 'XX', 'ZZ', 'EU', 'Unknown Region', 'SU', '__proto__', 'constructor']],
  ])('has the country %s for each of its spellings', (code, names) => {
    for (const name of names) expect(countryCode(name), String(name)).toBe(code)
  })
})

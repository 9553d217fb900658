// Declarations and fiscal profiles for the tests of the NFS-e: one of each kind that the layout distinguishes.
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'
import type { TaxDeclaration, TaxRecipient } from '#ports/tax-authority.ts'

export const PROVIDER = { taxId: '11222333000181', name: 'Titular Brasil Ltda.' }
export const LETTERS = { taxId: '12ABC34501DE35', name: 'Letras & Números Ltda.' }

export const PROFILE: FiscalProfile = {
  valid_from: '2020-01-01',
  layout: '1.01',
  municipality: '3550308',
  municipal_registration: '12345678',
  simples: '1',
  special_regime: '0',
  iss: '1',
  iss_withheld: '1',
  tax_burden: { federal: '13.45', state: '0.00', municipal: '2.9' },
  services: { default: { national: '010701', iss_rate: '2.9' } },
}

const { tax_burden: _burden, ...WITHOUT_BURDEN } = PROFILE
export const SIMPLES: FiscalProfile = {
  ...WITHOUT_BURDEN,
  simples: '3',
  simples_regime: '1',
  simples_burden: '6.00',
  services: { default: { national: '010701' } },
}
export const MEI: FiscalProfile = { ...WITHOUT_BURDEN, simples: '2', services: SIMPLES.services }
export const WITHHELD: FiscalProfile = { ...PROFILE, iss_withheld: '2' }
export const EXPORTED: FiscalProfile = { ...PROFILE, iss_abroad: '3', missing_foreign_tax_id: '2' }
export const IMMUNE: FiscalProfile = { ...PROFILE, iss: '2', immunity: '3' }
export const FEDERAL: FiscalProfile = {
  ...PROFILE,
  federal: {
    default: {
      pis_cofins: { situation: '01', pis: '0.65', cofins: '3' },
      withheld: { irrf: '1.5', pis: '0.65', cofins: '3.00', csll: '1.00', inss: '11.00' },
    },
    '080201': { pis_cofins: { situation: '08' } },
  },
}
export const REFORM: FiscalProfile = {
  ...PROFILE,
  ibs_cbs: { purpose: '0', operation: '100301', situation: '000', classification: '000001', final_consumer: false },
}

const NOBODY: TaxRecipient = {
  name: 'ACME Comércio S.A.',
  taxId: '19131243000197',
  foreignTaxId: null,
  municipalRegistration: null,
  email: null,
  phone: null,
  address: {
    street: null,
    number: null,
    complement: null,
    district: null,
    city: null,
    state: null,
    cityCode: null,
    zipcode: null,
    country: 'BR',
  },
  parameters: [null, null, null, null, null],
}

export const COMPANY: TaxRecipient = {
  ...NOBODY,
  municipalRegistration: '998877',
  email: 'fiscal@acme.example',
  phone: '+55 (11) 98765-4321',
  address: {
    street: 'Av. Paulista',
    number: '1000',
    complement: '10º andar',
    district: 'Bela Vista',
    city: 'São Paulo',
    state: 'SP',
    cityCode: '3550308',
    zipcode: '01310-100',
    country: 'BR',
  },
}
export const PERSON: TaxRecipient = {
  ...COMPANY,
  name: 'Maria José',
  taxId: '52998224725',
  municipalRegistration: null,
}
export const WITH_LETTERS: TaxRecipient = { ...COMPANY, taxId: '1K2M3N4P0A9Z40' }
export const WITHOUT_ADDRESS: TaxRecipient = NOBODY
export const ABROAD: TaxRecipient = {
  ...NOBODY,
  name: 'Müller & Söhne “GmbH” – 北京',
  taxId: null,
  foreignTaxId: 'DE123456789',
  address: {
    ...NOBODY.address,
    street: 'Łódzka – 北京',
    city: '北京',
    state: null,
    zipcode: 'D-10115',
    country: 'DE',
  },
}
export const ABROAD_WITHOUT_NUMBER: TaxRecipient = { ...ABROAD, foreignTaxId: null }

/** Text with markup, emoji and control characters, for every text field. */
const AWKWARD = `"aspas" & <b>'x'</b> ]]> 😀 \u202eשלום\u202c \u0000\u0007\ud800 fim`
export const STRANGE: TaxRecipient = {
  ...COMPANY,
  name: AWKWARD,
  municipalRegistration: AWKWARD.slice(0, 15),
  email: `x${AWKWARD}@acme.example`,
  phone: 'n/a',
  address: { ...COMPANY.address, street: AWKWARD.repeat(20), complement: AWKWARD, district: `${AWKWARD}\n\tx` },
}

export function declaration(more: Partial<TaxDeclaration> = {}): TaxDeclaration {
  return {
    series: '1',
    number: 42,
    declaredAt: new Date('2026-11-20T17:05:00.789Z'),
    competence: '2026-11-20',
    provider: PROVIDER,
    recipient: COMPANY,
    service: { national: '010701', municipal: '001', nbs: '115022000', iss_rate: '2.9' },
    description: 'Suporte técnico\r\nem informática — plano anual',
    purchaseOrder: null,
    amount: '1234.50',
    withheld: [],
    replaces: null,
    ...more,
  }
}

/** R$ 1,234.50 of which everything is withheld that can be. */
export const ALL_WITHHELD: TaxDeclaration['withheld'] = [
  { tax: 'irrf', percent: '1.50', base: '1234.50', amount: '18.52' },
  { tax: 'pis', percent: '0.65', base: '1234.50', amount: '8.02' },
  { tax: 'cofins', percent: '3.00', base: '1234.50', amount: '37.04' },
  { tax: 'csll', percent: '1.00', base: '1234.50', amount: '12.35' },
  { tax: 'iss', percent: '2.90', base: '1234.50', amount: '35.80' },
  { tax: 'inss', percent: '11.00', base: '1234.50', amount: '135.80' },
]

export const REPLACED_KEY = '35503082211222333000181000000000000726111234567892'

export const CASES: Record<string, [TaxDeclaration, FiscalProfile]> = {
  'a company in Brazil': [declaration(), PROFILE],
  'a person in Brazil': [declaration({ recipient: PERSON }), PROFILE],
  'a company with letters in its CNPJ': [declaration({ recipient: WITH_LETTERS }), PROFILE],
  'a provider with letters in its CNPJ': [declaration({ provider: LETTERS }), PROFILE],
  'a provider with a CPF': [declaration({ provider: { taxId: '52998224725', name: 'Maria' } }), PROFILE],
  'a company without an address': [declaration({ recipient: WITHOUT_ADDRESS }), PROFILE],
  'a company abroad': [declaration({ recipient: ABROAD }), PROFILE],
  'an export': [declaration({ recipient: ABROAD }), EXPORTED],
  'an export to nobody with a number': [declaration({ recipient: ABROAD_WITHOUT_NUMBER }), EXPORTED],
  'a provider in the Simples': [declaration({ service: { national: '010701' } }), SIMPLES],
  'a provider that is MEI': [declaration({ service: { national: '010701' } }), MEI],
  'ISS withheld by the recipient': [declaration(), WITHHELD],
  'all taxes withheld': [declaration({ withheld: ALL_WITHHELD }), FEDERAL],
  'IRRF withheld alone': [declaration({ withheld: ALL_WITHHELD.slice(0, 1) }), FEDERAL],
  'PIS/COFINS without rates': [declaration({ service: { national: '080201' } }), FEDERAL],
  'PIS/COFINS that nobody withholds': [declaration(), FEDERAL],
  'an immune provider': [declaration(), IMMUNE],
  'the reform’s codes': [declaration(), REFORM],
  'a purchase with a number of its own': [declaration({ purchaseOrder: 'PO-2026-0042/Nº 7' }), PROFILE],
  'awkward text': [
    declaration({ recipient: STRANGE, purchaseOrder: AWKWARD, description: `${AWKWARD}\n`.repeat(99) }),
    PROFILE,
  ],
  'the smallest amount': [declaration({ amount: '0.01', number: 1 }), PROFILE],
  'the largest numbers': [
    declaration({ amount: '999999999999.99', number: 999_999_999_999_999, series: '49999' }),
    REFORM,
  ],
  'a replacement': [
    declaration({ replaces: { accessKey: REPLACED_KEY, reasonCode: '99', reason: 'Descrição errada do serviço' } }),
    PROFILE,
  ],
}

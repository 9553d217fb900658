// An organization in Brazil that keeps taxes back, and the fiscal profile whose rates it uses.
import type { FiscalProfile } from '#ports/tax-authority.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'

const own = { pis_cofins: { situation: '01', pis: '0.65', cofins: '3.00' } }

/** 6.15 % of licenses, 17.15 % of what ORD is declared as, nothing federal of hosting. ISS as in the other profile. */
export const WITHHOLDING: FiscalProfile = {
  ...PROFILE,
  services: {
    ...PROFILE.services,
    ORD: { national: '010701', iss_rate: '2.90' },
    EDU: { national: '080201' },
  },
  federal: {
    default: { ...own, withheld: { irrf: '1.50', pis: '0.65', cofins: '3.00', csll: '1.00' } },
    '010701': { ...own, withheld: { irrf: '1.50', pis: '0.65', cofins: '3.00', csll: '1.00', inss: '11.00' } },
    '010301': own,
  },
}

export const FEDERAL = ['irrf', 'pis', 'cofins', 'csll'] as const

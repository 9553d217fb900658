// The fiscal profile of the sandbox: a plausible example, not for real tax invoices.
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'

/**
 * São Paulo, not in the Simples: no rates, because the municipality has an agreement and computes them itself; software
 * licenses, hosting, courses, and support for all other classes.
 */
export const SANDBOX_PROFILE: FiscalProfile = {
  valid_from: '2020-01-01',
  layout: '1.01',
  municipality: '3550308',
  simples: '1',
  special_regime: '0',
  iss: '1',
  missing_foreign_tax_id: '2',
  iss_withheld: '1',
  tax_burden: { federal: '13.45', state: '0.00', municipal: '2.90' },
  federal: {
    default: {
      pis_cofins: { situation: '01', pis: '0.65', cofins: '3.00' },
      withheld: { irrf: '1.50', pis: '0.65', cofins: '3.00', csll: '1.00' },
    },
    '080201': { pis_cofins: { situation: '01', pis: '0.65', cofins: '3.00' } },
  },
  services: {
    default: { national: '010701', description: 'Suporte técnico em informática' },
    PLG: { national: '010501', description: 'Licenciamento de programas de computação' },
    ENV: { national: '010301', description: 'Hospedagem de aplicações e dados' },
    EDU: { national: '080201', description: 'Instrução e treinamento' },
  },
}

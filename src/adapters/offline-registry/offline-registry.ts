// No company registry: only the check digits of a CNPJ are verified.

import type { CompanyRegistry } from '#ports/company-registry.ts'

export function createOfflineRegistry(): CompanyRegistry {
  return {
    find: () => Promise.resolve({ outcome: 'not_asked' }),
  }
}

// No registry: only the check digits of a CNPJ are verified, and no postal code tells its address.

import type { CompanyRegistry } from '#ports/company-registry.ts'
import type { PostalCodes } from '#ports/postal-codes.ts'

export function createOfflineRegistry(): CompanyRegistry & PostalCodes {
  return {
    find: () => Promise.resolve({ outcome: 'not_asked' as const }),
  }
}

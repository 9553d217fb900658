// The contracts of the company registry and of the postal codes where nobody is configured whom to ask.
import { companyRegistryContract } from '#ports/company-registry.contract.ts'
import { postalCodesContract } from '#ports/postal-codes.contract.ts'
import { createOfflineRegistry } from './offline-registry.ts'

companyRegistryContract('nobody', false, () => Promise.resolve(createOfflineRegistry()))
postalCodesContract('nobody', false, () => Promise.resolve(createOfflineRegistry()))

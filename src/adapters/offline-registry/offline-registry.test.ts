// The contract of the company registry where none is configured.
import { companyRegistryContract } from '#ports/company-registry.contract.ts'
import { createOfflineRegistry } from './offline-registry.ts'

companyRegistryContract('nobody', false, () => Promise.resolve(createOfflineRegistry()))

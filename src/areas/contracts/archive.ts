// What of a contract is filed: how it came into force, and how it ended.
import type { Archivable } from '#areas/documents-of-record/archive-document.ts'
import { languageFor } from '#areas/documents-of-record/parties.ts'
import { type ContractFacts, contractFacts, contractPdf } from './document.ts'
import { contractsTable } from './contract.ts'

export const contractDocument: Archivable<ContractFacts> = {
  resource: 'contract',
  // A renewal is created in force.
  events: [
    contractsTable.events.created,
    contractsTable.events.activated,
    contractsTable.events.expired,
    contractsTable.events.cancelled,
    contractsTable.events.renewed,
  ],
  facts: contractFacts,
  make: contractPdf,
  language: (outside, { recipient }) => languageFor(outside, recipient),
  version: ({ contract: { status, activated_at } }) => {
    // A draft may be cancelled too; nobody agreed on it.
    if (activated_at === null) return null
    return status === 'suspended' ? 'active' : status
  },
  asOf: (facts, version) => {
    const { contract } = facts
    if (version !== 'active') return facts
    return {
      ...facts,
      contract: { ...contract, status: 'active', updated_at: contract.activated_at ?? contract.updated_at },
    }
  },
}

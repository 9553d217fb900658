// The versions of a contract that are archived: as it came into force, and as it ended.
import type { Archivable } from '#modules/documents/documents-of-record/archive-document.ts'
import { languageFor } from '#modules/documents/documents-of-record/parties.ts'
import { type ContractFacts, contractFacts, contractPdf } from './document.ts'
import { contractsTable } from './contract.ts'

export const contractDocument: Archivable<ContractFacts> = {
  resource: 'contract',
  // A renewal is created as active.
  events: [
    contractsTable.events.created,
    contractsTable.events.activated,
    contractsTable.events.expired,
    contractsTable.events.cancelled,
    contractsTable.events.renewed,
  ],
  facts: contractFacts,
  make: contractPdf,
  language: (io, { recipient }) => languageFor(io, recipient),
  version: ({ contract: { status, activated_at, reinstated_at } }) => {
    // A draft that is cancelled is not archived, because nobody agreed to it.
    if (activated_at === null) return null
    // Its first end, which is archived, was not its last one.
    if (status === 'expired' && reinstated_at !== null) return null
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

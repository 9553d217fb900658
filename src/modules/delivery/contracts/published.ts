// What customers see of the events of contracts: everything from the moment when a contract is in force.
import { publishedResource } from '#kernel/data/published.ts'
import { Contract, contractsTable } from './contract.ts'

export const publishedContracts = publishedResource(contractsTable, {
  scopes: ['contracts'],
  record: Contract,
  isVisible: ({ status, activated_at }) => status !== 'draft' && (status !== 'cancelled' || activated_at !== null),
  events: {
    created: 'The successor of a renewed contract came into force.',
    activated: 'A contract came into force.',
    updated: 'The external id or the metadata of a contract changed.',
    amended: 'A contract in force was amended.',
    suspended: 'A contract was suspended.',
    resumed: 'A suspended contract is in force again.',
    notice_window: 'The time in which a contract can be given notice has begun.',
    ending: 'A contract is about to end.',
    expired: 'A contract has ended.',
    reinstated: 'A payment put a contract that had ended into force again.',
    renewed: 'A contract was renewed by another one.',
    cancelled: 'A contract was cancelled.',
  },
})

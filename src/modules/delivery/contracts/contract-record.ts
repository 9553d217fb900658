// The contract as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind, rowsOf } from '#kernel/data/record-kind.ts'
import { Contract } from './contract.ts'

export const contractRecord: RecordKind = {
  name: 'contract',
  schema: Contract,
  relations: {
    ...OF_ORGANIZATION,
    entitlement: { kind: 'entitlement', by: 'entitlement_id' },
    predecessor: { kind: 'contract', by: 'predecessor_id' },
    successor: { kind: 'contract', by: 'successor_id' },
  },
  rows: rowsOf('contracts', Contract),
}

// What a document names, for `expand`.
import { OF_ORGANIZATION, type RecordKind } from '#kernel/data/record-kind.ts'
import { Document } from './document.ts'

export const documentRecord: RecordKind = {
  name: 'document',
  schema: Document,
  relations: {
    ...OF_ORGANIZATION,
    entitlement: { kind: 'entitlement', by: 'entitlement_id' },
    contract: { kind: 'contract', by: 'contract_id' },
  },
}

// The quote as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, PERSON, type RecordKind, rowsOf } from '#kernel/data/record-kind.ts'
import { Quote } from './quote.ts'

export const quoteRecord: RecordKind = {
  name: 'quote',
  schema: Quote,
  relations: {
    ...OF_ORGANIZATION,
    order: { kind: 'order', by: 'order_id' },
    entitlements: { kind: 'entitlement', by: 'entitlement_ids' },
    supersedes: { kind: 'quote', by: 'supersedes_id' },
    superseded_by: { kind: 'quote', by: 'superseded_by_id' },
    author: { named: PERSON, by: 'created_by' },
  },
  rows: rowsOf('quotes', Quote),
}

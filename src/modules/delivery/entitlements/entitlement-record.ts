// The entitlement as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind, rowsOf } from '#kernel/data/record-kind.ts'
import { Entitlement } from './entitlement.ts'

export const entitlementRecord: RecordKind = {
  name: 'entitlement',
  schema: Entitlement,
  relations: {
    ...OF_ORGANIZATION,
    quote: { kind: 'quote', by: 'quote_id' },
    order: { kind: 'order', by: 'order_id' },
  },
  rows: rowsOf('entitlements', Entitlement),
}

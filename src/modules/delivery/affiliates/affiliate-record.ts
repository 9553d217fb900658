// What an affiliate account names, for `expand`.
import { OF_ORGANIZATION, type RecordKind } from '#kernel/data/record-kind.ts'
import { Affiliate } from './affiliate.ts'

export const affiliateRecord: RecordKind = {
  name: 'affiliate',
  schema: Affiliate,
  relations: { ...OF_ORGANIZATION, entitlement: { kind: 'entitlement', by: 'entitlement_id' } },
}

// What a license names, for `expand`.
import { OF_ORGANIZATION, type RecordKind } from '#kernel/data/record-kind.ts'
import { License } from './license.ts'

export const licenseRecord: RecordKind = {
  name: 'license',
  schema: License,
  relations: { ...OF_ORGANIZATION, entitlement: { kind: 'entitlement', by: 'entitlement_id' } },
}

// The service as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind, rowsOf } from '#kernel/data/record-kind.ts'
import { Service } from './service.ts'

export const serviceRecord: RecordKind = {
  name: 'service',
  schema: Service,
  relations: { ...OF_ORGANIZATION, entitlement: { kind: 'entitlement', by: 'entitlement_id' } },
  rows: rowsOf('services', Service),
}

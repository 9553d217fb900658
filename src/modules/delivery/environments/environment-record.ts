// The environment as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind, rowsOf } from '#kernel/data/record-kind.ts'
import { Environment } from './environment.ts'

export const environmentRecord: RecordKind = {
  name: 'environment',
  schema: Environment,
  relations: { ...OF_ORGANIZATION, entitlement: { kind: 'entitlement', by: 'entitlement_id' } },
  rows: rowsOf('environments', Environment),
}

// The organization as a record that others name, for `expand`.
import { raw, sql } from '#kernel/values/sql.ts'
import type { RecordKind } from '#kernel/data/record-kind.ts'
import { Organization } from './organization.ts'

const columns = raw(Object.keys(Organization.properties).join(', '))

export const organizationRecord: RecordKind = {
  name: 'organization',
  schema: Organization,
  // Its parent is another organization, whose records are never read from here.
  relations: {},
  rows: ({ of }, ids) => sql`
    select ${columns} from organizations
     where ${of('organization_id')} and id = any(${ids}::bigint[]) and deleted_at is null`,
}

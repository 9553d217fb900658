// An import of staff that has made one record of the organization.
import { randomBytes } from 'node:crypto'
import { type AddRecords, addRow } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization: { id, owner } }) => {
  const at = app.clock.now
  const asked = {
    kind: 'organizations',
    format: 'ndjson',
    source: 'whmcs',
    dry_run: false,
    file_name: 'customers.ndjson',
  }
  const bytes = { size: 5, sha256: '0'.repeat(64), position: 5, line: 1 }
  const ended = { status: 'completed', rows: 1, created: 1, ended_at: at }
  const by = { created_by: owner.userId, created_by_name: 'Ana', created_at: at, updated_at: at }
  const imports = await addRow(app, 'imports', { ...asked, ...bytes, ...ended, ...by })
  const external_id = randomBytes(8).toString('hex')
  await app.database.query(
    `with line as (insert into import_rows (import_id, line, external_id, outcome, record_organization_id, record_id)
                   values ($1, 1, $2, 'created', $3, $3))
     insert into imported_records (source, kind, external_id, organization_id, record_id, digest, import_id, imported_at)
     values ('whmcs', 'organizations', $2, $3, $3, 'x', $1, $4)`,
    [imports, external_id, id, at],
  )
  return { imports }
}

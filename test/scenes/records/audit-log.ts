// An export of the organization's audit log.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization: { owner }, add }) => {
  const at = app.clock.now
  const done = { requested_by: owner.userId, format: 'csv', status: 'expired', ended_at: at, expires_at: at }
  const auditExports = await add('audit_exports', done)
  return { 'sealed-exports': auditExports }
}

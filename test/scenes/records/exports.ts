// An export of the organization's staff.
import { randomBytes } from 'node:crypto'
import { type AddRecords, addRow } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization: { staff } }) => {
  const at = app.clock.now
  const asked = {
    source: 'invoices',
    filters: '{}',
    format: 'csv',
    language: 'en',
    digest: randomBytes(8).toString('hex'),
  }
  const by = { created_by: staff.userId, created_by_name: 'Staff', created_at: at, updated_at: at }
  const exports = await addRow(app, 'exports', { ...asked, ...by, permissions: ['finances:read'] })
  return { exports }
}

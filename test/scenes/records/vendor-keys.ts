// A key of the vendor.
import { vendorKey } from '../vendor-keys.ts'
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app }) => {
  const { id } = await vendorKey(app, { permissions: ['orders:read'] })
  return { 'vendor-keys': id }
}

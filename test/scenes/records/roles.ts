// A named role of the organization.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ add }) => ({
  roles: await add('organization_roles', { name: 'Accounting', scopes: ['finances'] }),
})

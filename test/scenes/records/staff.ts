// A person of staff, and why they entered.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, add }) => {
  const { userId: staff } = await app.world.user({ roles: ['customer', 'support'] })
  const entry = { user_name: 'Staff', reason: 'A ticket', ends_at: '2999-12-31' }
  const entries = await add('staff_entries', { ...entry, user_id: staff })
  return { entries, staff }
}

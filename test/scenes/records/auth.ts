// A passkey of the owner, and one of the staff member whose lists are read.
import { randomBytes } from 'node:crypto'
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization: { owner, staff } }) => {
  const made = (userId: number) =>
    app.database.query<{ id: number }>(
      `insert into passkeys (user_id, name, credential_id, public_key, counter, is_backed_up, created_at)
       values ($1, 'Phone', $2, '', 0, false, $3) returning id`,
      [userId, randomBytes(16).toString('base64url'), app.clock.now],
    )
  await made(staff.userId)
  const [passkey] = await made(owner.userId)
  return { passkeys: passkey?.id ?? 0 }
}

// Exports of the owner, of the staff member whose lists are read and of the organization; a consent and an erasure of each, and one of the
// organization.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization: { id, owner, staff }, add }) => {
  const at = app.clock.now
  const made = async (userId: number) => {
    const [row] = await app.database.query<{ id: number }>(
      `with consent as (
         insert into consents (user_id, purpose, version, is_given, at, source, ip)
         values ($1, 'product_news', '2026-11', true, $2, 'portal', '203.0.113.7')
       ), erasure as (
         insert into erasures (user_id, status, requested_by, requested_at, due_at, ended_at)
         values ($1, 'cancelled', $1, $2, $2, $2)
       )
       insert into person_exports (user_id, requested_by, status, created_at, ended_at, expires_at)
       values ($1, $1, 'expired', $2, $2, $2) returning id`,
      [userId, at],
    )
    return row?.id ?? 0
  }
  await made(staff.userId)
  const exports = await made(owner.userId)
  const done = { requested_by: owner.userId, status: 'expired', ended_at: at, expires_at: at }
  await app.database.query(
    `insert into organization_erasures (organization_id, status, requested_by, requested_at, due_at, ended_at)
     values ($1, 'cancelled', $2, $3, $3, $3)`,
    [id, owner.userId, at],
  )
  const organizationExports = await add('organization_exports', done)
  return { exports, 'organization-exports': organizationExports }
}

// All SQL of staff.
import {
  CUSTOMER,
  PERMISSIONS_OF_U,
  type StaffPermission,
  type StaffRoleName,
  isStaffU,
} from '#kernel/values/staff-roles.ts'
import { page } from '#http/route.ts'
import { raw, sql, when } from '#kernel/values/sql.ts'
import type { StaffFilters, StaffMember } from './staff-member.ts'

const columns = sql`u.id, u.email, u.name, u.status, array_remove(u.roles, ${CUSTOMER}) as roles, u.disabled_at,
  u.last_signed_in_at, u.appointed_at, u.appointed_by,
    (select b.name from users b where b.id = u.appointed_by) as appointed_by_name`

/** As the condition of its index. */
const isStaff = raw(`u.roles <> '{${CUSTOMER}}'::text[]`)
const isAdministrator = isStaffU(['administrator'])

/** A locked account of staff, or one that is to become staff. */
export type StaffAccount = {
  id: number
  email: string
  name: string
  status: 'ACTIVE' | 'PENDING'
  roles: StaffRoleName[]
  is_disabled: boolean
}

export const staffMembers = {
  page: ({ role, ...query }: StaffFilters) =>
    page(query, {
      columns,
      id: 'u.id',
      from: sql`from users u where ${isStaff} ${when(role, (some) => sql`and u.roles && ${some}::text[]`)}`,
    }),
  /** No row for an account that is not of staff. */
  one: (id: number) => sql<StaffMember>`select ${columns} from users u where u.id = ${id} and ${isStaff}`,
  byId: (id: number) => sql<StaffMember>`select ${columns} from users u where u.id = ${id}`,
  idOf: (email: string) => sql<{ id: number }>`select id from users where lower(email) = lower(${email})`,
  /**
   * The account and all administrators, locked in one order: of two who remove the last two, the second waits here and
   * then sees what the first has done.
   */
  locked: (id: number) => sql<StaffAccount>`
    select u.id, u.email, u.name, u.status, array_remove(u.roles, ${CUSTOMER}) as roles,
      u.disabled_at is not null as is_disabled
      from users u where u.id = ${id} or ${isStaff} and ${isAdministrator}
     order by u.id for no key update`,
  lockedAdministrators: () => sql`
    select u.id from users u where ${isStaff} and ${isAdministrator} order by u.id for no key update`,
  setRoles: (id: number, roles: readonly string[], now: Date) => sql`
    update users set roles = ${[CUSTOMER, ...roles]}::text[], updated_at = ${now} where id = ${id} returning id`,
  appoint: (id: number, by: number | null, now: Date) => sql`
    update users set appointed_at = ${now}, appointed_by = ${by}::bigint where id = ${id} returning id`,
  dismiss: (id: number) => sql`update users set appointed_at = null, appointed_by = null where id = ${id} returning id`,
  /** What the person may do now; no row for a disabled account. */
  acting: (id: number) => sql<{ name: string; permissions: StaffPermission[] | null }>`
    select u.name, ${PERMISSIONS_OF_U} as permissions from users u where u.id = ${id} and u.disabled_at is null`,
  /** The same while their roles are kept from changing; waits for a change that has begun. */
  actingLocked: (id: number) => sql<{ permissions: StaffPermission[] | null }>`
    select ${PERMISSIONS_OF_U} as permissions from users u where u.id = ${id} and u.disabled_at is null for share`,
  /** Those who can sign in. */
  administrators: () => sql<{ id: number }>`
    select u.id from users u
     where ${isStaff} and ${isAdministrator} and u.disabled_at is null and u.status = 'ACTIVE' order by u.id`,
}

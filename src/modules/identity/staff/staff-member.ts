// A person of the vendor's staff, and the bodies that appoint, change and remove one.
import { Type, type Static } from 'typebox'
import { STAFF_ROLE_NAMES } from '#kernel/values/staff-roles.ts'
import { AnyOf, Closed, Email, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { UserStatus } from '#modules/identity/auth/user.ts'

const StaffRole = Type.Enum(STAFF_ROLE_NAMES, { examples: ['support'] })
const Roles = Type.Array(StaffRole, {
  minItems: 1,
  uniqueItems: true,
  description: 'What the person may do is what all of them allow together',
  examples: [['support', 'sales']],
})
const Reason = Type.String({
  ...Name,
  maxLength: 500,
  description: 'Kept in the audit log and mailed to the administrators',
  examples: ['Joins the support team'],
})

export const StaffMember = Type.Object(
  {
    id: Id,
    email: Email,
    name: Name,
    status: UserStatus,
    roles: Roles,
    disabled_at: Nullable(Timestamp),
    last_signed_in_at: Nullable({ ...Timestamp, description: 'The last time that a password opened a session' }),
    appointed_at: Nullable({
      ...Timestamp,
      description: 'Null for those who were administrators before this was kept',
    }),
    appointed_by: Nullable(Type.Integer({ description: 'The user; null for a command of the service', examples: [1] })),
    appointed_by_name: Nullable(Name),
  },
  { description: 'A person of the vendor’s staff' },
)
export type StaffMember = Static<typeof StaffMember>

export const StaffFilters = Closed({ ...Paging, role: AnyOf(StaffRole) })
export type StaffFilters = Static<typeof StaffFilters>

export const NewStaffMember = Closed({
  email: Email,
  name: Type.Optional({ ...Name, description: 'For an address without an account; by default its local part' }),
  roles: Roles,
  reason: Reason,
})
export type NewStaffMember = Static<typeof NewStaffMember>

export const StaffRoles = Closed({ roles: Roles, reason: Reason })
export type StaffRoles = Static<typeof StaffRoles>

export const Removal = Closed({ reason: Reason })

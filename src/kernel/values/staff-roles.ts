// The roles of the vendor's staff, as data: which scopes each may read, and which it may also change.
import { SCOPE_NAMES, type Scope } from './permissions.ts'
import { raw } from './sql.ts'

/** What the scopes of staff govern beyond those of the organizations, which mean the same for staff. */
export const VENDOR_SCOPES = {
  catalogue: 'products and prices',
  settings: 'business hours and rules of business, and with `audit` where the vendor’s events are sent',
  jobs: 'failing jobs, received events, test clocks',
  users: 'the accounts of all people',
  staff: 'who is staff, with which roles',
  audit: 'the audit log and the events of all organizations',
} as const
export type StaffScope = Scope | keyof typeof VENDOR_SCOPES
export const STAFF_SCOPE_NAMES: readonly StaffScope[] = [
  ...SCOPE_NAMES,
  ...(Object.keys(VENDOR_SCOPES) as (keyof typeof VENDOR_SCOPES)[]),
]

/** What a request of staff needs: `orders:read` for GET, else `orders:write`. */
export type StaffPermission = `${StaffScope}:${'read' | 'write'}`

type StaffRole = { does: string; reads: readonly StaffScope[]; writes: readonly StaffScope[] }

/** Who writes also reads. A person with several roles has the scopes of all of them. */
export const STAFF_ROLES = {
  support: {
    does: 'answers tickets and helps with licenses',
    reads: ['organization', 'entitlements', 'contracts', 'downloads', 'users'],
    writes: ['tickets', 'licenses', 'documents'],
  },
  sales: {
    does: 'makes quotes and contracts, and looks after organizations',
    reads: ['orders', 'entitlements', 'licenses', 'tickets', 'downloads', 'catalogue', 'users'],
    writes: ['organization', 'quotes', 'contracts', 'documents'],
  },
  finance: {
    does: 'bills, collects, refunds',
    reads: ['organization', 'quotes', 'contracts', 'entitlements', 'catalogue'],
    writes: ['finances', 'orders', 'documents'],
  },
  operations: {
    does: 'delivers: entitlements, environments, releases, and what fails',
    reads: ['organization', 'contracts', 'catalogue', 'users'],
    writes: ['entitlements', 'licenses', 'tickets', 'documents', 'downloads', 'jobs'],
  },
  administrator: { does: 'everything', reads: [], writes: STAFF_SCOPE_NAMES },
  auditor: { does: 'sees everything and changes nothing', reads: STAFF_SCOPE_NAMES, writes: [] },
} as const satisfies Record<string, StaffRole>
export type StaffRoleName = keyof typeof STAFF_ROLES
export const STAFF_ROLE_NAMES = Object.keys(STAFF_ROLES) as StaffRoleName[]

/** What every account has; all other roles are those of staff. */
export const CUSTOMER = 'customer'

/** The roles of whoever is not staff. */
export const ONLY_CUSTOMER = raw(`'{${CUSTOMER}}'::text[]`)

export const isStaffRole = (role: string): role is StaffRoleName => Object.hasOwn(STAFF_ROLES, role)

/** All that the roles allow, in the order of the scopes. Roles that nobody knows allow nothing. */
export function permissionsOf(roles: readonly string[]): StaffPermission[] {
  const held: StaffRole[] = roles.filter(isStaffRole).map((role) => STAFF_ROLES[role])
  return STAFF_SCOPE_NAMES.flatMap((scope): StaffPermission[] => {
    if (held.some(({ writes }) => writes.includes(scope))) return [`${scope}:read`, `${scope}:write`]
    return held.some(({ reads }) => reads.includes(scope)) ? [`${scope}:read`] : []
  })
}

/** The roles that alone have all of them. */
export const rolesWith = (needed: readonly StaffPermission[]): StaffRoleName[] =>
  STAFF_ROLE_NAMES.filter((role) => {
    const held = permissionsOf([role])
    return needed.every((one) => held.includes(one))
  })

/** The scopes that may be read or changed by these permissions. */
export const scopesWith = (way: 'read' | 'write', permissions: readonly string[]): string[] =>
  permissions.filter((one) => one.endsWith(`:${way}`)).map((one) => one.slice(0, -way.length - 1))

export const permissionFor = (scope: StaffScope, writes: boolean): StaffPermission =>
  `${scope}:${writes ? 'write' : 'read'}`

/**
 * The permissions of the account `u`, as text[], some twice where it has several roles; null unless it is one of staff
 * with a proven address. An expression without a subquery: PostgreSQL prepares subqueries also for customers, who never
 * run them.
 */
export const PERMISSIONS_OF_U = raw(`
  case when u.roles <> '{${CUSTOMER}}' and u.status = 'ACTIVE' and u.roles && '{${STAFF_ROLE_NAMES.join(',')}}' then
      ${STAFF_ROLE_NAMES.map(
        (role) => `case when u.roles @> '{${role}}' then '{${permissionsOf([role]).join(',')}}' else '{}'::text[] end`,
      ).join(' || ')} end`)

/**
 * Whether the account `u` has one of the roles, by default any of staff; a disabled or unproven one has none in effect.
 */
export const isStaffU = (roles: readonly StaffRoleName[] = STAFF_ROLE_NAMES) => raw(`u.roles && '{${roles.join(',')}}'`)

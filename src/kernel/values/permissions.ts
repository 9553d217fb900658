// Roles and scopes (spec 5.5, 5.6) as two tables, and the kinds of access that a route may declare.
import type { StaffScope } from './staff-roles.ts'

export const ROLES = {
  owner: { weight: 100, managesMembers: 'all', altersOrganization: true, deletesOrganization: true },
  admin: { weight: 80, managesMembers: 'below', altersOrganization: true, deletesOrganization: false },
  member: { weight: 50, managesMembers: 'none', altersOrganization: false, deletesOrganization: false },
  guest: { weight: 20, managesMembers: 'none', altersOrganization: false, deletesOrganization: false },
  pending: { weight: 0, managesMembers: 'none', altersOrganization: false, deletesOrganization: false },
} as const
export type RoleName = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as RoleName[]

/** By scope: what it governs, the flag of the collaborator, and which other scopes it implies. */
export const SCOPES = {
  organization: { governs: 'organization settings and profile', flag: 'can_manage_org', implies: [] },
  finances: { governs: 'invoices, tax invoices, billing', flag: 'can_manage_finances', implies: [] },
  orders: { governs: 'orders, refunds', flag: 'can_manage_orders', implies: [] },
  licenses: { governs: 'license management', flag: 'can_manage_licenses', implies: ['entitlements'] },
  tickets: { governs: 'support tickets, service requests', flag: 'can_manage_tickets', implies: ['entitlements'] },
  quotes: { governs: 'viewing, accepting, rejecting quotes', flag: 'can_manage_quotes', implies: [] },
  contracts: { governs: 'viewing contracts, PDF download', flag: 'can_manage_contracts', implies: [] },
  documents: { governs: 'organization documents', flag: 'can_manage_documents', implies: [] },
  downloads: { governs: 'product downloads', flag: 'can_manage_downloads', implies: [] },
  entitlements: { governs: 'entitlements, environments, services', flag: 'can_manage_entitlements', implies: [] },
} as const
export type Scope = keyof typeof SCOPES
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[]
export type Flag = (typeof SCOPES)[Scope]['flag']
export const FLAGS = SCOPE_NAMES.map((scope) => SCOPES[scope].flag)

/** Spec 5.6 rule 4: the name under which a host platform imports the scope of a membership. */
export const capabilityOf = (scope: Scope): string => `titular_manage_${scope}`

/** Weight of the role: higher outranks lower (spec 5.5). */
export const weightOf = (role: RoleName): number => ROLES[role].weight

export const scopeOfFlag = (flag: Flag): Scope =>
  SCOPE_NAMES.find((scope) => SCOPES[scope].flag === flag) ?? 'organization'

/** `*` stands for every scope. */
export const holds = (scopes: readonly string[], scope: Scope): boolean =>
  scopes.includes('*') || scopes.includes(scope)

export type Access =
  | { kind: 'open' }
  | { kind: 'signed'; source: string }
  | { kind: 'user' }
  | {
      kind: 'organization'
      scopes: readonly Scope[]
      atLeast: RoleName
      inPath?: true
      /** What staff need instead of the members' scopes; `none`: nothing that staff hold opens it. */
      ofStaff?: readonly StaffScope[] | 'none'
    }
  | { kind: 'staff'; scopes: readonly StaffScope[] }
  | { kind: 'vendor'; scopes: readonly StaffScope[] }

/** Inside the organization of the header. */
export type OrganizationAccess = Extract<Access, { kind: 'organization' | 'staff' }>
/** Bound to no organization. */
type UnboundAccess = Exclude<Access, OrganizationAccess>

/** No credentials. */
export const open: UnboundAccess = { kind: 'open' }
/** The sender signs the body; the area checks the signature. */
export const signed = (source: string): UnboundAccess => ({ kind: 'signed', source })
/** Any signed-in user; no organization. */
export const user: UnboundAccess = { kind: 'user' }
/** A caller with at least the role `member` in the organization, and all the scopes. */
export const org = (...scopes: Scope[]): OrganizationAccess => ({ kind: 'organization', scopes, atLeast: 'member' })
/** The same with another minimum role. Owner is a membership: routes for owners add `staffNeed` or `noStaff`. */
export const orgAtLeast = (atLeast: RoleName, ...scopes: Scope[]): OrganizationAccess => ({
  kind: 'organization',
  scopes,
  atLeast,
})
/** The same where staff need other scopes than members. */
export const staffNeed = (access: OrganizationAccess, ...ofStaff: ScopesOfStaff): OrganizationAccess =>
  access.kind === 'organization' ? { ...access, ofStaff } : access
/** The same where being staff does not suffice, whatever their roles. */
export const noStaff = (access: OrganizationAccess): OrganizationAccess =>
  access.kind === 'organization' ? { ...access, ofStaff: 'none' } : access
/** The same where the path names the organization: the header may be absent. */
export const inPath = (access: OrganizationAccess): OrganizationAccess =>
  access.kind === 'organization' ? { ...access, inPath: true } : access
/** For `/organizations/{id}` and paths below it. When the header is present too, both must agree. */
export const pathNamesOrganization = (path: string): boolean => /^\/organizations\/\{id\}(\/|$)/.test(path)

type ScopesOfStaff = [StaffScope, ...StaffScope[]]
/** Staff with all the scopes, inside the organization of the header. */
export const staff = (...scopes: ScopesOfStaff): OrganizationAccess => ({ kind: 'staff', scopes })
/** Staff with all the scopes; no organization. */
export const vendor = (...scopes: ScopesOfStaff): UnboundAccess => ({ kind: 'vendor', scopes })
/** Staff with any role; no organization. */
export const anyStaff: UnboundAccess = { kind: 'vendor', scopes: [] }

export const isInOrganization = (access: Access): access is OrganizationAccess =>
  access.kind === 'organization' || access.kind === 'staff'

/** Thrown at the start. Owner is a membership: which permission of staff stands for it somebody has to decide. */
export function assertStaffNeeds(access: Access, route: string, changes: boolean): void {
  if (changes && isInOrganization(access) && staffScopesOf(access)?.length === 0)
    throw new Error(`${route} changes something, and does not say which scope staff need for it`)
  if (access.kind === 'organization' && access.atLeast === 'owner' && access.ofStaff === undefined)
    throw new Error(`${route} is for owners, and does not say which scope staff need for it, or that none suffices`)
}

/** What the access asks of members. */
export const needsOf = (access: Access): { scopes: readonly Scope[]; least: number } =>
  access.kind === 'organization'
    ? { scopes: access.scopes, least: weightOf(access.atLeast) }
    : { scopes: [], least: weightOf('pending') }

/** The scopes that staff need; `none` where no scope suffices, null where being staff makes no difference. */
export function staffScopesOf(access: Access): readonly StaffScope[] | 'none' | null {
  if (access.kind === 'organization') return access.ofStaff ?? access.scopes
  return access.kind === 'staff' || access.kind === 'vendor' ? access.scopes : null
}

/** No permission of staff opens it. */
export const isClosedToStaff = (access: Access): boolean => staffScopesOf(access) === 'none'

// Which caller may use which route, derived from the declared access: every role and scope by every route, as text for
// test/sweeps/access-matrix.txt, and as the verdicts that access.test.ts verifies over HTTP.
import {
  isInOrganization,
  ROLES,
  type RoleName,
  SCOPE_NAMES,
  type Scope,
  staffScopesOf,
} from '#kernel/values/permissions.ts'
import {
  permissionFor,
  permissionsOf,
  STAFF_ROLE_NAMES,
  STAFF_ROLES,
  type StaffPermission,
  type StaffRoleName,
} from '#kernel/values/staff-roles.ts'
import type { Route } from '#http/route.ts'
import { needsPerson } from '#http/features/step-up.ts'

/** The access as docs/interface/general.md writes it. */
export function accessText({ access, features: { cookieAlone } }: Pick<Route, 'access' | 'features'>): string {
  if (cookieAlone) return 'cookie'
  if (access.kind === 'staff' || access.kind === 'vendor')
    return access.scopes.length === 0 ? 'any staff' : `${access.kind}: ${access.scopes.join(', ')}`
  if (access.kind !== 'organization') return access.kind
  const { ofStaff } = access
  return ofStaff ? `${membersText(access)}; staff: ${inWords([ofStaff].flat())}` : membersText(access)
}

/** All scopes of members in two words. */
const inWords = (names: readonly string[]): string => names.join(', ').replace(SCOPE_NAMES.join(', '), 'every scope')

function membersText({ scopes, atLeast }: { scopes: readonly Scope[]; atLeast: RoleName }): string {
  const higher = atLeast === 'owner' ? 'owner' : `${atLeast} or higher`
  if (scopes.length === 0) return atLeast === 'member' ? 'member (no scope)' : `${higher} (no scope)`
  const all = scopes.length === SCOPE_NAMES.length
  const named = `${all ? '' : scopes.length > 1 ? 'scopes ' : 'scope '}${inWords(scopes)}`
  return atLeast === 'member' ? named : `${named}, ${higher}`
}

/** A caller, as the access check sees it. */
export type Who = {
  kind: 'nobody' | 'user' | 'api_key' | 'vendor_key'
  staff?: readonly StaffRoleName[]
  /** Null for a member of no organization. */
  role?: RoleName | null
  scopes?: readonly Scope[]
  /** The membership with this role and these scopes is in another organization than the header's. */
  isElsewhere?: boolean
  permission?: 'read' | 'write' | 'read_write'
  /** Of a key of the vendor. */
  permissions?: readonly StaffPermission[]
}

export type Verdict = { status: 401 | 403 | 404 | 'in'; message?: string }

const IN: Verdict = { status: 'in' }

/** The expected answer for the caller, with a right header and a wrong input. */
export function verdictFor(route: Route, who: Who): Verdict {
  const {
    access,
    method,
    features: { cookieAlone },
  } = route
  if (access.kind === 'open') return IN
  if (access.kind === 'signed' || who.kind === 'nobody') return { status: 401 }
  // The route takes only the session cookie, which no caller here has.
  if (cookieAlone) return { status: 401 }
  if (who.kind === 'vendor_key') return verdictForVendorKey(route, who)
  if (access.kind === 'user') return who.kind === 'api_key' ? { status: 401 } : IN
  if (access.kind === 'vendor' && who.kind === 'api_key') return { status: 401 }
  if (who.staff) return verdictForStaff({ access, method }, permissionsOf(who.staff))
  if (!isInOrganization(access)) return { status: 403 }
  const wanted = method === 'GET' ? 'read' : 'write'
  if (who.permission && who.permission !== wanted && who.permission !== 'read_write') return { status: 403 }
  if (access.kind === 'staff') return { status: 403 }
  if (who.role === undefined || who.role === null || who.role === 'pending') return { status: 403 }
  if (ROLES[who.role].weight < ROLES[access.atLeast].weight) return { status: 403 }
  const held = heldBy(who.role, who.scopes ?? [])
  const missing = access.scopes.find((scope) => !held.includes(scope))
  if (missing) return { status: 403, message: `Scope not authorized: ${missing}` }
  return who.isElsewhere ? { status: 403, message: 'Not a collaborator of this organization' } : IN
}

/** As staff with its permissions, except for what needs a person; `isElsewhere`: it is for other organizations. */
function verdictForVendorKey(route: Route, { permissions = [], isElsewhere = false }: Who): Verdict {
  if (route.access.kind === 'user') return { status: 401 }
  const verdict = verdictForStaff(route, permissions)
  if (verdict.status !== 'in') return verdict
  if (needsPerson(route)) return { status: 403, message: PERSON_NEEDED }
  if (!isElsewhere) return IN
  if (isInOrganization(route.access) || route.path.startsWith('/admin/organizations/{id}/')) return { status: 404 }
  return route.features.limitsOrganizations ? IN : { status: 403, message: SOME_ONLY }
}

const PERSON_NEEDED = 'Only a person may do this, with a session of their own; no API key may'
const SOME_ONLY =
  'The API key is for some organizations only, and this concerns all or none: send X-Service-Organization'

const NOT_FOR_STAFF = 'Only the owner of the organization may do this; no permission of staff stands for it'

/** The permissions that staff need, or that none suffice. */
export function neededOfStaff({ access, method }: Pick<Route, 'access' | 'method'>): StaffPermission[] | 'none' {
  const scopes = staffScopesOf(access) ?? []
  return scopes === 'none' ? scopes : scopes.map((scope) => permissionFor(scope, method !== 'GET'))
}

/** In the words of the refusal. */
function verdictForStaff(
  { access, method }: Pick<Route, 'access' | 'method'>,
  held: readonly StaffPermission[],
): Verdict {
  const needed = neededOfStaff({ access, method })
  if (needed === 'none') return { status: 403, message: NOT_FOR_STAFF }
  const missing = needed.find((one) => !held.includes(one))
  return missing ? { status: 403, message: `Scope not authorized: ${missing}` } : IN
}

/** The effective scopes: owners have all, licenses and tickets imply entitlements. */
export function heldBy(role: RoleName, scopes: readonly Scope[]): readonly Scope[] {
  if (role === 'owner') return SCOPE_NAMES
  const brings = scopes.includes('tickets') || scopes.includes('licenses')
  return brings && !scopes.includes('entitlements') ? [...scopes, 'entitlements'] : scopes
}

const COLUMNS: readonly [string, Who][] = [
  ['nobody', { kind: 'nobody' }],
  ['user', { kind: 'user', role: null }],
  ['pending', { kind: 'user', role: 'pending', scopes: SCOPE_NAMES }],
  ['guest', { kind: 'user', role: 'guest', scopes: SCOPE_NAMES }],
  ['member', { kind: 'user', role: 'member' }],
  ['admin', { kind: 'user', role: 'admin' }],
  ['owner', { kind: 'user', role: 'owner' }],
  ...STAFF_ROLE_NAMES.map((role): [string, Who] => [role, { kind: 'user', staff: [role] }]),
  ['api key', { kind: 'api_key', role: 'member' }],
  ['vendor key', { kind: 'vendor_key', permissions: permissionsOf(['administrator']) }],
]

/** The whole matrix as text. */
export function accessMatrix(routes: readonly Route[]): string {
  const rows = routes.map((route) => [
    route.method,
    route.path,
    accessText(route),
    ...COLUMNS.map(([, who]) => cell(route, who)),
  ])
  const table = align([['method', 'path', 'access', ...COLUMNS.map(([name]) => name)], ...rows])
  return [
    'Who may what. Written by `npm run golden` from the routes; test/sweeps/access.test.ts verifies it over HTTP.',
    'yes: may. A scope: may when holding it. signed: a valid signature instead of credentials.',
    'cookie: the session cookie, and nothing else. 401, 403: refused.',
    'An API key acts as a member with its scopes, for reading (GET), writing (the rest) or both.',
    'A key of the vendor acts as staff with its permissions: here with all of them, for all organizations.',
    'From support on, the columns are the roles of the vendor’s staff:',
    ...STAFF_ROLE_NAMES.map((role) => `  ${role}: ${STAFF_ROLES[role].does}`),
    '',
    ...table,
    '',
    'What each scope alone opens to a member, beyond what a member without scopes may do:',
    ...SCOPE_NAMES.flatMap((scope) => ['', scope, ...opened(routes, scope)]),
    '',
  ].join('\n')
}

function cell(route: Route, who: Who): string {
  if (route.access.kind === 'signed') return 'signed'
  if (route.features.cookieAlone) return 'cookie'
  const { status } = verdictFor(route, who)
  if (status === 'in') return 'yes'
  const scopes = route.access.kind === 'organization' ? route.access.scopes : []
  const withThem = verdictFor(route, { ...who, scopes })
  return withThem.status === 'in' ? scopes.join(' + ') : String(status)
}

const may = (route: Route, scopes: Scope[]): boolean =>
  verdictFor(route, { kind: 'user', role: 'member', scopes }).status === 'in'

function opened(routes: readonly Route[], scope: Scope): string[] {
  const lines = routes.filter((route) => may(route, [scope]) && !may(route, []))
  return lines.length > 0 ? lines.map(({ method, path }) => `  ${method} ${path}`) : ['  nothing']
}

function align(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

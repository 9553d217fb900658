// What an export contains is never more than what whoever asked may read: derived from the routes, the tables of each kind of
// file and the roles of staff.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportSources } from '#modules/operations/exports/export-source.ts'
import { exportedTables } from '#modules/operations/privacy/organization-records.ts'
import { permissionsFor } from '#kernel/values/staff-needs.ts'
import { holds, isClosedToStaff, ROLES, SCOPE_NAMES, type Scope } from '#kernel/values/permissions.ts'
import { permissionFor, permissionsOf, STAFF_ROLE_NAMES, type StaffScope } from '#kernel/values/staff-roles.ts'
import type { Route } from '#http/route.ts'
import { declarations, routes } from '../../src/modules.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'

const { published } = declarations
const scopesIn = (tables: readonly string[]): StaffScope[] => [
  ...new Set(published.filter(({ table }) => tables.includes(table.name)).flatMap(({ scopes }) => scopes)),
]
const ofOrganization = exportedTables(declarations).map(({ name }) => name)
const ofPerson = Object.entries(declarations.erasure.people).flatMap(([key, one]) =>
  one.exports === 'row' ? [key.split('.')[0] ?? ''] : [],
)

/** Which scopes the file of a route has records of, by the beginning of its path; null: each source says so itself. */
const CONTENTS: Record<string, readonly StaffScope[] | null> = {
  '/privacy/organization-exports': [...scopesIn(ofOrganization), 'audit'],
  '/admin/privacy/users/{id}/exports': ['users', 'audit', ...scopesIn(ofPerson)],
  '/admin/privacy/exports/{id}/link': ['users', 'audit', ...scopesIn(ofPerson)],
  '/audit-log/sealed-exports': ['audit'],
  '/admin/exports': null,
}
/** The caller's own data, a list of who asked when, and links that one of the others has given. */
const OTHERS = /^GET \/admin\/privacy\/exports$|^\w+ \/privacy\/exports|^GET \/.*\/links\/\{link\}$/

const exporting = routes.filter(({ path }) => /exports?(\/|$)/.test(path))
const kindOf = ({ path }: Route) =>
  Object.keys(CONTENTS).find((start) => path === start || path.startsWith(`${start}/`))
const named = ({ method, path }: Route) => `${method} ${path}`

/** The roles of staff that the route admits. */
const rolesAt = (route: Route) =>
  STAFF_ROLE_NAMES.filter((role) => {
    const needed = permissionsFor({ access: route.access, writes: route.method !== 'GET' })
    return !isClosedToStaff(route.access) && needed.every((one) => permissionsOf([role]).includes(one))
  })
const cannotRead = (role: (typeof STAFF_ROLE_NAMES)[number], scopes: readonly StaffScope[]) =>
  scopes.filter((scope) => !permissionsOf([role]).includes(permissionFor(scope, false)))

describe('every route of exports', () => {
  it('is of a kind whose contents are known', () => {
    expect(exporting.length).toBeGreaterThan(15)
    expect(exporting.filter((one) => kindOf(one) === undefined && !OTHERS.test(named(one))).map(named)).toEqual([])
  })
  it('admits of staff only roles that may read all of the file', () => {
    const wrong = exporting.flatMap((route) => {
      const contents = CONTENTS[kindOf(route) ?? '']
      if (!contents || OTHERS.test(named(route))) return []
      return rolesAt(route).flatMap((role) =>
        cannotRead(role, contents).map((scope) => `${named(route)}: ${role} ${scope}`),
      )
    })
    expect(wrong).toEqual([])
  })
  it('admits of members only those who have every scope', () => {
    const inOrganizations = exporting.filter(({ access }) => access.kind === 'organization')
    const weights = inOrganizations.map(({ access }) => (access.kind === 'organization' ? access.atLeast : ''))
    expect(new Set(weights)).toEqual(new Set(['owner']))
    expect(Math.max(...Object.values(ROLES).map(({ weight }) => weight))).toBe(ROLES.owner.weight)
  })
  it('has records of all that members may have a scope for', () => {
    const scopes = scopesIn(ofOrganization).filter((scope): scope is Scope => holds(SCOPE_NAMES, scope as Scope))
    expect(SCOPE_NAMES.filter((scope) => !scopes.includes(scope))).toEqual(['downloads'])
  })
})

describe('every source of POST /admin/exports', () => {
  const sources = exportSources(routes)
  it('is for those who may read the list of the same name', () => {
    const lists = new Map(routes.map((route) => [named(route), route]))
    for (const { name, permissions } of sources) {
      if (name === 'audit-log/sealed') continue
      const list = lists.get(`GET /admin/${name}`)
      expect(list, name).toBeDefined()
      const needed = list ? permissionsFor({ access: list.access, writes: false }) : []
      expect(permissions({}).length, name).toBeGreaterThan(0)
      expect(permissions({}), name).toEqual(expect.arrayContaining(needed))
    }
  })
})

describe('over HTTP', () => {
  let app: TestApp
  let acme: Organization
  beforeAll(async () => {
    app = await startApp()
    acme = await app.world.organization()
  })
  afterAll(() => app.close())

  it.each(STAFF_ROLE_NAMES)('%s gets the export of an organization only with all of its scopes', async (role) => {
    const who = await acme.staffAs(role)
    const mayRead = cannotRead(role, CONTENTS['/privacy/organization-exports'] ?? []).length === 0
    expect((await who.get('/privacy/organization-exports')).status).toBe(mayRead ? 200 : 403)
    expect((await who.post('/privacy/organization-exports')).status).toBe(role === 'administrator' ? 202 : 403)
  })
})

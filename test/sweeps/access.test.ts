// The access to every route, derived from the route list: which callers are admitted, and how others are refused.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { some } from '#test/harness/seeds.ts'
import { routes } from '../../src/modules.ts'
import { permissionsOf, type StaffPermission, STAFF_ROLE_NAMES } from '#kernel/values/staff-roles.ts'
import {
  assertStaffNeeds,
  FLAGS,
  orgAtLeast,
  SCOPE_NAMES,
  type Scope,
  staffScopesOf,
} from '#kernel/values/permissions.ts'
import type { Route } from '#http/route.ts'
import { accessMatrix, neededOfStaff, type Verdict, verdictFor, type Who } from './access-matrix.ts'
import { appOfFile } from '#test/harness/app.ts'
import { apiKey } from '#test/scenes/records.ts'
import { askWrongly, guarded, isInOrganization, isOpen, key, pathOf, scopesOf, send } from './sweep.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'
import type { Speaker } from '#test/harness/world.ts'

/** The only routes without credentials. A new one must be added here deliberately. */
const OPEN = [
  'GET /auth/sso',
  'GET /brand',
  'GET /brand/logo',
  'GET /files/{token}',
  'GET /privacy/purposes',
  'GET /public/contacts/{token}',
  'GET /public/invoices/{token}',
  'GET /public/invoices/{token}/pdf',
  'GET /public/notices/{token}',
  'GET /public/quotes/{token}',
  'GET /public/quotes/{token}/pdf',
  'POST /auth/check-user',
  'POST /auth/device',
  'POST /auth/device/token',
  'POST /auth/end-sessions',
  'POST /auth/forgot-password',
  'POST /auth/login',
  'POST /auth/login/passkey',
  'POST /auth/login/passkey/options',
  'POST /auth/login/second-factor',
  'POST /auth/login/sso',
  'POST /auth/login/sso/begin',
  'POST /auth/refresh',
  'POST /auth/register',
  'POST /auth/register-email',
  'POST /auth/resend-verification',
  'POST /auth/reset-password',
  'POST /auth/session',
  'POST /auth/session/passkey',
  'POST /auth/session/second-factor',
  'POST /auth/session/sso',
  'POST /auth/sso',
  'POST /auth/validate-reset-token',
  'POST /auth/undo-email-change',
  'POST /auth/verify-account',
  'POST /downloads/latest',
  'POST /invites/check',
  'POST /licenses/validate',
  'POST /webhooks/commerce/{company}',
  'POST /public/quotes/{token}/accept',
  'POST /public/quotes/{token}/preview',
  'POST /public/quotes/{token}/reject',
  'POST /public/contacts/{token}/confirm',
  'PUT /public/notices/{token}',
  'POST /sites/report',
  'POST /webhooks/crm/{company}',
  'POST /webhooks/payment/{company}',
  'POST /webhooks/provisioning',
  'POST /webhooks/issue-tracker',
  'POST /webhooks/mail',
]

const ALL_OF_AN_ORGANIZATION = ['audit', ...SCOPE_NAMES].join(', ')
/** The routes for owners, with what opens them to staff. A new one must be added here deliberately. */
const OF_OWNERS: Record<string, string> = {
  'DELETE /organizations/{id}': 'organization, users',
  'DELETE /sso/connections/{id}': 'none',
  'GET /audit-log/sealed-exports': 'audit',
  'GET /audit-log/sealed-exports/{id}': 'audit',
  'GET /privacy/organization-exports': ALL_OF_AN_ORGANIZATION,
  'GET /privacy/organization-exports/{id}': ALL_OF_AN_ORGANIZATION,
  'PATCH /sso/connections/{id}': 'none',
  'POST /audit-log/sealed-exports': 'audit',
  'POST /organizations/{id}/transfer-ownership': 'none',
  'POST /privacy/organization-exports': ALL_OF_AN_ORGANIZATION,
  'POST /privacy/organization-exports/{id}/link': ALL_OF_AN_ORGANIZATION,
  'POST /sso/connections': 'none',
}
const isOfOwners = ({ access }: Route): boolean => access.kind === 'organization' && access.atLeast === 'owner'
const keysOf = (table: Record<string, string>, value: string): string[] =>
  Object.keys(table).filter((one) => table[one] === value)

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()

describe('routes', () => {
  it('are open only where the list says so', () => {
    expect(routes.filter(isOpen).map(key).toSorted()).toEqual(OPEN.toSorted())
  })
  it('give the matrix of test/sweeps/access-matrix.txt (npm run golden writes it)', async () => {
    const golden = await readFile(join(import.meta.dirname, 'access-matrix.txt'), 'utf8')
    expect(accessMatrix(routes)).toBe(golden)
  })
  it('for owners say what opens them to staff', () => {
    const said = routes.filter(isOfOwners).map((route) => [key(route), [staffScopesOf(route.access)].flat().join(', ')])
    expect(Object.fromEntries(said)).toEqual(OF_OWNERS)
    expect(() => assertStaffNeeds(orgAtLeast('owner', 'organization'), 'GET /x', false)).toThrow('does not say which')
  })
  it('name each scope once, and each path and method once', () => {
    expect(new Set(routes.map(key)).size).toBe(routes.length)
    for (const { access } of routes)
      if (access.kind === 'organization') expect(new Set(access.scopes).size).toBe(access.scopes.length)
  })
})

/** One line per unexpected answer, so that one run shows them all. */
async function expectVerdicts(
  speaker: Speaker,
  judge: (route: Route) => Verdict,
  over: readonly Route[] = guarded,
): Promise<void> {
  const surprises: string[] = []
  for (const route of over) {
    const { status, message } = judge(route)
    const answer = await askWrongly(speaker, route)
    const wanted = status === 'in' ? 422 : status
    if (answer.status !== wanted) surprises.push(`${key(route)}: ${answer.status} (${answer.message}), not ${wanted}`)
    else if (message !== undefined && answer.message?.split('. ')[0] !== message)
      surprises.push(`${key(route)}: "${answer.message}", not "${message}"`)
  }
  expect(surprises, surprises.join('\n')).toEqual([])
}

const asWho = (who: Who) => (route: Route) => verdictFor(route, who)

describe('without credentials', () => {
  it('401 on all but the open routes, with and without the header', async () => {
    await expectVerdicts(app.world.anonymous, () => ({ status: 401 }))
    await expectVerdicts(app.world.inside(app.world.anonymous, acme.id), () => ({ status: 401 }))
  })
  it('open routes check the input, signed ones the signature', async () => {
    await expectVerdicts(
      app.world.anonymous,
      asWho({ kind: 'nobody' }),
      routes.filter(({ access }) => access.kind === 'open'),
    )
    for (const route of routes.filter(({ access }) => access.kind === 'signed'))
      expect((await send(app.world.anonymous, route, pathOf(route), { id: 'evt_1' }, {})).status, key(route)).toBe(401)
  })
  it('401 with credentials that are forged or of no known kind', async () => {
    for (const authorization of some(
      [`Bearer ${acme.owner.token}x`, 'Basic !!', 'Bearer x.y.z', 'Bearer ', 'Digest a'],
      2,
    ))
      await expectVerdicts(app.world.speaker({ ...acme.owner.headers, authorization }, acme.owner), () => ({
        status: 401,
      }))
  })
})

describe('inside an organization', () => {
  it('403 for a user who belongs to none', async () => {
    const user = app.world.inside(await app.world.user(), acme.id)
    await expectVerdicts(user, asWho({ kind: 'user', role: null }))
  })
  it.each(['pending', 'guest'] as const)('a %s, whatever the flags', async (role) => {
    const speaker = await acme.member({ role, scopes: [...SCOPE_NAMES] })
    await expectVerdicts(speaker, asWho({ kind: 'user', role, scopes: SCOPE_NAMES }))
  })
  it.each(['member', 'admin'] as const)('a %s without scopes learns which one is missing', async (role) => {
    await expectVerdicts(await acme.member({ role }), asWho({ kind: 'user', role }))
  })
  it.each(some(['member', 'admin'] as const, 1).flatMap((role) => SCOPE_NAMES.map((scope) => [role, scope] as const)))(
    'a %s with the scope %s alone',
    async (role, scope) => {
      const speaker = await acme.member({ role, scopes: [scope] })
      await expectVerdicts(speaker, asWho({ kind: 'user', role, scopes: [scope] }))
    },
  )
  it('a member and an admin are admitted with exactly the scopes of the route', async () => {
    const sets = new Map(guarded.filter(isInOrganization).map((route) => [scopesOf(route).join(), scopesOf(route)]))
    for (const scopes of sets.values())
      for (const role of ['member', 'admin'] as const) {
        const speaker = await acme.member({ role, scopes: [...scopes] })
        const over = guarded.filter((route) => isInOrganization(route) && scopesOf(route).join() === scopes.join())
        await expectVerdicts(speaker, asWho({ kind: 'user', role, scopes }), over)
      }
  })
  it('403 when the two scopes of a route are held in two organizations', async () => {
    for (const route of guarded.filter((one) => scopesOf(one).length > 1 && !isOfOwners(one))) {
      const [first, ...rest] = scopesOf(route)
      const person = await acme.member({ scopes: first ? [first] : [] })
      await app.database.query(
        `insert into collaborators (organization_id, user_id, email, role, ${FLAGS.join(', ')})
         values ($1, $2, $3, 'admin', ${FLAGS.map(() => 'true').join(', ')})`,
        [other.id, person.userId, person.email],
      )
      const answer = await askWrongly(person, route)
      expect(answer.message, key(route)).toBe(`Scope not authorized: ${rest[0]}`)
    }
  })
  it('the owner is admitted everywhere but to staff routes', async () => {
    await expectVerdicts(acme.owner, asWho({ kind: 'user', role: 'owner' }))
  })
  it('an administrator of the vendor is admitted everywhere but to what only the owner’s membership opens', async () => {
    const refused = guarded.filter(
      (route) => verdictFor(route, { kind: 'user', staff: ['administrator'] }).status === 403,
    )
    expect(refused.map(key).toSorted()).toEqual(keysOf(OF_OWNERS, 'none'))
    await expectVerdicts(acme.staff, asWho({ kind: 'user', staff: ['administrator'] }))
  })
  it.each(STAFF_ROLE_NAMES)(
    '%s of the vendor may what the role says, and learns which scope is missing',
    async (role) => {
      await expectVerdicts(await acme.staffAs(role), asWho({ kind: 'user', staff: [role] }))
    },
  )
  it('no membership of a person of staff opens a route for owners: they act as staff, also where they own', async () => {
    const over = guarded.filter(isOfOwners)
    for (const role of ['admin', 'owner'] as const) {
      const own = await app.world.organization()
      const who = role === 'owner' ? own.owner : await own.member({ role, scopes: [...SCOPE_NAMES] })
      await expectVerdicts(who, asWho({ kind: 'user', role }), role === 'owner' ? over : [])
      await app.database.query(`update users set roles = '{customer,sales,support,finance,operations}' where id = $1`, [
        who.userId,
      ])
      const staff = ['sales', 'support', 'finance', 'operations'] as const
      await expectVerdicts(who, asWho({ kind: 'user', staff }), over)
    }
  })
  it('staff with two roles may what both allow together', async () => {
    await expectVerdicts(
      await acme.staffAs('support', 'finance'),
      asWho({ kind: 'user', staff: ['support', 'finance'] }),
    )
  })
  it('the auditor changes nothing', () => {
    const may = guarded.filter((route) => verdictFor(route, { kind: 'user', staff: ['auditor'] }).status === 'in')
    const changing = may.filter(({ method, access }) => method !== 'GET' && access.kind !== 'user')
    // Each operation of a bulk has an access check of its own.
    // An export needs what its source needs, and an item of the queue what changes of its kind need.
    // A setting needs what it says itself, an import what its kind needs.
    expect(changing.map(key).toSorted()).toEqual([
      'PATCH /admin/settings/{company}',
      'POST /admin/entries/{id}/end',
      'POST /admin/exports',
      'POST /admin/imports',
      'POST /admin/imports/{id}/cancel',
      'POST /admin/organizations/{id}/entries',
      'POST /admin/queue/{kind}/{id}/assign',
      'POST /admin/queue/{kind}/{id}/snooze',
      'POST /bulk',
    ])
  })
  it('403 for a membership that has ended or not begun', async () => {
    const late = await acme.member({
      role: 'admin',
      scopes: [...SCOPE_NAMES],
      expiredAt: new Date(app.clock.now.getTime() - 1000),
    })
    await expectVerdicts(late, asWho({ kind: 'user', role: null }))
    const early = await acme.member({ role: 'admin', scopes: [...SCOPE_NAMES] })
    await app.database.query(`update collaborators set started_at = $1 where user_id = $2`, [
      new Date(app.clock.now.getTime() + 61_000),
      early.userId,
    ])
    await expectVerdicts(early, asWho({ kind: 'user', role: null }))
  })
  it('403 for a member of other organizations: first for the scopes held there, then for not being a member', async () => {
    const nonMember = app.world.inside(await other.member({ scopes: ['quotes'] }), acme.id)
    await expectVerdicts(nonMember, asWho({ kind: 'user', role: 'member', scopes: ['quotes'], isElsewhere: true }))
    await expectVerdicts(
      app.world.inside(other.owner, acme.id),
      asWho({ kind: 'user', role: 'owner', isElsewhere: true }),
    )
  })
  it.each(some(['read', 'write', 'read_write'] as const, 1))('an API key made to %s', async (permission) => {
    const scopes: Scope[] = ['quotes', 'organization']
    const headers = await apiKey(app, acme, { permission, scopes })
    const speaker = app.world.speaker({ ...headers, 'x-service-organization': String(acme.id) }, acme.owner)
    await expectVerdicts(speaker, asWho({ kind: 'api_key', role: 'member', scopes, permission }))
  })
})

const neededBy = (route: Route): StaffPermission[] => {
  const needed = neededOfStaff(route)
  return needed === 'none' ? [] : needed
}
const asKey = (permissions: readonly StaffPermission[], isElsewhere = false) =>
  asWho({ kind: 'vendor_key', permissions, isElsewhere })
const keyWith = async (permissions: readonly StaffPermission[], organizations: readonly number[] | null = null) =>
  app.world.inside(await vendorKey(app, { permissions, organizations }), acme.id)

describe('an API key of the vendor', () => {
  const every = permissionsOf(['administrator'])
  const ofStaff = guarded.filter((route) => neededBy(route).length > 0)
  const groups = Map.groupBy(ofStaff, (route) => neededBy(route).join())

  it('with all permissions is admitted everywhere but to what needs a person', async () => {
    await expectVerdicts(await keyWith(every), asKey(every))
    const refused = guarded.filter((route) => asKey(every)(route).status === 403).map(key)
    expect(refused.toSorted()).toEqual(OF_PERSONS)
  })
  it('with exactly the permissions of a route is admitted, and without one of them learns which', async () => {
    for (const over of groups.values()) {
      const needed = over[0] ? neededBy(over[0]) : []
      await expectVerdicts(await keyWith(needed), asKey(needed), over)
      for (const one of needed) {
        const others = every.filter((permission) => permission !== one)
        await expectVerdicts(await keyWith(others), asKey(others), over)
      }
    }
  })
  it('that only reads changes nothing', async () => {
    const reading = every.filter((one) => one.endsWith(':read'))
    const changing = ofStaff.filter(({ method }) => method !== 'GET')
    expect(changing.filter((route) => asKey(reading)(route).status !== 403)).toEqual([])
    await expectVerdicts(await keyWith(reading), asKey(reading))
  })
  it('404 in other organizations than its own, and 403 on what concerns all of them', async () => {
    await expectVerdicts(await keyWith(every, [other.id]), asKey(every, true))
  })
  it('for the organization is admitted in it', async () => {
    const inside = ofStaff.filter(isInOrganization)
    await expectVerdicts(await keyWith(every, [other.id, acme.id]), asKey(every), inside)
  })
})

/** What no key of the vendor may do, whatever its permissions. A new one must be added here deliberately. */
const OF_PERSONS = [
  'DELETE /admin/api-keys/{id}',
  'DELETE /admin/settings/{company}/logo',
  'DELETE /admin/staff/{id}',
  'DELETE /organizations/{id}',
  'DELETE /sso/connections/{id}',
  'GET /admin/exports',
  'GET /admin/exports/{id}',
  'PATCH /admin/api-keys/{id}',
  'PATCH /admin/settings/{company}',
  'PATCH /auth/api-keys/{id}',
  'PATCH /sso/connections/{id}',
  'POST /admin/api-keys',
  'POST /admin/api-keys/{id}/rotate',
  'POST /admin/entries/{id}/end',
  'POST /admin/exports',
  'POST /admin/imports',
  'POST /admin/imports/{id}/invite',
  'POST /admin/organizations/{id}/entries',
  'POST /admin/privacy/exports/{id}/link',
  'POST /admin/privacy/organizations/{id}/erasure',
  'POST /admin/privacy/users/{id}/erasure',
  'POST /admin/privacy/users/{id}/exports',
  'POST /admin/staff',
  'POST /admin/users/{id}/reset-second-factors',
  'POST /auth/api-keys',
  'POST /auth/api-keys/{id}/rotate',
  'POST /organizations/{id}/transfer-ownership',
  'POST /privacy/organization-exports',
  'POST /privacy/organization-exports/{id}/link',
  'POST /sso/connections',
  'PUT /admin/settings/{company}/logo',
  'PUT /admin/staff/{id}',
  'PUT /me/notice-preferences',
]

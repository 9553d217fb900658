// The walls before every route, derived from the route list: who is let in, who is refused with what, and that no input
// is looked at before the door has answered.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/areas.ts'
import { SCOPE_NAMES, type Scope } from '../src/kernel/permissions.ts'
import type { Route } from '../src/kernel/route.ts'
import { accessMatrix, type Verdict, verdictFor, type Who } from './access-matrix.ts'
import { startApp, type TestApp } from './app.ts'
import { apiKey } from './records.ts'
import type { Answer, Headers, Organization, Speaker } from './world.ts'

/** The only routes without credentials. A new one is a decision: it is written down here. */
const OPEN = [
  'GET /auth/session',
  'POST /auth/check-user',
  'POST /auth/forgot-password',
  'POST /auth/login',
  'POST /auth/refresh',
  'POST /auth/register',
  'POST /auth/register-email',
  'POST /auth/resend-verification',
  'POST /auth/reset-password',
  'POST /auth/session',
  'POST /auth/validate-reset-token',
  'POST /auth/verify-account',
  'POST /invites/check',
  'POST /webhooks/payment/{company}',
]

const key = ({ method, path }: Route) => `${method} ${path}`
const isOpen = ({ access }: Route) => access.kind === 'open' || access.kind === 'signed'
const isInOrganization = ({ access }: Route) => access.kind === 'organization' || access.kind === 'staff'
const guarded = routes.filter((route) => !isOpen(route))

let app: TestApp
let acme: Organization
let other: Organization
beforeAll(async () => {
  app = await startApp({
    environment: { LIMIT_CREDENTIALS: '100000/60', LIMIT_PUBLIC: '100000/60', LIMIT_REQUESTS: '1000000/60' },
  })
  acme = await app.world.organization()
  other = await app.world.organization()
})
afterAll(() => app.close())

describe('routes', () => {
  it('are open only where the list says so', () => {
    expect(routes.filter(isOpen).map(key).toSorted()).toEqual(OPEN.toSorted())
  })
  it('give the matrix of test/access-matrix.txt (npm run golden writes it)', async () => {
    const golden = await readFile(join(import.meta.dirname, 'access-matrix.txt'), 'utf8')
    expect(accessMatrix(routes)).toBe(golden)
  })
  it('name each scope once, and each path and method once', () => {
    expect(new Set(routes.map(key)).size).toBe(routes.length)
    for (const { access } of routes)
      if (access.kind === 'organization') expect(new Set(access.scopes).size).toBe(access.scopes.length)
  })
})

/** Ids that exist nowhere; nothing is changed, whoever gets in. */
const pathOf = (route: Route): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'company' ? 'entity_br' : name === 'code' ? 'PLG-1999010001' : '999999999',
  )

/** A valid question: an id or nothing, no query, an empty body; the unknown parameter is what gets 422 behind the door. */
function askWrongly(speaker: Speaker, route: Route, headers: Headers = {}): Promise<Answer> {
  const path = `${pathOf(route)}?no_such_parameter=1`
  return send(speaker, route, path, route.method === 'GET' || route.method === 'DELETE' ? undefined : {}, headers)
}

function send(speaker: Speaker, route: Route, path: string, body: unknown, headers: Headers): Promise<Answer> {
  if (route.method === 'GET') return speaker.get(path, headers)
  if (route.method === 'DELETE') return speaker.delete(path, headers)
  const verb = route.method === 'POST' ? speaker.post : route.method === 'PUT' ? speaker.put : speaker.patch
  return verb(path, body, headers)
}

/** One line per surprise, so that one run shows them all. */
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
    else if (message !== undefined && answer.message !== message)
      surprises.push(`${key(route)}: "${answer.message}", not "${message}"`)
  }
  expect(surprises, surprises.join('\n')).toEqual([])
}

const asWho = (who: Who) => (route: Route) => verdictFor(route, who)
const scopesOf = ({ access }: Route): readonly Scope[] => (access.kind === 'organization' ? access.scopes : [])

describe('without credentials', () => {
  it('401 everywhere but at the open routes, header or not', async () => {
    await expectVerdicts(app.world.anonymous, () => ({ status: 401 }))
    await expectVerdicts(app.world.inside(app.world.anonymous, acme.id), () => ({ status: 401 }))
  })
  it('open routes look at the input, signed ones at the signature', async () => {
    await expectVerdicts(app.world.anonymous, asWho({ kind: 'nobody' }), routes.filter(({ access }) => access.kind === 'open'))
    for (const route of routes.filter(({ access }) => access.kind === 'signed'))
      expect((await send(app.world.anonymous, route, pathOf(route), { id: 'evt_1' }, {})).status, key(route)).toBe(401)
  })
  it('401 with credentials that are forged or of no known kind', async () => {
    for (const authorization of ['Bearer x.y.z', 'Bearer ', 'Basic !!', 'Digest a', `Bearer ${acme.owner.token}x`])
      await expectVerdicts(app.world.speaker({ ...acme.owner.headers, authorization }, acme.owner), () => ({ status: 401 }))
  })
})

describe('inside an organization', () => {
  it('who belongs to none', async () => {
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
  it.each(SCOPE_NAMES.flatMap((scope) => [['member', scope] as const, ['admin', scope] as const]))(
    'a %s with the scope %s alone',
    async (role, scope) => {
      const speaker = await acme.member({ role, scopes: [scope] })
      await expectVerdicts(speaker, asWho({ kind: 'user', role, scopes: [scope] }))
    },
  )
  it('a member and an admin with exactly the scopes of the route', async () => {
    const sets = new Map(guarded.filter(isInOrganization).map((route) => [scopesOf(route).join(), scopesOf(route)]))
    for (const scopes of sets.values())
      for (const role of ['member', 'admin'] as const) {
        const speaker = await acme.member({ role, scopes: [...scopes] })
        const over = guarded.filter((route) => isInOrganization(route) && scopesOf(route).join() === scopes.join())
        await expectVerdicts(speaker, asWho({ kind: 'user', role, scopes }), over)
      }
  })
  it('two scopes in two organizations are not two scopes in one', async () => {
    for (const route of guarded.filter((one) => scopesOf(one).length > 1)) {
      const [first, ...rest] = scopesOf(route)
      const person = await acme.member({ scopes: first ? [first] : [] })
      await app.database.query(
        `insert into collaborators (organization_id, user_id, email, role) values ($1, $2, $3, 'owner')`,
        [other.id, person.userId, person.email],
      )
      const answer = await askWrongly(person, route)
      expect(answer.message, key(route)).toBe(`Scope not authorized: ${rest[0]}`)
    }
  })
  it('the owner', async () => {
    await expectVerdicts(acme.owner, asWho({ kind: 'user', role: 'owner' }))
  })
  it('staff', async () => {
    await expectVerdicts(acme.staff, asWho({ kind: 'user', isStaff: true }))
  })
  it('a membership that is over, or has not begun, is none', async () => {
    const late = await acme.member({ role: 'admin', scopes: [...SCOPE_NAMES], expiredAt: new Date(Date.now() - 1000) })
    await expectVerdicts(late, asWho({ kind: 'user', role: null }))
    const early = await acme.member({ role: 'admin', scopes: [...SCOPE_NAMES] })
    await app.database.query(`update collaborators set started_at = $1 where user_id = $2`, [
      new Date(app.clock.now.getTime() + 60_000),
      early.userId,
    ])
    await expectVerdicts(early, asWho({ kind: 'user', role: null }))
  })
  it('a stranger is judged by the memberships elsewhere, then refused', async () => {
    const stranger = app.world.inside(await other.member({ scopes: ['quotes'] }), acme.id)
    await expectVerdicts(stranger, asWho({ kind: 'user', role: 'member', scopes: ['quotes'], isElsewhere: true }))
    await expectVerdicts(
      app.world.inside(other.owner, acme.id),
      asWho({ kind: 'user', role: 'owner', isElsewhere: true }),
    )
  })
  it.each(['read', 'write', 'read_write'] as const)('an API key made to %s', async (permission) => {
    const scopes: Scope[] = ['quotes', 'organization']
    const headers = await apiKey(app, acme, { permission, scopes })
    const speaker = app.world.speaker({ ...headers, 'x-service-organization': String(acme.id) }, acme.owner)
    await expectVerdicts(speaker, asWho({ kind: 'api_key', role: 'member', scopes, permission }))
  })
})

describe('X-Service-Organization', () => {
  const WRONG = ['', ' ', '0x1', '1e3', '-1', '+1', '1.0', '0', '99999999999999999999', 'abc', '1,1', '1, 2']
  const speakerFor = (route: Route) => (route.access.kind === 'staff' ? acme.staff : acme.owner)
  const inside = guarded.filter(isInOrganization)

  it('400 when absent, blank, repeated, a list or no decimal integer', async () => {
    const surprises: string[] = []
    for (const route of inside) {
      const { headers, ...who } = speakerFor(route)
      const { 'x-service-organization': _, ...absent } = headers
      const tries: [string, Headers][] = [
        ['absent', absent],
        ...WRONG.map((value): [string, Headers] => [value, { ...absent, 'x-service-organization': value }]),
        // Sent twice, as two header lines.
        ['twice', { ...absent, 'x-service-organization': [String(acme.id), String(acme.id)] as unknown as string }],
      ]
      for (const [name, given] of tries) {
        const answer = await askWrongly(app.world.speaker(given, who), route)
        if (answer.status !== 400 || answer.errors?.code !== 'BAD_REQUEST')
          surprises.push(`${key(route)} with ${JSON.stringify(name)}: ${answer.status}`)
      }
    }
    expect(surprises, surprises.join('\n')).toEqual([])
  })
  it('404 when it names no organization, or a deleted one', async () => {
    const gone = await app.world.organization()
    await app.database.query(`update organizations set deleted_at = now() where id = $1`, [gone.id])
    for (const route of inside)
      for (const id of ['999999999', String(gone.id)]) {
        const answer = await askWrongly(speakerFor(route), route, { 'x-service-organization': id })
        expect(answer.status, `${key(route)} in ${id}`).toBe(404)
      }
  })
  it('403 for a missing scope comes before 400 for the header', async () => {
    const member = await acme.member()
    const { 'x-service-organization': _, ...headers } = member.headers
    for (const route of inside.filter((one) => scopesOf(one).length > 0))
      expect((await askWrongly(app.world.speaker(headers, member), route)).status, key(route)).toBe(403)
  })
})

describe('the order of refusals', () => {
  it('no input is judged before the door: broken JSON, unknown fields, bad ids', async () => {
    const nobody = app.world.anonymous
    const stranger = app.world.inside(await app.world.user(), acme.id)
    for (const route of guarded) {
      const broken = pathOf(route).replace('999999999', '0x10')
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : '{"a":'
      expect((await send(nobody, route, broken, body, {})).status, key(route)).toBe(401)
      if (isInOrganization(route)) expect((await send(stranger, route, broken, body, {})).status, key(route)).toBe(403)
    }
  })
  it('behind it: 404 for an id that is none, 400 for broken JSON and company, 422 for the rest', async () => {
    for (const route of guarded) {
      const speaker =
        route.access.kind === 'staff' || route.access.kind === 'administrator' ? acme.staff : acme.owner
      if (route.path.includes('id}'))
        for (const id of ['0x10', '1e3', '01', '-1', '1.0', '99999999999999999999'])
          expect((await send(speaker, route, route.path.replaceAll(/\{\w*id\}/g, id), {}, {})).status, `${key(route)} ${id}`).toBe(404)
      if (route.method !== 'GET' && route.method !== 'DELETE')
        expect((await send(speaker, route, pathOf(route), '{"a":', {})).status, key(route)).toBe(400)
      if (!isInOrganization(route)) continue
      const valid = route.method === 'GET' || route.method === 'DELETE' ? undefined : {}
      const answer = await send(speaker, route, pathOf(route), valid, { 'x-service-company': 'entity_mars' })
      if (answer.status !== 422 && answer.status !== 404) expect(answer.status, key(route)).toBe(400)
    }
  })
})

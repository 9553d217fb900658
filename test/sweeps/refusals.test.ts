// The order of refusals, for every route: the organization's header in its place, and no input before the access check.
import { describe, expect, it } from 'vitest'
import { some } from '#test/harness/seeds.ts'
import { pathNamesOrganization, SCOPE_NAMES, weightOf } from '#kernel/values/permissions.ts'
import type { Route } from '#http/route.ts'
import { appOfFile } from '#test/harness/app.ts'
import { apiKey, apiKeyPair } from '#test/scenes/records.ts'
import { askWrongly, guarded, isInOrganization, key, pathOf, scopesOf, send } from './sweep.ts'
import type { Headers } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const speakerFor = (route: Route) => (route.access.kind === 'staff' ? acme.staff : acme.owner)

describe('X-Service-Organization', () => {
  const WRONG = some(['0x1', '1,1', '', ' ', '1e3', '-1', '+1', '1.0', '0', '99999999999999999999', 'abc', '1, 2'], 2)
  const inside = guarded.filter(isInOrganization)

  it('400 when absent, blank, repeated, a list or no decimal integer', async () => {
    const surprises: string[] = []
    for (const route of inside) {
      const { headers, ...who } = speakerFor(route)
      const { 'x-service-organization': _, ...absent } = headers
      const tries: [string, Headers][] = [
        ...(isNamedByPath(route) ? [] : ([['absent', absent]] satisfies [string, Headers][])),
        ...WRONG.map((value): [string, Headers] => [value, { ...absent, 'x-service-organization': value }]),
        // Sent as two header lines.
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
  it('is optional where the path names the organization; 400 when both are given and differ', async () => {
    const other = await app.world.organization()
    const named = inside.filter(({ path }) => pathNamesOrganization(path))
    expect(named.filter(isNamedByPath).length).toBeGreaterThan(4)
    for (const route of named) {
      const at = (id: number) => `${pathOf(route).replace('999999999', String(id))}?no_such_parameter=1`
      const body = hasNoBody(route.method) ? undefined : {}
      const { 'x-service-organization': _, ...headers } = acme.owner.headers
      const bare = app.world.speaker(headers, acme.owner)
      const asked = await send(bare, route, at(acme.id), body, {})
      expect(asked.status, key(route)).toBe(isNamedByPath(route) ? 422 : 400)
      if (isNamedByPath(route)) {
        expect((await send(bare, route, at(other.id), body, {})).status, key(route)).toBe(403)
        expect((await send(bare, route, at(999_999_998), body, {})).status, key(route)).toBe(404)
        expect((await send(bare, route, at(0), body, {})).status, key(route)).toBe(404)
      }
      const both = await send(acme.owner, route, at(other.id), body, {})
      expect([both.status, both.errors?.code], key(route)).toEqual([400, 'BAD_REQUEST'])
    }
  })
  it('is optional with an API key, which belongs to an organization; 403 for another one', async () => {
    const other = await app.world.organization()
    const key_ = await apiKey(app, acme, { permission: 'read_write', scopes: [...SCOPE_NAMES] })
    const withKey = app.world.speaker(key_, acme.owner)
    for (const route of inside) {
      const may = route.access.kind === 'organization' && weightOf(route.access.atLeast) <= weightOf('member')
      const path = pathOf(route).replace('/organizations/999999999', `/organizations/${acme.id}`)
      const body = hasNoBody(route.method) ? undefined : {}
      const answer = await send(withKey, route, `${path}?no_such_parameter=1`, body, {})
      expect(answer.status, key(route)).toBe(may ? 422 : 403)
      const elsewhere = await askWrongly(withKey, route, { 'x-service-organization': String(other.id) })
      expect(elsewhere.status, key(route)).toBe(403)
      const malformed = await askWrongly(withKey, route, { 'x-service-organization': 'abc' })
      expect(malformed.status, key(route)).toBe(may ? 400 : 403)
    }
    expect((await withKey.get('/quotes')).status).toBe(200)
    expect((await withKey.get('/no/such/path')).status).toBe(404)
    const pair = await apiKeyPair(app, acme, { permission: 'read', scopes: ['quotes'] })
    const query = `consumer_key=${pair.consumerKey}&consumer_secret=${pair.secret}`
    expect((await app.world.anonymous.get(`/quotes?${query}`)).status).toBe(200)
    expect((await app.world.anonymous.get(`/quotes?${query.slice(0, -1)}`)).status).toBe(401)
  })
  it('404 for an unknown or deleted organization', async () => {
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
  it('access comes before any error of the input: broken JSON, unknown fields, bad ids, a malformed Idempotency-Key', async () => {
    const malformed = { 'idempotency-key': 'two keys' }
    const nobody = app.world.anonymous
    const nonMember = app.world.inside(await app.world.user(), acme.id)
    for (const route of guarded) {
      const broken = pathOf(route).replace('999999999', '0x10')
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : '{"a":'
      expect((await send(nobody, route, broken, body, malformed)).status, key(route)).toBe(401)
      if (isInOrganization(route))
        expect((await send(nonMember, route, broken, body, malformed)).status, key(route)).toBe(403)
    }
  })
  it('then 404 for an invalid id', async () => {
    const found: string[] = []
    for (const route of guarded.filter(({ path }) => path.includes('id}')))
      for (const id of some(['0x10', '99999999999999999999', '1e3', '01', '-1', '1.0'], 2)) {
        const { status } = await send(insider(route), route, route.path.replaceAll(/\{\w*id\}/g, id), {}, {})
        if (status !== 404) found.push(`${key(route)} ${id}: ${status}`)
      }
    expect(found, found.join('\n')).toEqual([])
  })
  it('then 400 for broken JSON', async () => {
    for (const route of guarded.filter(
      ({ method, features: { cookieAlone, upload } }) => !hasNoBody(method) && !cookieAlone && !upload,
    ))
      expect((await send(insider(route), route, pathOf(route), '{"a":', {})).status, key(route)).toBe(400)
  })
  it('then 400 for an unknown company, when the rest is valid', async () => {
    const found: string[] = []
    for (const route of guarded.filter(isInOrganization)) {
      const body = hasNoBody(route.method) ? undefined : {}
      const answer = await send(insider(route), route, pathOf(route), body, { 'x-service-company': 'entity_mars' })
      // An error of the body may be answered first.
      if (![400, 422].includes(answer.status)) found.push(`${key(route)}: ${answer.status}`)
    }
    expect(found, found.join('\n')).toEqual([])
  })
})

const isNamedByPath = ({ access }: Route): boolean => access.kind === 'organization' && access.inPath === true
const hasNoBody = (method: string): boolean => method === 'GET' || method === 'DELETE'
const insider = ({ access }: Route) => (access.kind === 'staff' || access.kind === 'vendor' ? acme.staff : acme.owner)

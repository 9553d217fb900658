// What the vendor hides from an organization: every scope of members, over every route that asks for it, and all that
// an owner can read while everything is hidden. The routes and their scopes come from the access matrix's source.
import { beforeAll, describe, expect, it } from 'vitest'
import { SCOPE_NAMES, type Scope, weightOf } from '#kernel/values/permissions.ts'
import type { Route } from '#http/route.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Headers, Speaker } from '#test/harness/world.ts'
import { apiKey, createRecords, type Records } from '#test/scenes/records.ts'
import { askWrongly, guarded, isInOrganization, key, scopesOf } from './sweep.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const HIDEABLE = SCOPE_NAMES.filter((scope) => scope !== 'organization')
const inside = guarded.filter((route) => isInOrganization(route) && scopesOf(route).length > 0)
const readable = inside.filter(({ method }) => method === 'GET')

async function hide(hidden_scopes: readonly Scope[] | null): Promise<void> {
  const { status, raw } = await acme.staff.put(`/organizations/${acme.id}`, { hidden_scopes })
  expect(status, raw.body).toBe(200)
}

const isForMembers = ({ access }: Route): boolean =>
  access.kind === 'organization' && weightOf(access.atLeast) <= weightOf('member')

/** An unknown parameter is 422 for whoever is admitted. */
async function verdicts(who: Speaker, over: readonly Route[], headers?: Headers): Promise<Record<string, Answer>> {
  const found: Record<string, Answer> = {}
  for (const route of over) found[key(route)] = await askWrongly(who, route, headers)
  return found
}
const statusesOf = (answers: Record<string, Answer>) =>
  Object.fromEntries(Object.entries(answers).map(([route, { status }]) => [route, status]))
const all = (over: readonly Route[], status: number) => Object.fromEntries(over.map((route) => [key(route), status]))

describe.each(HIDEABLE)('while %s is hidden', (scope) => {
  const of = inside.filter((route) => scopesOf(route).includes(scope))
  const readsOf = of.filter(({ method }) => method === 'GET')
  const ofMembers = readsOf.filter(isForMembers)
  const others = readable.filter((route) => !scopesOf(route).includes(scope))
  let member: Speaker
  let ofKey: Headers
  beforeAll(async () => {
    member = await acme.member({ scopes: [...SCOPE_NAMES] })
    const headers = await apiKey(app, acme, { permission: 'read', scopes: [...SCOPE_NAMES] })
    ofKey = { ...headers, 'x-service-organization': String(acme.id) }
  })

  it('403 for the owner by every route that asks for it, which says so; all others admit as before', async () => {
    expect(readsOf.length).toBeGreaterThan(0)
    await hide([scope])
    const answers = await verdicts(acme.owner, of)
    expect(statusesOf(answers)).toEqual(all(of, 403))
    for (const [route, { errors, message }] of Object.entries(answers)) {
      expect(errors?.reason, route).toBe('scope_missing')
      expect(message, route).toMatch(new RegExp(`^The vendor does not show this to the organization.*: ${scope}$`))
    }
    expect(statusesOf(await verdicts(acme.owner, others))).toEqual(all(others, 422))
  })
  it('403 for members who were granted it and for keys, and staff are admitted', async () => {
    expect(statusesOf(await verdicts(member, ofMembers))).toEqual(all(ofMembers, 403))
    expect(statusesOf(await verdicts(app.world.anonymous, ofMembers, ofKey))).toEqual(all(ofMembers, 403))
    expect(statusesOf(await verdicts(acme.staff, of))).toEqual(all(of, 422))
  })
  it('all are admitted once it is shown again', async () => {
    await hide([])
    expect(statusesOf(await verdicts(acme.owner, readsOf))).toEqual(all(readsOf, 422))
    expect(statusesOf(await verdicts(member, ofMembers))).toEqual(all(ofMembers, 422))
    expect(statusesOf(await verdicts(app.world.anonymous, ofMembers, ofKey))).toEqual(all(ofMembers, 422))
  })
})

/** A text in a record of each scope. */
const MARKED: Record<string, [table: string, column: string]> = {
  finances: ['invoices', 'number'],
  orders: ['orders', 'number'],
  licenses: ['licenses', 'product_name'],
  tickets: ['tickets', 'title'],
  contracts: ['contracts', 'title'],
  documents: ['documents', 'name'],
  entitlements: ['entitlements', 'product_name'],
  environments: ['environments', 'name'],
  services: ['services', 'name'],
  quotes: ['quote_requests', 'requested_by_name'],
}
const markerOf = (name: string): string => `Only-for-${name}`

describe('the owner from whom everything is hidden', () => {
  let records: Records
  beforeAll(async () => {
    records = await createRecords(app, acme)
    for (const [name, [table, column]] of Object.entries(MARKED))
      await app.database.query(`update ${table} set ${column} = $1 where organization_id = $2`, [
        markerOf(name),
        acme.id,
      ])
    // With events and mails.
    const title = `${markerOf('contracts')} too`
    const { data } = await acme.staff.post('/contracts', { title, start_date: '2026-01-01' })
    await acme.staff.post(`/contracts/${data.id}/status`, { status: 'active' })
    await app.service.worker.drain()
  })

  const filled = (path: string): string =>
    path.replaceAll(/([^/]+)\/\{\w+\}/g, (whole, segment: string) => `${segment}/${records[segment] ?? whole}`)

  /** The markers that the owner finds by each route, searching for them too. */
  async function found(): Promise<Map<string, string[]>> {
    const seen = new Map<string, string[]>()
    const asked = guarded.filter(({ method, access }) => method === 'GET' && access.kind !== 'vendor')
    const paths = asked.map(({ path }) => filled(path))
    const searches = Object.keys(MARKED).map((name) => `/search?q=${markerOf(name)}`)
    for (const path of [...paths, ...searches, '/events?resource=contract']) {
      const { raw } = await acme.owner.get(path).catch(() => ({ raw: { body: '' } }))
      for (const name of Object.keys(MARKED))
        if (raw.body.includes(markerOf(name))) seen.set(name, [...(seen.get(name) ?? []), path])
    }
    return seen
  }

  it('reads none of it by any route, and all of it when nothing is hidden', async () => {
    await hide([])
    const before = await found()
    expect([...before.keys()].toSorted()).toEqual(Object.keys(MARKED).toSorted())
    expect(before.get('contracts')).toContain('/events?resource=contract')
    await hide(HIDEABLE)
    expect(Object.fromEntries(await found())).toEqual({})
  })
})

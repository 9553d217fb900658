// A read takes one round trip (docs/decisions/0002), counted on the connection between the service and PostgreSQL.
// What changes take is in change-costs.test.ts.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { startWiretapped, type Wiretapped } from '#test/harness/wiretapped.ts'

/** On a cluster a read has BEGIN and COMMIT, and the coordinator asks nodes. */
const { isDistributed } = inject('postgres')

let tapped: Wiretapped
let acme: Organization
let entitlement = 0
const CODE = 'PLG-2026110001'

beforeAll(async () => {
  tapped = await startWiretapped()
  acme = await tapped.world.organization()
  const [sold] = await tapped.database.query<{ id: number }>(
    `insert into entitlements (organization_id, code, class, product_name, company)
     values ($1, $2, 'PLG', 'Backup', 'entity_br') returning id`,
    [acme.id, CODE],
  )
  entitlement = sold?.id ?? 0
  await tapped.database.query(
    `insert into licenses (organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit)
     values ($1, '22222-33333-44444-55555-66666', 'Backup', $2, $3, 9)`,
    [acme.id, entitlement, CODE],
  )
})
afterAll(() => tapped.close())

/** The round trips of the last of three such requests: the first ones prepare the statements, the second perhaps on another connection. */
async function tripsOf(ask: () => Promise<{ status: number }>): Promise<number> {
  expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(200)
  tapped.wiretap.reset()
  expect((await ask()).status).toBe(200)
  return tapped.wiretap.trips()
}

describe.skipIf(isDistributed)('the count', () => {
  it('is right: a statement that is new on its connection is parsed in a group of its own', async () => {
    tapped.wiretap.reset()
    expect((await acme.owner.get('/entitlements?status=active')).status).toBe(200)
    expect(tapped.wiretap.trips()).toBe(['access check', 'rows', 'total'].length + 1)
  })
})

describe.skipIf(isDistributed)('a read', () => {
  const asOwner: [string, () => string][] = [
    ['list', () => '/entitlements'],
    ['filtered list', () => '/entitlements?class=PLG&per_page=5&page=2'],
    ['list far from its start', () => '/entitlements?page=900'],
    ['list below a record', () => `/entitlements/${entitlement}/licenses`],
    ['by id', () => `/entitlements/${entitlement}`],
    ['by code', () => `/entitlements/code/${CODE}`],
  ]
  it.each(asOwner)('costs one round trip: %s', async (_what, path) => {
    expect(await tripsOf(() => acme.owner.get(path()))).toBe(1)
  })
  it('costs one round trip: the organizations of the caller, across organizations', async () => {
    expect(await tripsOf(() => acme.owner.get('/organizations'))).toBe(1)
  })
  it('costs one round trip as a member with a scope', async () => {
    const member: Speaker = await acme.member({ scopes: ['entitlements'] })
    expect(await tripsOf(() => member.get('/entitlements'))).toBe(1)
  })
  it('costs one round trip without credentials: whether a key is good for a domain', async () => {
    const question = { license_key: '22222-33333-44444-55555-66666', domain: 'a.example' }
    expect(await tripsOf(() => tapped.world.anonymous.post('/licenses/validate', question))).toBe(1)
  })
  it('costs two round trips when it is refused, and one for the entry in the audit log', async () => {
    const nonMember = tapped.world.inside(await tapped.world.user(), acme.id)
    const ask = async () => ({ status: (await nonMember.get('/entitlements')).status === 403 ? 200 : 0 })
    expect(await tripsOf(ask)).toBe(2 + 1)
  })
})

describe.skipIf(isDistributed)('a change', () => {
  it('that is refused costs two openings with their rollback, and the entry in the audit log', async () => {
    const member = await acme.member({ scopes: [] })
    const ask = async () => ({ status: (await member.post('/quotes/1/reject')).status === 403 ? 200 : 0 })
    expect(await tripsOf(ask)).toBe(2 * (1 + 1) + 1)
  })
})

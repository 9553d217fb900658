// What a check reads: the entitlements that it is about, of one organization, however many there are.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { explain, optionsOf } from '#test/harness/explain.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { product } from '#test/scenes/releases.ts'
import type { EntitlementQuestion } from './entitlement-check.ts'
import { entitlements } from './queries.ts'
import type { Organization } from '#test/harness/world.ts'

/** The plan of a cluster shows no rows of its nodes. */
const { isDistributed } = inject('postgres')

const FEW = 10
let app: TestApp
let acme: Organization
let client: Client
let productId: number

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  const sold = await product(acme)
  productId = sold.id
  const features = [{ key: 'sso', type: 'boolean', value: true }]
  const { id } = await entitlement(acme, { class: 'EDU', features })
  const other = await app.world.organization()
  // Of ten thousand a tenth is the organization's; of these few are of the product, of the class, or have features.
  await app.database.query(
    `insert into entitlements (organization_id, code, class, product_name, company, product_id, features)
     select case when n % 10 = 0 then organization_id else $3 end, 'PLG-202601' || (10000 + n),
            case when n % 1000 = 0 then 'EDU' else 'PLG' end, 'Other ' || n, company,
            case when n % 1000 = 10 then $2::bigint end, case when n % 1000 = 20 then features else '[]' end
       from entitlements, generate_series(1, 10000) n where id = $1`,
    [id, productId, other.id],
  )
  await app.database.query('vacuum analyze entitlements')
  client = new Client({ connectionString: app.database.url, options: optionsOf('titular_app') })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await app.close()
})

describe.skipIf(isDistributed).each(['force_custom_plan', 'force_generic_plan'] as const)('%s', (mode) => {
  it.each<[string, () => EntitlementQuestion]>([
    ['class', () => ({ class: 'EDU' })],
    ['product', () => ({ product_id: productId })],
    ['feature', () => ({ feature: 'sso' })],
  ])('by %s reads few rows', async (_by, questionOf) => {
    const statement = entitlements.found(acme.id, questionOf(), app.clock.now)
    const asking = { role: 'titular_app', organizationId: acme.id, userId: acme.owner.userId, mode } as const
    const { rows, scanned } = await explain(client, statement, asking)
    expect(scanned).toEqual([])
    expect(rows).toBeGreaterThanOrEqual(FEW)
    expect(rows).toBeLessThan(5 * FEW)
  })
})

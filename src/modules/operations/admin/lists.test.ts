// The lists across organizations: each is what the organizations' own lists have, with the names of the organizations.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords } from '#test/scenes/records.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Ação "Ltda" 🚀' })
const other = await app.world.organization({ name: 'Other' })
for (const one of [acme, other]) await createRecords(app, one)
const administrator = await app.world.user({ roles: ['customer', 'administrator'] })

type Item = Record<string, unknown>

const found = async (query: string): Promise<unknown[]> =>
  (await administrator.get(`/admin/entitlements?${query}`)).data.map((one: Item) => one['organization_id'])
const ids = (answer: Answer): unknown[] => answer.data.map(({ id }: { id: number }) => id)
/** The fields that are refused. */
const refused = async (of: Speaker, asked: string): Promise<string[]> =>
  Object.keys((await of.get(`${asked}?nonsense=1&status=nonsense`)).errors?.fields ?? {})

const PATHS = [
  '/quotes',
  '/orders',
  '/invoices',
  '/tax-invoices',
  '/refunds',
  '/entitlements',
  '/licenses',
  '/environments',
  '/tickets',
  '/contracts',
] as const

describe.each(PATHS)('GET /admin%s', (path) => {
  it('200 with the items of each organization’s list, each with its organization', async () => {
    const all: Item[] = (await administrator.get(`/admin${path}?per_page=100`)).data
    for (const one of [acme, other]) {
      const own: Item[] = (await one.staff.get(`${path}?per_page=100`)).data
      expect(own.length).toBeGreaterThan(0)
      const named = own.map((item) => ({ ...item, organization_id: one.id, organization_name: one.name }))
      expect(all.filter((item) => item['organization_id'] === one.id)).toEqual(named)
      expect((await administrator.get(`/admin${path}?per_page=100&organization_id=${one.id}`)).data).toEqual(named)
    }
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => Number(id)).toSorted((one, two) => two - one))
  })
  it('200 with the same filters, and empty for an organization that is not there', async () => {
    expect(await refused(administrator, `/admin${path}`)).toEqual(await refused(acme.staff, path))
    const none: Answer = await administrator.get(`/admin${path}?organization_id=999999`)
    expect([none.status, none.data, none.meta?.total]).toEqual([200, [], 0])
  })
  it('403 for customers', async () => {
    expect((await acme.owner.get(`/admin${path}`)).status).toBe(403)
  })
})

describe('filters of lists across organizations', () => {
  it('200 by legal entity, where the records have one', async () => {
    for (const path of ['/quotes', '/orders', '/invoices', '/entitlements', '/contracts']) {
      expect((await administrator.get(`/admin${path}?company=entity_br`)).data.length).toBeGreaterThanOrEqual(2)
      expect((await administrator.get(`/admin${path}?company=entity_global`)).data).toEqual([])
    }
  })
  it('200 with entitlements by the beginning of a word, of all organizations or of one', async () => {
    await entitle(acme, 'Zebra listrada')
    await entitle(other, 'Zebra 50% off_now')
    expect(await found('search=zebra')).toEqual([other.id, acme.id])
    expect(await found(`search=zebra&organization_id=${acme.id}`)).toEqual([acme.id])
    expect(await found('search=LISTRADA&status=active')).toEqual([acme.id])
    for (const text of ['ebra', '%25', '😀😀']) expect(await found(`search=${text}`)).toEqual([])
  })
  it('200 with the invoices and tax invoices of an entitlement of any organization', async () => {
    const [entitlement] = (await other.staff.get('/entitlements?class=PLG&sort=id')).data
    for (const path of ['/invoices', '/tax-invoices']) {
      const own = (await other.staff.get(`${path}?entitlement_id=${entitlement.id}`)).data
      expect(own.length).toBeGreaterThan(0)
      expect(ids(await administrator.get(`/admin${path}?entitlement_id=${entitlement.id}`))).toEqual(
        own.map(({ id }: { id: number }) => id),
      )
      expect((await administrator.get(`/admin${path}?entitlement_id=999999`)).data).toEqual([])
    }
  })
})

describe('roles of staff', () => {
  it.each([
    ['support', ['/entitlements', '/licenses', '/environments', '/tickets', '/contracts']],
    ['sales', ['/quotes', '/orders', '/entitlements', '/licenses', '/environments', '/tickets', '/contracts']],
    ['finance', PATHS.filter((path) => !['/licenses', '/tickets'].includes(path))],
    ['auditor', [...PATHS]],
  ] as const)('%s lists what the role may read, and nothing else', async (role, allowed) => {
    const person = await acme.staffAs(role)
    const statuses = await Promise.all(
      PATHS.map(async (path) => [path, (await person.get(`/admin${path}`)).status] as const),
    )
    expect(statuses.filter(([, status]) => status === 200).map(([path]) => path)).toEqual(allowed)
    expect(statuses.filter(([, status]) => ![200, 403].includes(status))).toEqual([])
  })
})

async function entitle(at: Organization, product_name: string): Promise<void> {
  const body = { class: 'PLG', product_name, organization_id: at.id, company: 'entity_br' }
  expect((await at.staff.post('/entitlements', body)).status).toBe(201)
}

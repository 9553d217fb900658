// A list across organizations has what the list of each organization has, and no more.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords } from '#test/scenes/records.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'
import type { Speaker } from '#test/harness/world.ts'
import { permissionsOf } from '#kernel/values/staff-roles.ts'
import { propertiesOf } from '#http/features/sparse-fields.ts'
import { lists } from './lists.ts'

const own = new Set(lists.map(({ path }) => path))
const across = lists
  .filter((route) => route.path.startsWith('/admin/') && 'organization_name' in (propertiesOf(route.page) ?? {}))
  .map(({ path }) => path.slice('/admin'.length))
  .filter((path) => own.has(path) && path !== '/search')

type Item = Record<string, unknown> & { organization_id: number; organization_name: string; source?: string }

const app = await appOfFile()
const all = [await app.world.organization(), await app.world.organization({ name: 'Ação "Ltda" 🚀' })]
for (const organization of all) await createRecords(app, organization)
const boss = await app.world.user({ roles: ['customer', 'administrator'] })

const listed = async (speaker: Speaker, path: string): Promise<Item[]> => {
  const { status, data } = await speaker.get(`${path}${path.includes('?') ? '&' : '?'}per_page=100`)
  expect(status).toBe(200)
  return data
}
/** The archived documents are at their records. */
const isIn = ({ source }: Item): boolean => source !== 'archived'

it('are as many as the lists that staff read across organizations', () => {
  expect(across.toSorted()).toEqual([
    '/affiliates',
    '/audit-log',
    '/contracts',
    '/credit-balances',
    '/credit-notes',
    '/disputes',
    '/documents',
    '/entitlements',
    '/environments',
    '/invoices',
    '/licenses',
    '/orders',
    '/payments',
    '/quotes',
    '/quotes/requests',
    '/refunds',
    '/services',
    '/sites',
    '/subscriptions',
    '/tax-invoices',
    '/tickets',
  ])
})

describe.each(across)('/admin%s', (path) => {
  it('has the records of each organization, with its name', async () => {
    const items = await listed(boss, `/admin${path}`)
    for (const { id, name, staff } of all) {
      const found = items.filter((one) => one.organization_id === id)
      expect(new Set(found.map(({ organization_name }) => organization_name))).toEqual(new Set([name]))
      const inside = (await listed(staff, path)).filter(isIn)
      expect(inside.length).toBeGreaterThan(0)
      expect(found.map(({ organization_id: _id, organization_name: _name, ...record }) => record)).toEqual(
        inside.map(({ organization_id: _id, ...record }) => record),
      )
    }
  })
  it('has those of one organization for its filter, and for a key that is for that one', async () => {
    const id = all[0]?.id ?? 0
    const items = await listed(boss, `/admin${path}?organization_id=${id}`)
    expect(items.length).toBeGreaterThan(0)
    expect(items.every((one) => one.organization_id === id)).toBe(true)
    const key = await vendorKey(app, { permissions: permissionsOf(['administrator']), organizations: [id] })
    expect(await listed(key, `/admin${path}`)).toEqual(items)
  })
})

// Which entries of its audit log a member or an API key of an organization sees. What staff see: roles of staff.
import { describe, expect, it } from 'vitest'
import { AREAS } from '../../../modules.ts'
import { SCOPE_NAMES, type Scope } from '#kernel/values/permissions.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'
import { acceptedQuote, buyerOf } from '#test/scenes/commerce.ts'
import { apiKey } from '#test/scenes/records.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const sale = await acceptedQuote(app, acme, await buyerOf(acme))
await acme.staff.post(`/invoices/${sale.invoice_id}/pay`)
await app.service.worker.drain()

const PATH = '/audit-log?per_page=100'
const kindsIn = ({ data }: Answer): Set<string> => new Set(data.map(({ resource }: Answer['data']) => resource))
const ofMember = async (scopes: Scope[]) => kindsIn(await (await acme.member({ role: 'admin', scopes })).get(PATH))
const ofKey = async (scopes: Scope[]) => {
  const key = await apiKey(app, acme, { permission: 'read', scopes })
  return kindsIn(await app.world.anonymous.get(PATH, { ...key, 'x-service-organization': String(acme.id) }))
}

describe.each([
  ['a member', ofMember],
  ['an API key', ofKey],
])('%s', (_, seenWith) => {
  it('sees the entries about records of their scopes, and no sums of others', async () => {
    const all = await seenWith([...SCOPE_NAMES])
    const kinds = ['organization', 'entitlement', 'license', 'invoice', 'payment', 'order', 'quote']
    expect([...all]).toEqual(expect.arrayContaining(kinds))
    expect([...(await seenWith(['organization']))]).toEqual(['organization'])
    expect([...(await seenWith(['organization', 'finances']))].toSorted()).toEqual([
      'invoice',
      'organization',
      'payment',
    ])
    const published = AREAS.flatMap((area) => area.published).filter(({ table }) => all.has(table.resource))
    expect(published.length).toBeGreaterThanOrEqual(kinds.length)
    for (const { table, scopes } of published)
      expect([...(await seenWith([...new Set<Scope>(['organization', ...scopes])]))]).toContain(table.resource)
  })
})

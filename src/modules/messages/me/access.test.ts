// What the caller may in an organization, what a refusal names, and who can grant what is missing.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { apiKey } from '#test/scenes/records.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const admin = await acme.member({ role: 'admin', scopes: ['organization', 'quotes'] })
const member = await acme.member({ scopes: ['tickets'], expiredAt: new Date('2099-01-01T00:00:00Z') })
await acme.member({ role: 'admin', scopes: ['quotes'] })

const accessOf = async (who: Speaker, query = ''): Promise<Answer['data']> => {
  const { status, data, raw } = await who.get(`/me/access${query}`)
  expect(status, raw.body).toBe(200)
  return data
}
const nameOf = async (who: Speaker) => (await who.get('/auth/me')).data.name
const at = (id: number) => ({ 'x-service-organization': String(id) })
const granters = ({ missing }: Answer['data'], scope: string) =>
  missing.find((one: Answer['data']) => one.scope === scope)?.granted_by

describe('GET /me/access', () => {
  it('200 with scopes, dates and the members above who hold what is missing, without their addresses', async () => {
    const access = await accessOf(member)
    expect(access).toMatchObject({
      role: 'member',
      is_staff: false,
      scopes: ['tickets', 'entitlements'],
      named_role: null,
      ticket_visibility: 'all',
      expired_at: '2099-01-01T00:00:00.000Z',
      manages_members: false,
    })
    const [owner, other] = [
      { name: await nameOf(acme.owner), role: 'owner', email: null },
      { name: await nameOf(admin), role: 'admin', email: null },
    ]
    expect(granters(access, 'quotes')).toEqual([owner, other])
    expect(granters(access, 'contracts')).toEqual([owner])
    expect(granters(access, 'tickets')).toBeUndefined()
    expect(access.admin_by).toEqual([owner])
  })
  it('200 with the one scope that was asked for, and 422 for none of them', async () => {
    expect((await accessOf(member, '?scope=quotes')).missing).toMatchObject([{ scope: 'quotes' }])
    expect((await accessOf(member, '?scope=tickets')).missing).toEqual([])
    expect((await member.get('/me/access?scope=x')).status).toBe(422)
  })
  it('200 for an admin: the owner alone, with the address', async () => {
    const access = await accessOf(admin)
    expect(granters(access, 'contracts')).toMatchObject([{ role: 'owner', email: acme.owner.email }])
    expect(access).toMatchObject({ role: 'admin', manages_members: true, admin_by: [] })
  })
  it('200 for the owner, who lacks nothing, for staff, and for a key with its scopes', async () => {
    expect(await accessOf(acme.owner)).toMatchObject({ role: 'owner', missing: [], admin_by: [] })
    expect(await accessOf(acme.staff)).toMatchObject({ role: 'admin', is_staff: true, admin_by: [] })
    const key = await apiKey(app, acme, { permission: 'read', scopes: ['quotes'] })
    const { data } = await app.world.anonymous.get('/me/access', key)
    expect(data).toMatchObject({ role: 'member', scopes: ['quotes'], admin_by: [] })
    expect(granters(data, 'tickets')).toEqual([])
  })
  it('200 for staff: who manages members may invite them, and who only reads them may not', async () => {
    for (const [role, manages] of [
      ['support', false],
      ['finance', false],
      ['auditor', false],
      ['operations', false],
      ['sales', true],
      ['administrator', true],
    ] as const) {
      const person = await acme.staffAs(role)
      const access = await accessOf(person)
      expect([role, access.manages_members, access.scopes.includes('organization')]).toEqual([role, manages, true])
      const invite = { email: `${role}@invited.example`, role: 'member' }
      const { status } = await person.post(`/organizations/${acme.id}/collaborators`, invite)
      expect([role, status]).toEqual([role, manages ? 201 : 403])
    }
  })
  it('200 with the named role, and without who has left, is disabled or waits', async () => {
    const org = await app.world.organization()
    const role = await org.owner.post('/roles', { name: 'Buyer “1”', scopes: ['quotes'] })
    const someone = await org.member({ scopes: [] })
    const { data: listed } = await org.owner.get(`/organizations/${org.id}/collaborators?search=${someone.email}`)
    await org.owner.put(`/organizations/${org.id}/collaborators/${listed[0].id}`, { named_role_id: role.data.id })
    const former = [
      await org.member({ role: 'admin', scopes: ['organization', 'finances'], expiredAt: new Date('2020-01-01') }),
      await org.member({ role: 'admin', scopes: ['organization', 'finances'] }),
    ]
    await app.database.query('update users set disabled_at = now() where id = $1', [former[1]?.userId])
    const access = await accessOf(someone)
    expect(access).toMatchObject({ named_role: { id: role.data.id, name: 'Buyer “1”' }, scopes: ['quotes'] })
    expect(granters(access, 'finances')).toHaveLength(1)
  })
  it('403 for a stranger, 404 for no organization', async () => {
    const other = await app.world.organization()
    expect((await member.get('/me/access', at(other.id))).status).toBe(403)
    expect((await member.get('/me/access', at(999_999))).status).toBe(404)
  })
})

describe('a 403', () => {
  it('names the scopes or the role that are missing', async () => {
    const quotes = await member.get('/quotes')
    expect([quotes.status, quotes.errors]).toMatchObject([
      403,
      { reason: 'scope_missing', missing: { scopes: ['quotes'] } },
    ])
    const invite = await (
      await acme.member({ scopes: ['organization'] })
    ).post(`/organizations/${acme.id}/collaborators`, { email: 'x@y.example', role: 'member' })
    expect([invite.status, invite.errors]).toMatchObject([403, { reason: 'role_too_low', missing: { role: 'admin' } }])
  })
})

// Named roles: what they give, who may change them, and what a change does to their members.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'
import { address, at, idOf } from '#test/scenes/collaborators.ts'

const app = await appOfFile()
const acme = await app.world.organization()

let count = 0
const make = async (scopes: string[], who: Speaker = acme.owner) => {
  const made = await who.post('/roles', { name: `Papel “${++count}” 🔑`, scopes })
  expect(made.status).toBe(201)
  return made.data as { id: number; name: string; scopes: string[] }
}
/** A member with the role. */
async function holding(roleId: number) {
  const member = await acme.member({ scopes: ['tickets'] })
  const id = await idOf(app, acme, member)
  const put = await acme.owner.put(at(acme, id), { named_role_id: roleId })
  expect(put.status).toBe(200)
  return { member, id, data: put.data }
}
const admin = () => acme.member({ role: 'admin', scopes: ['organization', 'quotes'] })

describe('POST /roles', () => {
  it('201, listed and read', async () => {
    const role = await make(['finances'])
    expect(role).toMatchObject({ organization_id: acme.id, description: null, scopes: ['finances'] })
    expect((await acme.owner.get(`/roles/${role.id}`)).data).toEqual(role)
    expect((await acme.owner.get('/roles')).data).toContainEqual(role)
  })
  it('403 for a scope that the caller lacks, and for members', async () => {
    const refused = await (await admin()).post('/roles', { name: 'Too much', scopes: ['quotes', 'finances'] })
    expect([refused.status, refused.errors?.reason]).toEqual([403, 'more_than_own'])
    const member = await acme.member({ scopes: ['organization'] })
    expect((await member.post('/roles', { name: 'x', scopes: [] })).errors?.reason).toBe('role_too_low')
  })
  it('409 for a name that is there in other letters, and for the fifty-first', async () => {
    const { name } = await make([])
    expect((await acme.owner.post('/roles', { name: name.toUpperCase(), scopes: [] })).errors?.reason).toBe(
      'name_taken',
    )
    const other = await app.world.organization()
    await app.database.query(
      `insert into organization_roles (organization_id, name, scopes) select $1, 'r' || n, '{}' from generate_series(1, 50) n`,
      [other.id],
    )
    expect((await other.owner.post('/roles', { name: 'one more', scopes: [] })).errors?.reason).toBe('limit_reached')
  })
  it('422 for a scope that does not exist, or twice the same', async () => {
    for (const scopes of [['everything'], ['quotes', 'quotes'], 'quotes'])
      expect((await acme.owner.post('/roles', { name: 'x', scopes })).status).toBe(422)
  })
})

describe('named_role_id of a collaborator', () => {
  it('gives the scopes of the role, in place of those before', async () => {
    const role = await make(['finances', 'orders'])
    const { member, data } = await holding(role.id)
    expect(data).toMatchObject({
      named_role_id: role.id,
      can_manage_finances: true,
      can_manage_orders: true,
      can_manage_tickets: false,
    })
    expect((await member.get('/orders')).status).toBe(200)
    expect((await member.get('/tickets')).status).toBe(403)
  })
  it('comes with an invite, and ends with flags of one’s own', async () => {
    const role = await make(['quotes'])
    const invited = await acme.owner.post(at(acme), { email: address(), named_role_id: role.id })
    expect(invited.data).toMatchObject({ named_role_id: role.id, can_manage_quotes: true })
    const own = await acme.owner.put(at(acme, invited.data.id), { can_manage_orders: true })
    expect(own.data).toMatchObject({ named_role_id: null, can_manage_quotes: true, can_manage_orders: true })
  })
  it('422 beside flags, and for the role of another organization', async () => {
    const role = await make(['quotes'])
    const both = await acme.owner.post(at(acme), { email: address(), named_role_id: role.id, can_manage_orders: false })
    expect(both.errors?.fields).toEqual({ can_manage_orders: 'is given together with named_role_id' })
    const other = await app.world.organization()
    const foreign = await other.owner.post(at(other), { email: address(), named_role_id: role.id })
    expect(foreign.errors?.fields).toEqual({ named_role_id: 'names no role of the organization' })
    expect((await other.owner.patch(`/roles/${role.id}`, { name: 'x' })).status).toBe(404)
  })
  it('403 for a role with a scope that the caller lacks', async () => {
    const role = await make(['finances'])
    const refused = await (await admin()).post(at(acme), { email: address(), named_role_id: role.id })
    expect([refused.status, refused.errors?.reason]).toEqual([403, 'more_than_own'])
  })
})

describe('PATCH and DELETE /roles/{id}', () => {
  it('200: other scopes count for all its members from their next request on', async () => {
    const role = await make(['finances'])
    const holders = [await holding(role.id), await holding(role.id)]
    expect((await acme.owner.patch(`/roles/${role.id}`, { scopes: ['tickets'] })).data.scopes).toEqual(['tickets'])
    for (const { member } of holders) {
      expect((await member.get('/tickets')).status).toBe(200)
      expect((await member.get('/invoices')).status).toBe(403)
    }
    expect((await acme.owner.patch(`/roles/${role.id}`, { name: 'Only its name' })).data.scopes).toEqual(['tickets'])
    expect((await holders[0]?.member.get('/tickets'))?.status).toBe(200)
  })
  it('403 when a member is not below the caller, or a scope is added that the caller lacks', async () => {
    const role = await make(['quotes'])
    const peer = await acme.member({ role: 'admin', scopes: ['organization'] })
    await acme.owner.put(at(acme, await idOf(app, acme, peer)), { named_role_id: role.id })
    const who = await admin()
    expect((await who.patch(`/roles/${role.id}`, { scopes: [] })).errors?.reason).toBe('role_too_low')
    const free = await make(['finances'])
    expect((await who.patch(`/roles/${free.id}`, { scopes: ['finances', 'orders'] })).errors?.reason).toBe(
      'more_than_own',
    )
    // What is there already may stay, or be taken away.
    expect((await who.patch(`/roles/${free.id}`, { scopes: ['finances', 'quotes'] })).status).toBe(200)
  })
  it('409 while a member or an invite has it, also when both happen at once', async () => {
    const role = await make(['quotes'])
    const { id } = await holding(role.id)
    expect((await acme.owner.delete(`/roles/${role.id}`)).errors?.reason).toBe('role_in_use')
    expect((await acme.owner.put(at(acme, id), { named_role_id: null })).data).toMatchObject({
      can_manage_quotes: true,
    })
    const [given, removed] = await Promise.all([
      acme.owner.put(at(acme, id), { named_role_id: role.id }),
      acme.owner.delete(`/roles/${role.id}`),
    ])
    expect([given.status, removed.status]).toSatisfy(
      (both: number[]) => both.join() === '200,409' || both.join() === '422,200',
    )
  })
  it('a role of the former owner ends with a transfer', async () => {
    const org = await app.world.organization()
    const role = (await org.owner.post('/roles', { name: 'r', scopes: ['quotes'] })).data.id
    const heir = await org.member({ role: 'admin', scopes: ['organization'] })
    const id = await idOf(app, org, heir)
    await org.owner.put(at(org, id), { named_role_id: role })
    await org.owner.post(`/organizations/${org.id}/transfer-ownership`, { collaborator_id: id })
    expect((await heir.get(at(org, id))).data).toMatchObject({ role: 'owner', named_role_id: null })
    expect((await heir.delete(`/roles/${role}`)).status).toBe(200)
  })
})

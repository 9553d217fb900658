import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailedInvite } from '#test/harness/mailbox.ts'

const app = await appOfFile()
const administrator = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })

const find = async (path: string, field = 'name') => {
  const { data } = await administrator.get(path)
  return data.map((one: Record<string, unknown>) => one[field])
}
let next = 0
const address = (): string => `owner-${++next}@example.com`

describe('GET /admin/organizations', () => {
  it('200 with all organizations, searched and filtered; deleted ones only on request', async () => {
    const org = await app.world.organization({ name: 'Ótica 100%' })
    expect(await find('/admin/organizations?search=otica%20100%25')).toEqual(['Ótica 100%'])
    expect(await find('/admin/organizations?search=otica&status=draft')).toEqual([])
    expect(await find('/admin/organizations?search=otica&verification_status=pending')).toEqual(['Ótica 100%'])
    const { data } = await administrator.get('/admin/organizations?search=otica')
    expect(data[0]).toMatchObject({ id: org.id, owner_email: org.owner.email, deleted_at: null })
    await org.owner.delete(`/organizations/${org.id}`)
    expect(await find('/admin/organizations?search=otica')).toEqual([])
    expect(await find('/admin/organizations?search=otica&deleted=false')).toEqual([])
    expect(await find('/admin/organizations?search=otica&deleted=true')).toEqual(['Ótica 100%'])
    expect((await administrator.get('/admin/organizations?deleted=yes')).status).toBe(422)
  })
})

describe('POST /admin/organizations', () => {
  it('201 without an owner; the person who accepts the invite becomes the owner', async () => {
    const email = address()
    const body = { name: 'To come', owner_email: email, status: 'draft', verification_requires: true }
    const answer = await administrator.post('/admin/organizations', body)
    expect(answer.status).toBe(201)
    expect(answer.data).toEqual({
      id: expect.any(Number),
      name: 'To come',
      status: 'draft',
      verification_status: 'pending',
      owner_id: null,
    })
    const { id } = answer.data
    const token = await mailedInvite(app, email)
    const owner = await app.world.user({ email })
    const inside = app.world.inside(owner, id)
    expect((await inside.get(`/organizations/${id}`)).status).toBe(403)
    expect((await owner.post('/invites/check', { token })).data.role).toBe('owner')
    expect((await owner.post('/invites/accept', { token })).status).toBe(200)
    expect((await inside.get(`/organizations/${id}`)).data).toMatchObject({ owner_id: owner.userId, status: 'draft' })
    expect((await inside.delete(`/organizations/${id}`)).status).toBe(200)
  })
  it('201 for another owner’s invite when the first address was wrong', async () => {
    const { data } = await administrator.post('/admin/organizations', { name: 'Mistyped', owner_email: address() })
    const staff = app.world.inside(administrator, data.id)
    const at = `/organizations/${data.id}/collaborators`
    const [wrong] = (await staff.get(at)).data
    expect((await staff.post(at, { email: address(), role: 'owner' })).status).toBe(409)
    expect((await staff.delete(`${at}/${wrong.id}`)).status).toBe(200)
    expect((await staff.post(at, { email: address(), role: 'owner' })).data.invited_role).toBe('owner')
  })
  it('409 for a CNPJ that another organization has, without creating anything; 422 without name or owner', async () => {
    const cnpj = '11222333000181'
    expect((await administrator.post('/admin/organizations', { name: 'A', owner_email: address(), cnpj })).status).toBe(
      201,
    )
    expect(
      (await administrator.post('/admin/organizations', { name: 'B-side', owner_email: address(), cnpj })).status,
    ).toBe(409)
    expect(await find('/admin/organizations?search=b-side')).toEqual([])
    const none = await administrator.post('/admin/organizations', { owner_email: 'x', owner_id: 3 })
    expect(Object.keys(none.errors?.fields ?? {}).toSorted()).toEqual(['name', 'owner_email', 'owner_id'])
    expect((await administrator.post('/admin/organizations', { owner_email: address() })).errors?.fields).toEqual({
      name: 'is required',
    })
  })
})

describe('POST /admin/organizations/{id}/verify, /reject', () => {
  it('200 for an allowed move, 409 for any other, 404 for an unknown or deleted organization', async () => {
    const org = await app.world.organization()
    const at = `/admin/organizations/${org.id}`
    const verified = await administrator.post(`${at}/verify`)
    expect(verified.data).toMatchObject({ verification_status: 'verified', verified_at: app.clock.now.toISOString() })
    expect((await org.owner.get(`/organizations/${org.id}`)).data.verification_status).toBe('verified')
    expect((await administrator.post(`${at}/verify`)).status).toBe(409)
    expect((await administrator.post(`${at}/reject`)).data).toMatchObject({
      verification_status: 'rejected',
      verified_at: null,
    })
    expect((await administrator.post(`${at}/reject`)).status).toBe(409)
    expect((await administrator.post(`${at}/verify`)).status).toBe(200)
    expect((await administrator.post('/admin/organizations/999999/verify')).status).toBe(404)
    expect((await administrator.post('/admin/organizations/999999/reject')).status).toBe(404)
    await org.owner.delete(`/organizations/${org.id}`)
    expect((await administrator.post(`${at}/reject`)).status).toBe(404)
    const log = await administrator.get(`/admin/audit-log?organization_id=${org.id}&resource=organization`)
    expect(log.data.map((one: { action: string }) => one.action)).toEqual([
      'deleted',
      'verified',
      'rejected',
      'verified',
    ])
  })
})

describe('POST /admin/organizations/{id}/restore', () => {
  it('404 for an unknown organization, 409 for one that is not deleted', async () => {
    const org = await app.world.organization()
    expect((await administrator.post('/admin/organizations/999999/restore')).status).toBe(404)
    expect((await administrator.post(`/admin/organizations/${org.id}/restore`)).status).toBe(409)
  })
})

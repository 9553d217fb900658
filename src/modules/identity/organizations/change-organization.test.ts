import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { freshCnpj } from '#test/scenes/cnpj.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Acme' })

async function created(speaker: Speaker, body: Record<string, unknown> = {}): Promise<Organization['owner']> {
  const { data } = await speaker.post('/organizations', { name: 'Made', ...body })
  return app.world.inside(speaker, data.id)
}
const idOf = (speaker: Speaker): number => Number(speaker.headers['x-service-organization'])

describe('GET /organizations/{id}', () => {
  it('200 for a member with the scope; 403 without', async () => {
    const member = await acme.member({ scopes: ['organization'] })
    expect((await member.get(`/organizations/${acme.id}`)).data).toMatchObject({ id: acme.id, name: 'Acme' })
    const other = await acme.member({ scopes: ['quotes'] })
    expect((await other.get(`/organizations/${acme.id}`)).message).toBe('Scope not authorized: organization')
  })
  it('400 when path and header differ, for every route below it, also for who owns both', async () => {
    const other = await app.world.organization()
    const at = `/organizations/${other.id}`
    for (const speaker of [acme.owner, app.world.inside(acme.staff, acme.id)]) {
      expect((await speaker.get(at)).status).toBe(400)
      expect((await speaker.put(at, { name: 'Taken' })).status).toBe(400)
      expect((await speaker.delete(at)).status).toBe(400)
      expect((await speaker.get(`${at}/collaborators`)).status).toBe(400)
      expect((await speaker.post(`${at}/collaborators`, { email: 'x@example.com' })).status).toBe(400)
    }
    expect((await acme.owner.post(`${at}/transfer-ownership`, { collaborator_id: 1 })).status).toBe(400)
    const twice = await app.world.organization()
    await app.database.query(`update collaborators set user_id = $1 where organization_id = $2 and role = 'owner'`, [
      acme.owner.userId,
      twice.id,
    ])
    const refused = await acme.owner.delete(`/organizations/${twice.id}`)
    expect([refused.status, refused.message]).toEqual([
      400,
      'X-Service-Organization and the path name two organizations',
    ])
    expect((await acme.owner.get(`/organizations/${acme.id}`)).status).toBe(200)
    expect((await acme.owner.get('/organizations/007')).status).toBe(404)
    const [row] = await app.database.query<{ name: string }>(`select name from organizations where id = $1`, [other.id])
    expect(row?.name).toBe(other.name)
  })
})

const named = (id: unknown) => ({ 'x-service-organization': String(id) })

describe('the header beside a path that names the organization', () => {
  it('is checked first: 404 for an unknown organization, 403 for a foreign one, 400 for what names none', async () => {
    const [other, gone] = [await app.world.organization(), await app.world.organization()]
    expect((await gone.owner.delete(`/organizations/${gone.id}`)).status).toBe(200)
    const paths = [`/organizations/${acme.id}`, `/organizations/${acme.id}/collaborators`]
    for (const path of paths) {
      for (const id of [999_999_999, gone.id])
        expect(await acme.owner.get(path, named(id))).toMatchObject({ status: 404, message: 'Organization not found' })
      const foreign = await acme.owner.get(path, named(other.id))
      expect([foreign.status, foreign.errors?.reason]).toEqual([403, 'not_a_member'])
      expect((await acme.owner.get(path, named('x'))).status).toBe(400)
      expect((await acme.owner.put(paths[0] ?? '', { name: 'Taken' }, named(other.id))).status).toBe(403)
    }
    expect((await acme.staff.get(`/organizations/${acme.id}`, named(999_999_999))).status).toBe(404)
    expect((await acme.staff.get(`/organizations/${acme.id}`, named(other.id))).status).toBe(400)
  })
})

const crmIds = (name: string) => ({ crm_company_id_br: `b-${name}`, crm_company_id_global: `g-${name}` })

describe('PUT /organizations/{id}', () => {
  it('200 changes the given fields, clears those with null, and leaves the rest', async () => {
    const org = await app.world.organization()
    const at = `/organizations/${org.id}`
    const first = await org.owner.put(at, { phone: '+55 11', org_city: 'São Paulo', website: 'https://acme.example' })
    expect(first.status).toBe(200)
    expect(first.data).toMatchObject({
      phone: '+55 11',
      city: 'São Paulo',
      website: 'https://acme.example',
      name: org.name,
    })
    const second = await org.owner.put(at, { org_phone: null })
    expect(second.data).toMatchObject({ phone: null, city: 'São Paulo' })
    const { data } = await org.owner.get('/audit-log?resource=organization&action=updated')
    expect(data[0].changes).toEqual({ before: { phone: '+55 11' }, after: { phone: null } })
    expect((await org.owner.put(at, { name: null })).status).toBe(422)
  })
  it('200 for an admin with the scope; 403 for one without, for a member, for an API key’s role', async () => {
    const org = await app.world.organization()
    const at = `/organizations/${org.id}`
    const admin = await org.member({ role: 'admin', scopes: ['organization'] })
    expect((await admin.put(at, { phone: '1' })).status).toBe(200)
    expect((await (await org.member({ role: 'admin', scopes: ['quotes'] })).put(at, { phone: '2' })).message).toBe(
      'Scope not authorized: organization',
    )
    expect((await (await org.member({ scopes: ['organization'] })).put(at, { phone: '3' })).status).toBe(403)
    expect((await (await app.world.organization()).owner.put(at, { phone: '4' })).status).toBe(400)
  })
  it('422 when a customer sets a field of staff, 200 when staff do', async () => {
    const org = await app.world.organization()
    const at = `/organizations/${org.id}`
    for (const body of [
      { status: 'draft' },
      { parent_id: acme.id },
      { requires_invoice_for_payment: true },
      { verification_requires: true },
    ]) {
      const refused = await org.owner.put(at, body)
      expect([refused.status, Object.keys(refused.errors?.fields ?? {})]).toEqual([422, Object.keys(body)])
      expect((await org.staff.put(at, body)).data).toMatchObject(body)
    }
    expect((await org.staff.put(at, { parent_id: org.id })).errors?.fields).toHaveProperty('parent_id')
    expect((await org.staff.put(at, { parent_id: 999_999 })).errors?.fields).toHaveProperty('parent_id')
  })
  it('409 for a CNPJ or a customer id that another organization has; free again once it is cleared', async () => {
    const [one, other] = [await app.world.organization(), await app.world.organization()]
    const cnpj = freshCnpj()
    const values = { cnpj, payment_customer_id_br: `cus_${one.id}`, crm_company_id_global: `crm-${one.id}` }
    expect((await one.owner.put(`/organizations/${one.id}`, values)).status).toBe(200)
    expect((await one.owner.put(`/organizations/${one.id}`, values)).status).toBe(200)
    for (const [field, value] of Object.entries(values)) {
      const refused = await other.owner.put(`/organizations/${other.id}`, { [field]: value, phone: 'never' })
      expect([field, refused.status]).toEqual([field, 409])
    }
    expect((await other.owner.get(`/organizations/${other.id}`)).data).toMatchObject({ cnpj: null, phone: null })
    await one.owner.put(`/organizations/${one.id}`, { cnpj: null, payment_customer_id_br: null })
    expect((await other.owner.put(`/organizations/${other.id}`, { cnpj })).status).toBe(200)
    const claims = await app.database.query(`select kind, value from claims where organization_id = $1`, [one.id])
    expect(claims).toEqual([{ kind: 'crm_company_id_global', value: `crm-${one.id}` }])
  })
  it('200 without a deadlock when two organizations exchange their ids at once', async () => {
    const [one, other] = [await app.world.organization(), await app.world.organization()]
    await one.owner.put(`/organizations/${one.id}`, crmIds(`${one.id}`))
    await other.owner.put(`/organizations/${other.id}`, crmIds(`${other.id}`))
    const answers = await Promise.all([
      one.owner.put(`/organizations/${one.id}`, crmIds(`${other.id}`)),
      other.owner.put(`/organizations/${other.id}`, crmIds(`${one.id}`)),
    ])
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const held = await app.database.query(
      `select c.value from claims c join organizations o on o.id = c.organization_id
        where o.id = any($1) and c.value in (o.crm_company_id_br, o.crm_company_id_global)`,
      [[one.id, other.id]],
    )
    expect(held.length).toBe(4)
  })
  it('200 reopens the verification when a verified organization changes its legal name', async () => {
    const org = await app.world.organization()
    const at = `/organizations/${org.id}`
    await org.staff.post(`/admin${at}/verify`)
    expect((await org.owner.put(at, { phone: '1' })).data.verification_status).toBe('verified')
    expect((await org.staff.put(at, { legal_name: 'By staff' })).data.verification_status).toBe('verified')
    expect((await org.owner.put(at, { legal_name: 'Another' })).data).toMatchObject({
      verification_status: 'pending',
      verified_at: null,
    })
  })
})

describe('DELETE /organizations/{id}', () => {
  it('200 for the owner; then 404 on every route and its CNPJ is free; a restoration brings all back', async () => {
    const org = await app.world.organization()
    const at = `/organizations/${org.id}`
    const cnpj = freshCnpj()
    await org.owner.put(at, { cnpj })
    const admin = await org.member({ role: 'admin', scopes: ['organization'] })
    expect((await admin.delete(at)).status).toBe(403)
    const deleted = await org.owner.delete(at)
    expect([deleted.status, deleted.data]).toEqual([200, null])
    for (const speaker of [org.owner, org.staff]) {
      expect((await speaker.get(at)).status).toBe(404)
      expect((await speaker.put(at, { name: 'Back' })).status).toBe(404)
      expect((await speaker.delete(at)).status).toBe(404)
      expect((await speaker.get('/entitlements')).status).toBe(404)
    }
    expect((await org.owner.get('/organizations')).data).toEqual([])
    const heir = await created(await app.world.user(), { cnpj })
    expect((await org.staff.post(`/admin${at}/restore`)).status).toBe(409)
    await heir.put(`/organizations/${idOf(heir)}`, { cnpj: null })
    expect((await org.staff.post(`/admin${at}/restore`)).status).toBe(200)
    expect((await org.staff.post(`/admin${at}/restore`)).status).toBe(409)
    expect((await org.owner.get(at)).data.cnpj).toBe(cnpj)
    expect((await heir.put(`/organizations/${idOf(heir)}`, { cnpj })).status).toBe(409)
  })
})

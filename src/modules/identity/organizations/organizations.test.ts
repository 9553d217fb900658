import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { freshCnpj, masked } from '#test/scenes/cnpj.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Acme' })

async function created(speaker: Speaker, body: Record<string, unknown> = {}): Promise<Organization['owner']> {
  const { data } = await speaker.post('/organizations', { name: 'Made', ...body })
  return app.world.inside(speaker, data.id)
}
const idOf = (speaker: Speaker): number => Number(speaker.headers['x-service-organization'])

describe('POST /organizations', () => {
  it('201 with what the specification lists; the creator owns it', async () => {
    const ana = await app.world.user()
    const cnpj = freshCnpj()
    const answer = await ana.post('/organizations', { name: 'Ana & Co', cnpj: masked(cnpj), type: 'company' })
    expect(answer.status).toBe(201)
    expect(answer.message).toBeTypeOf('string')
    expect(answer.data).toEqual({
      id: expect.any(Number),
      name: 'Ana & Co',
      status: 'publish',
      verification_status: 'pending',
      owner_id: ana.userId,
    })
    const inside = app.world.inside(ana, answer.data.id)
    const { data } = await inside.get(`/organizations/${answer.data.id}`)
    expect(data).toMatchObject({ cnpj, type: 'company', owner_id: ana.userId, parent_id: null, legal_name: null })
    const log = await inside.get('/audit-log')
    expect(log.data.map((entry: { resource: string }) => entry.resource)).toEqual(['collaborator', 'organization'])
  })
  it('201 with the prefixed names', async () => {
    const ana = await app.world.user()
    const cnpj = freshCnpj(true)
    const inside = await created(ana, {
      name: undefined,
      org_name: 'Prefixed',
      org_legalname: 'Prefixed Ltda.',
      org_documentnumber1: cnpj.toLowerCase(),
      org_documentnumber2: '123',
      org_zipcode: '01310-100',
    })
    const { data } = await inside.get(`/organizations/${idOf(inside)}`)
    expect(data).toMatchObject({
      name: 'Prefixed',
      legal_name: 'Prefixed Ltda.',
      cnpj,
      state_registration: '123',
      zipcode: '01310-100',
    })
  })
  it('201 for a user whose address is not verified, 401 without credentials', async () => {
    const pending = await app.world.user({ status: 'PENDING' })
    expect((await pending.post('/organizations', { name: 'Early' })).status).toBe(201)
    expect((await app.world.anonymous.post('/organizations', { name: 'Nobody' })).status).toBe(401)
  })
  it.each(["O'Neil & “Söhne”; drop table users--", '🚀🇧🇷', 'شركة مثال', '<b>x</b>', 'a\\b%_'])(
    '201 keeps the name %s as it is',
    async (name) => {
      const ana = await app.world.user()
      const inside = await created(ana, { name })
      expect((await inside.get(`/organizations/${idOf(inside)}`)).data.name).toBe(name)
      const found = await ana.get(`/organizations?search=${encodeURIComponent(name)}`)
      expect(found.data.map((one: { name: string }) => one.name)).toEqual([name])
    },
  )
  it('422 without a name, with a wrong one, and with a field that cannot be set', async () => {
    const ana = await app.world.user()
    const fields = async (body: unknown) => (await ana.post('/organizations', body)).errors?.fields
    expect(await fields({})).toEqual({ name: 'is required' })
    expect(Object.keys((await fields({ name: ' ' })) ?? {})).toEqual(['name'])
    expect(Object.keys((await fields({ name: 'x'.repeat(201) })) ?? {})).toEqual(['name'])
    const wrong = {
      name: 'Wrong',
      email: 'nobody',
      website: 'javascript:alert(1)',
      type: 'club',
      id: 7,
      owner_id: 7,
      organization_id: 7,
      verification_status: 'verified',
      verified_at: '2026-01-01T00:00:00.000Z',
      api_data: '{}',
      nmae: 'x',
    }
    expect(Object.keys((await fields(wrong)) ?? {}).toSorted()).toEqual(
      Object.keys(wrong)
        .filter((field) => field !== 'name')
        .toSorted(),
    )
    expect(await fields({ name: 'Wrong', cnpj: '11222333000182' })).toHaveProperty('cnpj')
  })
  it('422 for a field under both names with different values, 201 with equal ones', async () => {
    const ana = await app.world.user()
    const answer = await ana.post('/organizations', { name: 'One', org_name: 'Two' })
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['name', 'org_name']])
    expect((await ana.post('/organizations', { name: 'One', org_name: 'One' })).status).toBe(201)
  })
  it('422 when a customer sets a field of staff', async () => {
    const ana = await app.world.user()
    const answer = await ana.post('/organizations', { name: 'Mine', status: 'draft', parent_id: acme.id })
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['status', 'parent_id']])
  })
  it('409 for a CNPJ that another organization has, also for two requests at once', async () => {
    const [ana, bia] = [await app.world.user(), await app.world.user()]
    const cnpj = freshCnpj()
    const answers = await Promise.all(
      [ana, bia, ana, bia].map((one) => one.post('/organizations', { name: 'Same', cnpj })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.message).not.toContain('Same')
    expect((await app.database.query(`select 1 from organizations where cnpj = $1`, [cnpj])).length).toBe(1)
  })
  it('201 once for one Idempotency-Key', async () => {
    const ana = await app.world.user()
    const key = { 'idempotency-key': 'one-organization' }
    const first = await ana.post('/organizations', { name: 'Once' }, key)
    const again = await ana.post('/organizations', { name: 'Once' }, key)
    expect(again.data).toEqual(first.data)
    expect((await ana.get('/organizations')).meta?.total).toBe(1)
  })
})

describe('GET /organizations', () => {
  it('200 with the caller’s own organizations only, newest first, with the role', async () => {
    const ana = await app.world.user()
    const first = await created(ana, { name: 'First' })
    await created(ana, { name: 'Second', type: 'individual' })
    await created(await app.world.user(), { name: 'Not mine' })
    const { data, meta } = await ana.get('/organizations')
    expect(data.map((one: { name: string }) => one.name)).toEqual(['Second', 'First'])
    expect(meta?.total).toBe(2)
    expect(data[1]).toEqual({
      id: idOf(first),
      name: 'First',
      legal_name: null,
      cnpj: null,
      status: 'publish',
      type: null,
      verification_status: 'pending',
      owner_id: ana.userId,
      role: 'owner',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await ana.get('/organizations?type=individual')).meta?.total).toBe(1)
    expect((await ana.get('/organizations?status=draft')).meta?.total).toBe(0)
    expect((await ana.get('/organizations?stauts=draft')).status).toBe(422)
  })
  it('200 finds by name, legal name and CNPJ, ignoring case, accents and punctuation', async () => {
    const ana = await app.world.user()
    const cnpj = freshCnpj()
    await created(ana, { name: 'Padaria São João', legal_name: 'JOÃO & FILHOS ÉPICOS', cnpj })
    await created(ana, { name: '100%_sure' })
    const found = async (text: string) =>
      (await ana.get(`/organizations?search=${encodeURIComponent(text)}`)).data.map((one: { name: string }) => one.name)
    for (const text of ['sao joao', 'SÃO', 'filhos epicos', cnpj, masked(cnpj), cnpj.slice(2, 9)])
      expect(await found(text)).toEqual(['Padaria São João'])
    for (const text of ['%', '_', '0%_S']) expect(await found(text)).toEqual(['100%_sure'])
    expect(await found('\\')).toEqual([])
    expect(await found('.')).toEqual([])
  })
  it('200 without organizations in which the membership has ended or not begun', async () => {
    const member = await acme.member({ expiredAt: new Date(app.clock.now.getTime() - 1000) })
    expect((await member.get('/organizations')).data).toEqual([])
  })
})

const check = async (speaker: Speaker, text: string) =>
  (await speaker.post('/organizations/cnpj-check', { cnpj: text })).data

describe('POST /organizations/cnpj-check', () => {
  it('200 with validity, and the organization for its members only', async () => {
    const ana = await app.world.user()
    const cnpj = freshCnpj(true)
    const inside = await created(ana, { cnpj })
    const answer = { cnpj, valid: true, exists: true, legal_name: null, status: 'unknown' }
    expect(await check(ana, masked(cnpj))).toEqual({ ...answer, organization_id: idOf(inside) })
    expect(await check(acme.owner, cnpj)).toEqual({ ...answer, organization_id: null })
    expect(await check(ana, freshCnpj())).toMatchObject({ valid: true, exists: false, organization_id: null })
    for (const wrong of ['11222333000182', 'nothing', '11111111111111'])
      expect(await check(ana, wrong)).toMatchObject({ valid: false, exists: false, status: 'invalid' })
    await inside.delete(`/organizations/${idOf(inside)}`)
    expect(await check(ana, cnpj)).toMatchObject({ exists: false, organization_id: null })
  })
  it('401 without credentials, 422 without a CNPJ', async () => {
    expect((await app.world.anonymous.post('/organizations/cnpj-check', { cnpj: '1' })).status).toBe(401)
    expect((await acme.owner.post('/organizations/cnpj-check', {})).errors?.fields).toHaveProperty('cnpj')
  })
})

// The identity providers of an organization: who sets them up, and what is kept of them.
import { describe, expect, it } from 'vitest'
import { STAFF_ROLE_NAMES } from '#kernel/values/staff-roles.ts'
import { appOfFile } from '#test/harness/app.ts'
import { signOnScene } from '#test/scenes/single-sign-on.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const scene: ReturnType<typeof signOnScene> = signOnScene(app)

const SECRET = 'segredo-do-provedor'
let count = 0
const body = (more: object = {}) => ({
  name: 'Acme “login” 🔑',
  issuer: 'https://login.acme.example/tenant',
  client_id: 'titular',
  client_secret: SECRET,
  domains: [`d${++count}.acme.example`],
  ...more,
})
const make = async (more: object = {}, whose = acme) => {
  const made = await whose.owner.post('/sso/connections', body(more))
  expect(made.status).toBe(201)
  return made.data
}

describe('POST /sso/connections', () => {
  it('201 with the connection, whose domains count once they are proven', async () => {
    await scene.prove(acme, 'acme.example')
    await scene.prove(acme, 'file.acme.example', 'file')
    const domains = ['acme.example', 'file.acme.example', 'later.acme.example']
    const made = await make({ domains, member_scopes: ['tickets'] })
    expect(made).toEqual({
      id: made.id,
      organization_id: acme.id,
      name: 'Acme “login” 🔑',
      issuer: 'https://login.acme.example/tenant',
      client_id: 'titular',
      domains,
      proven_domains: ['acme.example'],
      is_required: false,
      creates_members: true,
      member_scopes: ['tickets'],
      trusts_email: false,
      last_used_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await acme.owner.get(`/sso/connections/${made.id}`)).data).toEqual(made)
    expect((await acme.owner.get('/sso/connections')).data).toContainEqual(made)
  })
  it('keeps the secret encrypted, and shows it nowhere', async () => {
    const { id } = await make()
    const [stored] = await app.database.query<{ client_secret: string }>(
      'select client_secret from sso_connections where id = $1',
      [id],
    )
    expect(stored?.client_secret).toMatch(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    const written = await app.database.query(
      `select after::text as text from audit_log where organization_id = $1 union all
       select data::text from events where organization_id = $1`,
      [acme.id],
    )
    expect(JSON.stringify(written)).not.toContain(SECRET)
    expect(JSON.stringify(written)).not.toContain(stored?.client_secret)
    expect(app.log.join('')).not.toContain(SECRET)
  })
  it('403 for all but the owner: it could sign in as anybody of the domains', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    const refused = await admin.post('/sso/connections', body())
    expect([refused.status, refused.errors?.reason]).toEqual([403, 'role_too_low'])
    expect((await admin.get('/sso/connections')).status).toBe(200)
  })
  it('403 for staff, whatever their roles: they would sign in as the owner', async () => {
    const { id } = await make()
    const before = (await acme.owner.get(`/sso/connections/${id}`)).data
    for (const role of STAFF_ROLE_NAMES) {
      const staff = await acme.staffAs(role)
      const answers = [
        await staff.post('/sso/connections', body()),
        await staff.patch(`/sso/connections/${id}`, { issuer: 'https://login.evil.example' }),
        await staff.patch(`/sso/connections/${id}`, { member_scopes: ['finances'], is_required: false }),
        await staff.delete(`/sso/connections/${id}`),
      ]
      for (const { status, errors } of answers)
        expect([role, status, errors?.reason]).toEqual([role, 403, 'role_too_low'])
    }
    expect((await acme.owner.get(`/sso/connections/${id}`)).data).toEqual(before)
  })
  it('409 for a domain of another connection, not for one of another organization', async () => {
    const { domains } = await make()
    const taken = await acme.owner.post('/sso/connections', body({ domains: ['fresh.example', ...domains] }))
    expect([taken.status, taken.errors?.reason]).toEqual([409, 'sso_domain_taken'])
    await make({ domains }, await app.world.organization())
  })
  it('409 for the eleventh, also of twelve at once', async () => {
    const other = await app.world.organization()
    const answers = await Promise.all(Array.from({ length: 12 }, () => other.owner.post('/sso/connections', body())))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([
      ...Array<string>(10).fill('201'),
      '409',
      '409',
    ])
    expect(answers.find(({ status }) => status === 409)?.errors?.reason).toBe('limit_reached')
  })
  it.each<[string, unknown]>([
    ['issuer', 'http://login.acme.example'],
    ['issuer', 'https://10.0.0.7'],
    ['issuer', 'https://printer.local'],
    ['issuer', 'https://ana:b@login.acme.example'],
    ['issuer', 'https://login.acme.example/?a=b'],
    ['issuer', 'https://login.acme.example/#a'],
    ['issuer', 'javascript:alert(1)'],
    ['client_id', ''],
    ['client_id', 'ação'],
    ['client_secret', ''],
    ['domains', []],
    ['domains.0', ['Acme.example']],
    ['domains.0', ['localhost']],
    ['domains.0', ['acme.example/']],
    ['domains', ['a.example', 'a.example']],
    ['member_scopes.0', ['everything']],
    ['is_required', true],
  ])('422 for %s %j', async (field, value) => {
    const { status, errors } = await acme.owner.post('/sso/connections', body({ [field.split('.')[0] ?? '']: value }))
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, [field]])
  })
})

describe('PATCH and DELETE /sso/connections/{id}', () => {
  it('200 with what was given; another secret replaces the first', async () => {
    const { id, domains } = await make()
    const secretOf = async () =>
      (await app.database.query('select client_secret from sso_connections where id = $1', [id]))[0]
    const before = await secretOf()
    const renamed = await acme.owner.patch(`/sso/connections/${id}`, { name: 'Entra', domains })
    expect([renamed.data.name, await secretOf()]).toEqual(['Entra', before])
    await acme.owner.patch(`/sso/connections/${id}`, { client_secret: 'another', creates_members: false })
    expect(await secretOf()).not.toEqual(before)
  })
  it('404 for another organization’s', async () => {
    const { id } = await make()
    const { owner } = await app.world.organization()
    for (const answer of [
      await owner.get(`/sso/connections/${id}`),
      await owner.patch(`/sso/connections/${id}`, { name: 'x' }),
      await owner.delete(`/sso/connections/${id}`),
    ])
      expect(answer.status).toBe(404)
    expect((await acme.owner.delete(`/sso/connections/${id}`)).status).toBe(200)
    expect((await acme.owner.delete(`/sso/connections/${id}`)).status).toBe(404)
  })
})

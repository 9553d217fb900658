import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { usualCompany } from '#kernel/values/company.ts'
import { type Mailbox, mailboxOf } from '#test/harness/mailed-links.ts'

let count = 0

const app = await appOfFile()
const nobody = app.world.anonymous
const mailbox: Mailbox = mailboxOf(app)

const password = 'vento-Lilás 7'
const newPassword = 'brisa-Azul 8'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const me = (token: string) => nobody.get('/auth/me', bearer(token))
const login = (email: string, typed = password) => nobody.post('/auth/login', { email, password: typed })

async function registered() {
  const email = `account+${++count}@example.com`
  const { data } = await nobody.post('/auth/register', { email, password, name: 'Ana' })
  return { email, token: data.access_token as string, refresh: data.refresh_token as string }
}
/** Registered, and proven by the registrant. */
async function proven() {
  const who = await registered()
  const { token } = await mailbox.link(who.email, '/verify-account')
  expect((await nobody.post('/auth/verify-account', { email: who.email, token, password })).status).toBe(200)
  return who
}

describe('GET /auth/me', () => {
  it('200 with the organizations, their roles, scopes and capabilities', async () => {
    const acme = await app.world.organization({ name: 'Acme' })
    const member = await acme.member({ scopes: ['tickets', 'quotes'] })
    const { data } = await member.get('/auth/me')
    const scopes = ['tickets', 'quotes', 'entitlements']
    const capabilities = scopes.map((scope) => `titular_manage_${scope}`)
    const itself = { id: acme.id, name: 'Acme', role: 'member', company: 'entity_br' }
    expect(data.organizations).toEqual([{ ...itself, scopes, capabilities }])
    const owner = await acme.owner.get('/auth/me')
    expect(owner.data.organizations[0]).toMatchObject({ role: 'owner' })
    expect(owner.data.organizations[0].scopes).toHaveLength(10)
    expect(owner.data).not.toHaveProperty('password_hash')
  })
  it.each([
    null,
    'BR',
    ' brasil',
    'Brazil',
    'Brasil\u00A0',
    'BR\uFEFF',
    '\u0085bra',
    'US',
    '',
    'Brazilian',
    'braſil',
    'ﬀ 🦊',
  ])('200 with the legal entity that bills a customer in %j, which its contracts get too', async (country) => {
    const acme = await app.world.organization()
    await app.database.query('update organizations set country = $2 where id = $1', [acme.id, country])
    const { company } = (await acme.owner.get('/auth/me')).data.organizations[0]
    expect(company).toBe(usualCompany(country))
    expect(
      (
        await acme.staff.post('/contracts', {
          title: 'Hosting',
          terms: 'All of it',
          start_date: '2026-01-01',
          end_date: '2026-12-31',
        })
      ).data,
    ).toMatchObject({ company })
  })
  it('200 without organizations that are deleted, and memberships that have ended or are not yet accepted', async () => {
    const acme = await app.world.organization()
    const over = await acme.member({ expiredAt: new Date(app.clock.now.getTime() - 1000) })
    const invited = await acme.member({ role: 'pending' })
    const other = await app.world.organization()
    await app.database.query(`update organizations set deleted_at = now() where id = $1`, [other.id])
    for (const who of [over, invited, other.owner]) expect((await who.get('/auth/me')).data.organizations).toEqual([])
  })
  it('401 without credentials, 422 with an unknown parameter', async () => {
    expect((await nobody.get('/auth/me')).status).toBe(401)
    expect((await me((await registered()).token)).status).toBe(200)
    expect((await nobody.get('/auth/me?full=1', bearer((await registered()).token))).status).toBe(422)
  })
})

const put = (token: string, body: unknown) => nobody.put('/auth/me', body, bearer(token))

describe('PUT /auth/me', () => {
  it('200 changes only the given fields; null clears', async () => {
    const { token } = await registered()
    const change = {
      name: 'Zoë 🦜',
      phone: '+55 11 5555-0101',
      avatar: 'https://a.example/1.png',
      language: 'pt-BR',
      provider: 'sso',
    }
    expect((await put(token, change)).data).toMatchObject(change)
    const cleared = await put(token, { phone: null, avatar: null })
    expect(cleared.data).toMatchObject({ ...change, phone: null, avatar: null })
    expect((await put(token, {})).data).toEqual(cleared.data)
  })
  it('422 for fields that users cannot change', async () => {
    const { token } = await registered()
    const body = { id: 1, login: 'root', status: 'ACTIVE', roles: ['administrator'], avatar: 'javascript:1', name: '' }
    const answer = await put(token, body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {}).toSorted()).toEqual(Object.keys(body).toSorted())
    expect((await me(token)).data).toMatchObject({ status: 'PENDING', roles: ['customer'] })
  })
  it('200 makes one of the user’s organizations the active one, which the next token names; 422 for any other', async () => {
    const acme = await app.world.organization()
    const other = await app.world.organization()
    const member = await acme.member()
    expect((await member.put('/auth/me', { active_team_id: acme.id })).data.active_team_id).toBe(acme.id)
    for (const id of [other.id, 999_999])
      expect((await member.put('/auth/me', { active_team_id: id })).errors?.fields).toHaveProperty('active_team_id')
    await app.database.query(`delete from collaborators where user_id = $1`, [member.userId])
    expect((await member.get('/auth/me')).data.active_team_id).toBeNull()
  })
  it('200 with the current password for a new one; then every session ends and the user gets a mail', async () => {
    const { email, token, refresh } = await proven()
    expect((await put(token, { password: newPassword })).errors?.fields).toHaveProperty('current_password')
    expect((await put(token, { password: newPassword, current_password: 'wrong' })).errors?.fields).toEqual({
      current_password: 'is wrong',
    })
    expect((await put(token, { password: 'password', current_password: password })).errors?.fields).toHaveProperty(
      'password',
    )
    expect((await put(token, { password: newPassword, current_password: password })).status).toBe(200)
    expect((await me(token)).status).toBe(401)
    expect((await nobody.post('/auth/refresh', { refresh_token: refresh })).status).toBe(401)
    expect((await login(email)).status).toBe(401)
    expect((await login(email, newPassword)).status).toBe(200)
    expect((await mailbox.newest(email)).subject).toBe('Your Titular password was changed')
  })
  it('200 for one of two changes of the password at once', async () => {
    const { token } = await proven()
    const answers = await Promise.all(
      ['brisa-Azul 8', 'brisa-Azul 9'].map((one) => put(token, { password: one, current_password: password })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)[0]).toBe(200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

const check = (email: string) => nobody.post('/auth/check-user', { email })

describe('POST /auth/check-user', () => {
  it('200 with whether the account exists, and its status', async () => {
    const { email } = await registered()
    expect((await check(email.toUpperCase())).data).toEqual({ exists: true, status: 'PENDING' })
    expect((await check((await app.world.user()).email)).data).toEqual({ exists: true, status: 'ACTIVE' })
    expect((await check('nobody@example.com')).data).toEqual({ exists: false, status: null })
  })
  it('422 without an address', async () => {
    expect((await nobody.post('/auth/check-user', { email: 'x' })).status).toBe(422)
  })
})

const forgot = (email: string) => nobody.post('/auth/forgot-password', { email })

const reset = (body: Record<string, string>) => nobody.post('/auth/reset-password', { password: newPassword, ...body })

describe('POST /auth/forgot-password, /validate-reset-token, /reset-password', () => {
  it('202 for known and unknown addresses; 200 with the key; all sessions end', async () => {
    const { email, token, refresh } = await proven()
    const known = await forgot(email)
    const unknown = await forgot('nobody@example.com')
    expect([known.status, known.message]).toEqual([unknown.status, unknown.message])
    expect(known.status).toBe(202)
    const link = await mailbox.link(email, '/reset-password')
    const validate = (body: Record<string, string>) => nobody.post('/auth/validate-reset-token', body)
    expect((await validate(link)).data).toEqual({ valid: true })
    expect((await validate({ ...link, email: 'nobody@example.com' })).data).toEqual({ valid: false })
    expect((await validate({ ...link, key: 'x' })).data).toEqual({ valid: false })
    expect((await reset({ ...link, password: 'password' })).errors?.fields).toHaveProperty('password')
    expect((await reset(link)).status).toBe(200)
    expect((await validate(link)).data).toEqual({ valid: false })
    expect((await reset(link)).errors?.fields).toHaveProperty('key')
    expect((await me(token)).status).toBe(401)
    expect((await nobody.post('/auth/refresh', { refresh_token: refresh })).status).toBe(401)
    expect((await login(email)).status).toBe(401)
    expect((await login(email, newPassword)).status).toBe(200)
    expect((await mailbox.newest(email)).subject).toBe('Your Titular password was changed')
    expect(await mailbox.of('nobody@example.com')).toEqual([])
  })
  it('200 for one of two uses of the key at once', async () => {
    const { email } = await proven()
    await forgot(email)
    const link = await mailbox.link(email, '/reset-password')
    const answers = await Promise.all(Array.from({ length: 6 }, () => reset(link)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
  })
  it('422 after an hour, after a newer key, after a new password, and for a key of another purpose', async () => {
    const { email, token } = await proven()
    await forgot(email)
    const old = await mailbox.link(email, '/reset-password')
    await forgot(email)
    const newer = await mailbox.link(email, '/reset-password')
    expect((await reset(old)).status).toBe(422)
    const kept = app.clock.now
    app.clock.advance(3600)
    expect((await reset(newer)).status).toBe(422)
    app.clock.now = kept
    await nobody.put('/auth/me', { password: newPassword, current_password: password }, bearer(token))
    expect((await reset(newer)).status).toBe(422)
    const pending = await registered()
    const { token: verification = '' } = await mailbox.link(pending.email, '/verify-account')
    expect((await reset({ email: pending.email, key: verification })).status).toBe(422)
  })
  it('200 proves the address, and ends the access of somebody who registered with it before', async () => {
    const squatter = await registered()
    await app.service.worker.drain()
    app.clock.advance(1)
    await forgot(squatter.email)
    expect((await reset(await mailbox.link(squatter.email, '/reset-password'))).status).toBe(200)
    expect((await me(squatter.token)).status).toBe(401)
    expect((await login(squatter.email)).status).toBe(401)
    const { data } = await login(squatter.email, newPassword)
    expect((await me(data.access_token)).data.status).toBe('ACTIVE')
  })
  it('202 without a mail for a disabled account', async () => {
    const { email } = await proven()
    const before = (await mailbox.of(email)).length
    await app.database.query(`update users set disabled_at = now() where email = $1`, [email])
    expect((await forgot(email)).status).toBe(202)
    expect(await mailbox.of(email)).toHaveLength(before)
  })
})

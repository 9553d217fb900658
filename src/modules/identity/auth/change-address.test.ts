// Changing an account's address: it needs the password, takes effect once proven, and can be undone for 24 hours.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { accountsOf, bearer, password } from '#test/scenes/own-account.ts'

const app = await appOfFile()
const accounts: ReturnType<typeof accountsOf> = accountsOf(app)

describe('PUT /auth/me with a new address', () => {
  it('422 without the current password, or with a wrong one; nothing is changed or mailed', async () => {
    const { email, token } = await accounts.proven()
    const before = (await accounts.mailbox.of(email)).length
    const to = accounts.later()
    for (const [current, message] of [
      [undefined, 'is required for a new e-mail address'],
      ['wrong', 'is wrong'],
    ]) {
      const answer = await accounts.put(token, { email: to, name: 'Eve', current_password: current })
      expect([answer.status, answer.errors?.fields]).toEqual([422, { current_password: message }])
    }
    expect(await accounts.mailbox.of(to)).toEqual([])
    expect(await accounts.mailbox.of(email)).toHaveLength(before)
    expect((await accounts.me(token)).data).toMatchObject({ email, name: 'Ana' })
  })
  it('422 names the missing current password together with all other problems', async () => {
    const { email, token } = await accounts.proven()
    const names = async (body: object) =>
      Object.keys((await accounts.put(token, { current_password: undefined, ...body })).errors?.fields ?? {}).toSorted()
    expect(await names({ email: accounts.later(), name: '' })).toEqual(['current_password', 'name'])
    expect(await names({ password: 'short' })).toEqual(['current_password', 'password'])
    expect(await names({ email: email.toUpperCase(), name: '' })).toEqual(['name'])
  })
  it('422 for an account without a password, which must set one first', async () => {
    const user = await app.world.user()
    const answer = await user.put('/auth/me', { email: accounts.later(), current_password: password })
    expect(answer.errors?.fields).toEqual({
      current_password: 'there is none yet; set one by POST /auth/forgot-password',
    })
  })
  it('200 takes effect once it is proven; the old address gets a mail both times, in the user’s language', async () => {
    const { email, token } = await accounts.proven()
    await accounts.put(token, { language: 'pt-BR' })
    const to = accounts.later('Moved')
    app.clock.advance(1)
    expect((await accounts.put(token, { email: to })).data.email).toBe(email)
    const asked = await accounts.mailbox.newest(email)
    expect(asked.subject).toBe('Pediram a troca do e-mail da sua conta em Titular')
    expect(asked.text).toContain(to)
    expect((await accounts.login(to)).status).toBe(401)
    const link = await accounts.mailbox.link(to, '/verify-account')
    expect(link['email']).toBe(to)
    app.clock.advance(1)
    const answer = await accounts.verify(link)
    expect([answer.status, answer.data.password_required, answer.data.reset_key]).toEqual([200, false, null])
    expect((await accounts.me(token)).data.email).toBe(to)
    expect((await accounts.login(email)).status).toBe(401)
    expect((await accounts.login(to)).status).toBe(200)
    const notice = await accounts.mailbox.newest(email)
    expect(notice.subject).toBe('Seu e-mail em Titular foi alterado')
    expect(notice.text).toContain(to)
  })
  it('200 for another account’s address too, which reveals nothing; 409 when it is proven', async () => {
    const { email, token } = await accounts.proven()
    const other = await app.world.user()
    const free = await accounts.put(token, { email: accounts.later() })
    const taken = await accounts.put(token, { email: other.email })
    expect([taken.status, taken.message]).toEqual([free.status, free.message])
    expect((await accounts.verify(await accounts.mailbox.link(other.email, '/verify-account'))).status).toBe(409)
    expect((await accounts.me(token)).data.email).toBe(email)
  })
  it('200 with another spelling at once and without the password, which also cancels a pending change', async () => {
    const { email, token } = await accounts.proven()
    const to = accounts.later()
    await accounts.put(token, { email: to })
    const link = await accounts.mailbox.link(to, '/verify-account')
    const spelt = await accounts.nobody.put('/auth/me', { email: email.toUpperCase() }, bearer(token))
    expect(spelt.data.email).toBe(email.toUpperCase())
    expect((await accounts.verify(link)).status).toBe(422)
  })
  it('200 sends no mail to an address that was never proven, so that a typing error gives nobody the account', async () => {
    const wrong = accounts.later('typo')
    const { data } = await accounts.register(wrong)
    await app.service.worker.drain()
    const to = accounts.later()
    expect((await accounts.put(data.access_token, { email: to })).status).toBe(200)
    const link = await accounts.mailbox.link(to, '/verify-account')
    expect((await accounts.verify({ ...link, password })).data.password_required).toBe(false)
    expect((await accounts.mailbox.of(wrong)).map(({ subject }) => subject)).toEqual([
      'Confirm your e-mail address for Titular',
    ])
    expect((await accounts.register(wrong)).status).toBe(201)
  })
})

// A new e-mail address: it needs the password, counts once it is proven, and the old one can undo it for a day.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../test/app.ts'
import { type Mailbox, mailboxOf } from '../../../test/mailed-links.ts'
import type { Speaker } from '../../../test/world.ts'

let app: TestApp
let nobody: Speaker
let mailbox: Mailbox
let count = 0

beforeAll(async () => {
  app = await startApp()
  nobody = app.world.anonymous
  mailbox = mailboxOf(app)
})
afterAll(() => app.close())

const password = 'vento-Lilás 7'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const me = (token: string) => nobody.get('/auth/me', bearer(token))
const login = (email: string, word = password) => nobody.post('/auth/login', { email, password: word })
const register = (email: string) => nobody.post('/auth/register', { email, password, name: 'Ana' })
const verify = (body: object) => nobody.post('/auth/verify-account', body)
const put = (token: string, body: object) =>
  nobody.put('/auth/me', { current_password: password, ...body }, bearer(token))
const later = (name = 'moved') => `${name}+${++count}@example.com`

async function proven() {
  const email = later('address')
  const { data } = await register(email)
  const link = await mailbox.link(email, '/verify-account')
  expect((await verify({ ...link, password })).status).toBe(200)
  return { email, token: data.access_token as string, refresh: data.refresh_token as string }
}

describe('PUT /auth/me with a new address', () => {
  it('422 without the current password, or with a wrong one; nothing is changed or mailed', async () => {
    const { email, token } = await proven()
    const before = (await mailbox.of(email)).length
    const to = later()
    for (const [current, message] of [
      [undefined, 'is required for a new e-mail address'],
      ['wrong', 'is wrong'],
    ]) {
      const answer = await put(token, { email: to, name: 'Eve', current_password: current })
      expect([answer.status, answer.errors?.fields]).toEqual([422, { current_password: message }])
    }
    expect(await mailbox.of(to)).toEqual([])
    expect(await mailbox.of(email)).toHaveLength(before)
    expect((await me(token)).data).toMatchObject({ email, name: 'Ana' })
  })
  it('422 names the missing current password beside whatever else is wrong', async () => {
    const { email, token } = await proven()
    const names = async (body: object) =>
      Object.keys((await put(token, { current_password: undefined, ...body })).errors?.fields ?? {}).toSorted()
    expect(await names({ email: later(), name: '' })).toEqual(['current_password', 'name'])
    expect(await names({ password: 'short' })).toEqual(['current_password', 'password'])
    expect(await names({ email: email.toUpperCase(), name: '' })).toEqual(['name'])
  })
  it('422 for an account without a password, which sets one first', async () => {
    const user = await app.world.user()
    const answer = await user.put('/auth/me', { email: later(), current_password: password })
    expect(answer.errors?.fields).toEqual({
      current_password: 'there is none yet; set one by POST /auth/forgot-password',
    })
  })
  it('200 counts once it is proven; the old address is told both times, in its language', async () => {
    const { email, token } = await proven()
    await put(token, { language: 'pt-BR' })
    const to = later('Moved')
    app.clock.advance(1)
    expect((await put(token, { email: to })).data.email).toBe(email)
    const asked = await mailbox.newest(email)
    expect(asked.subject).toBe('Pediram a troca do e-mail da sua conta em Titular')
    expect(asked.text).toContain(to)
    expect((await login(to)).status).toBe(401)
    const link = await mailbox.link(to, '/verify-account')
    expect(link['email']).toBe(to)
    app.clock.advance(1)
    const answer = await verify(link)
    expect([answer.status, answer.data.password_required, answer.data.reset_key]).toEqual([200, false, null])
    expect((await me(token)).data.email).toBe(to)
    expect((await login(email)).status).toBe(401)
    expect((await login(to)).status).toBe(200)
    const told = await mailbox.newest(email)
    expect(told.subject).toBe('Seu e-mail em Titular foi alterado')
    expect(told.text).toContain(to)
  })
  it('200 for another account’s address too, which tells nothing; 409 when it is to be proven', async () => {
    const { email, token } = await proven()
    const other = await app.world.user()
    const free = await put(token, { email: later() })
    const taken = await put(token, { email: other.email })
    expect([taken.status, taken.message]).toEqual([free.status, free.message])
    expect((await verify(await mailbox.link(other.email, '/verify-account'))).status).toBe(409)
    expect((await me(token)).data.email).toBe(email)
  })
  it('200 with another spelling at once and without the password, which also takes back a change that waits', async () => {
    const { email, token } = await proven()
    const to = later()
    await put(token, { email: to })
    const link = await mailbox.link(to, '/verify-account')
    const spelt = await nobody.put('/auth/me', { email: email.toUpperCase() }, bearer(token))
    expect(spelt.data.email).toBe(email.toUpperCase())
    expect((await verify(link)).status).toBe(422)
  })
  it('200 tells a never proven address nothing, so that a slip of the keyboard gives nobody the account', async () => {
    const wrong = later('typo')
    const { data } = await register(wrong)
    await app.service.worker.drain()
    const to = later()
    expect((await put(data.access_token, { email: to })).status).toBe(200)
    const link = await mailbox.link(to, '/verify-account')
    expect((await verify({ ...link, password })).data.password_required).toBe(false)
    expect((await mailbox.of(wrong)).map(({ subject }) => subject)).toEqual(['Confirm your e-mail address for Titular'])
    expect((await register(wrong)).status).toBe(201)
  })
})

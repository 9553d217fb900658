// A user with an account and a mailbox, and their requests without the session that test scenes otherwise make.
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'

export const password = 'vento-Lilás 7'
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export function accountsOf(app: TestApp) {
  const nobody = app.world.anonymous
  const mailbox = mailboxOf(app)
  let count = 0
  const later = (name = 'moved') => `${name}+${++count}@example.com`
  const register = (email: string) => nobody.post('/auth/register', { email, password, name: 'Ana' })
  const verify = (body: object) => nobody.post('/auth/verify-account', body)
  return {
    nobody,
    mailbox,
    later,
    register,
    verify,
    me: (token: string) => nobody.get('/auth/me', bearer(token)),
    login: (email: string, word = password) => nobody.post('/auth/login', { email, password: word }),
    put: (token: string, body: object) =>
      nobody.put('/auth/me', { current_password: password, ...body }, bearer(token)),
    /** Registers, and confirms the address, keeping the password. */
    async proven() {
      const email = later('address')
      const { data } = await register(email)
      const link = await mailbox.link(email, '/verify-account')
      expect((await verify({ ...link, password })).status).toBe(200)
      return { email, token: data.access_token as string, refresh: data.refresh_token as string }
    },
  }
}

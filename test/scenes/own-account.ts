// A user with an account and a mailbox, and their requests without the session that test scenes otherwise make.
import { expect } from 'vitest'
import type { SystemContext } from '#kernel/data/context.ts'
import { SYSTEM_CALLER } from '#kernel/access/transactions.ts'
import type { TestApp } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'

export const password = 'vento-Lilás 7'
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export type Accounts = ReturnType<typeof accountsOf>

export function accountsOf(app: TestApp) {
  const nobody = app.world.anonymous
  const mailbox = mailboxOf(app)
  let count = 0
  const later = (name = 'moved') => `${name}+${++count}@example.com`
  const register = (email: string, name = 'Ana') => nobody.post('/auth/register', { email, password, name })
  const me = (token: string) => nobody.get('/auth/me', bearer(token))
  const verify = (body: object) => nobody.post('/auth/verify-account', body)
  return {
    nobody,
    mailbox,
    later,
    register,
    verify,
    me,
    login: (email: string, word = password) => nobody.post('/auth/login', { email, password: word }),
    put: (token: string, body: object) =>
      nobody.put('/auth/me', { current_password: password, ...body }, bearer(token)),
    /** An account whose address nobody has confirmed. */
    async registered({ email = later('own'), name = 'Ana 🦜 Souza' }: { email?: string; name?: string } = {}) {
      const answer = await register(email, name)
      expect(answer.status).toBe(201)
      const { access_token: token, refresh_token: refresh } = answer.data as Record<string, string>
      const { data: user } = await me(String(token))
      return { email, id: user.id as number, token: String(token), refresh: String(refresh) }
    },
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

export const asSystem = <Result>(
  app: TestApp,
  run: (ctx: SystemContext) => Promise<Result>,
  caller = SYSTEM_CALLER,
): Promise<Result> => {
  const origin = {
    caller,
    now: app.clock.now,
    requestId: 'test-request',
    ip: null,
    settings: app.service.ports.settings,
    store: app.service.store(),
  }
  return app.service.transactions.asSystem('a test', { ...origin, consumers: { jobsFor: () => [] } }, run)
}

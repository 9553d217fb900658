// Race conditions: signing in while the account changes.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Answer } from '#test/harness/world.ts'

let count = 0

const app = await appOfFile()
const nobody = app.world.anonymous

const password = 'vento-Lilás 7'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function registered() {
  const email = `race${++count}@example.com`
  const { data } = await nobody.post('/auth/register', { email, password, name: 'Ana' })
  return { email, token: data.access_token as string, refresh: data.refresh_token as string }
}
const meanwhile = (ask: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: 6 }, (_, index) => new Promise((resolve) => setTimeout(resolve, index * 4)).then(ask)),
  )

/** Tokens issued before the change have ended; sign-ins after it got none. */
async function expectNobodyIn(answers: Answer[]): Promise<void> {
  for (const { status, data } of answers) {
    expect([200, 401]).toContain(status)
    const token = status === 200 ? (data.access_token as string) : 'none'
    expect((await nobody.get('/auth/me', bearer(token))).status).toBe(401)
  }
}

describe('a change of the password', () => {
  it('leaves no session that was opened with the old password at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, token } = await registered()
      const body = { password: 'brisa-Azul 8', current_password: password }
      const [changed, answers] = await Promise.all([
        nobody.put('/auth/me', body, bearer(token)),
        meanwhile(() => nobody.post('/auth/login', { email, password })),
      ])
      expect(changed.status).toBe(200)
      await expectNobodyIn(answers)
    }
  })
  it('leaves no tokens that were refreshed in the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { token, refresh } = await registered()
      const body = { password: 'brisa-Azul 8', current_password: password }
      const [changed, answers] = await Promise.all([
        nobody.put('/auth/me', body, bearer(token)),
        meanwhile(() => nobody.post('/auth/refresh', { refresh_token: refresh })),
      ])
      expect(changed.status).toBe(200)
      await expectNobodyIn(answers)
    }
  })
})

describe('two accounts that move to one address', () => {
  it('200 for one, 409 for the other', async () => {
    const to = 'wanted@example.com'
    const mailbox = mailboxOf(app)
    const links = []
    for (const { token } of [await registered(), await registered()]) {
      expect((await nobody.put('/auth/me', { email: to, current_password: password }, bearer(token))).status).toBe(200)
      links.push(await mailbox.link(to, '/verify-account'))
    }
    const answers = await Promise.all(links.map((link) => nobody.post('/auth/verify-account', link)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })
  it('200 or 409, never both, against a registration of that address', async () => {
    const mailbox = mailboxOf(app)
    for (let round = 0; round < 4; round++) {
      const to = `wanted${round}@example.com`
      const { token } = await registered()
      await nobody.put('/auth/me', { email: to, current_password: password }, bearer(token))
      const link = await mailbox.link(to, '/verify-account')
      const answers = await Promise.all([
        nobody.post('/auth/verify-account', link),
        nobody.post('/auth/register', { email: to.toUpperCase(), password, name: 'Ana' }),
      ])
      expect([
        [200, 409],
        [201, 409],
      ]).toContainEqual(answers.map(({ status }) => status).toSorted((one, other) => one - other))
    }
  })
})

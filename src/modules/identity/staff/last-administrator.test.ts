// The last administrator stays, whatever takes an administrator away, also when two act at once.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

let app: TestApp | undefined
let one: Speaker
let other: Speaker
afterAll(() => app?.close())

beforeEach(async () => {
  app ??= await startApp()
  await app.database.query(`update users set roles = '{customer}'`)
  one = await app.world.user({ roles: ['customer', 'administrator'] })
  other = await app.world.user({ roles: ['customer', 'administrator', 'support'] })
})

const administrators = async (): Promise<number> => {
  const rows = await app?.database.query<{ id: number }>(
    `select id from users where 'administrator' = any(roles) and disabled_at is null`,
  )
  return rows?.length ?? 0
}

/** Each takes an administrator away. */
const ACTS: Record<string, (by: Speaker, id: number) => Promise<Answer>> = {
  'PUT /admin/staff/{id}': (by, id) => by.put(`/admin/staff/${id}`, { roles: ['sales'], reason: 'Less' }),
  'DELETE /admin/staff/{id}': (by, id) => by.delete(`/admin/staff/${id}?reason=Leaves`),
  'POST /admin/users/{id}/disable': (by, id) => by.post(`/admin/users/${id}/disable`),
}
const PAIRS = Object.keys(ACTS).flatMap((first) => Object.keys(ACTS).map((second) => [first, second] as const))

describe.each(Object.entries(ACTS))('%s', (_, act) => {
  it('200 for one of two, 409 for the last one', async () => {
    expect((await act(one, other.userId)).status).toBe(200)
    expect((await act(one, one.userId)).status).toBe(409)
    expect(await administrators()).toBe(1)
  })
  it('409 when the other administrator is disabled or not verified', async () => {
    for (const change of [`disabled_at = now()`, `status = 'PENDING'`]) {
      await app?.database.query(`update users set disabled_at = null, status = 'ACTIVE' where id = $1`, [other.userId])
      await app?.database.query(`update users set ${change} where id = $1`, [other.userId])
      expect((await act(one, one.userId)).status).toBe(409)
    }
  })
})

it('200 for oneself while another one remains', async () => {
  expect((await one.put(`/admin/staff/${one.userId}`, { roles: ['auditor'], reason: 'Less' })).status).toBe(200)
  expect((await one.get('/admin/staff')).status).toBe(200)
  expect((await one.put(`/admin/staff/${one.userId}`, { roles: ['administrator'], reason: 'Back' })).status).toBe(403)
})

describe('two who take each other away at once', () => {
  it.each(PAIRS)('%s and %s leave one administrator', async (first, second) => {
    for (let attempt = 0; attempt < 4; attempt++) {
      await app?.database.query(
        `update users set roles = '{customer,administrator}', disabled_at = null where id = any($1)`,
        [[one.userId, other.userId]],
      )
      await app?.database.query('update sessions set ended_at = null')
      const answers = await Promise.all([ACTS[first]?.(one, other.userId), ACTS[second]?.(other, one.userId)])
      const statuses = answers.map((answer) => answer?.status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.find((status) => status !== 200)).toBeOneOf([401, 403, 409])
      expect(await administrators()).toBe(1)
    }
  })
})

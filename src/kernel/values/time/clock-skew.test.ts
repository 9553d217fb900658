// Two instances whose clocks differ: what has just begun on one counts on the other, if it is up to a minute behind.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { apiKey } from '#test/scenes/records.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()

/** Makes a request to an instance whose clock is so far behind. */
async function behind<Result>(seconds: number, ask: () => Promise<Result>): Promise<Result> {
  app.clock.advance(-seconds)
  try {
    return await ask()
  } finally {
    app.clock.advance(seconds)
  }
}

/** A member since this moment, as by accepting an invitation, who signed in earlier. */
async function joined(): Promise<Speaker> {
  const member = await acme.member({ scopes: ['quotes'] })
  app.clock.advance(600)
  await app.database.query('update collaborators set started_at = $1 where user_id = $2', [
    app.clock.now,
    member.userId,
  ])
  return member
}
const statusesOf = async (who: Speaker) => ({
  read: (await who.get('/quotes')).status,
  change: (await who.post('/quotes/999999999/reject')).status,
  organizations: (await who.get('/organizations')).meta?.total,
  memberships: (await who.get('/auth/me')).data.organizations.length,
})

describe('a membership that has just begun', () => {
  it('counts where the clock is up to a minute behind, not more', async () => {
    const member = await joined()
    const inside = { read: 200, change: 404, organizations: 1, memberships: 1 }
    for (const seconds of [0, 45, 60])
      expect(await behind(seconds, () => statusesOf(member)), `${seconds}`).toEqual(inside)
    const refused = { read: 403, change: 403, organizations: 0, memberships: 0 }
    expect(await behind(61, () => statusesOf(member))).toEqual(refused)
  })
  it('counts for the keys that the member made', async () => {
    const { owner } = acme
    await app.database.query('update collaborators set started_at = $1 where user_id = $2', [
      app.clock.now,
      owner.userId,
    ])
    const headers = await apiKey(app, acme, { permission: 'read', scopes: ['quotes'] })
    const key = app.world.speaker({ ...headers, 'x-service-organization': String(acme.id) }, owner)
    expect((await behind(45, () => key.get('/quotes'))).status).toBe(200)
    expect((await behind(61, () => key.get('/quotes'))).status).toBe(401)
    await app.database.query('update collaborators set started_at = null where user_id = $1', [owner.userId])
  })
  it('is answered as active', async () => {
    const member = await joined()
    const status = async () => {
      const { data } = await acme.owner.get(`/organizations/${acme.id}/collaborators`)
      return data.find((one: { user_id: number }) => one.user_id === member.userId).status
    }
    expect(await behind(45, status)).toBe('active')
    expect(await behind(61, status)).toBe('scheduled')
  })
  it('ends exactly at expired_at', async () => {
    const member = await acme.member({ scopes: ['quotes'], expiredAt: app.clock.now })
    expect((await member.get('/quotes')).status).toBe(403)
    expect((await behind(1, () => member.get('/quotes'))).status).toBe(200)
  })
})

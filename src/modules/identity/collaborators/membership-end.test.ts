// Memberships with an end: the warning a week before, and the event at the end.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailboxOf } from '#test/harness/mailed-links.ts'
import type { Organization } from '#test/harness/world.ts'
import { at, idOf } from '#test/scenes/collaborators.ts'

const DAY = 86_400
let app: TestApp
let acme: Organization
// One for each: what is written without the service has the database's time, which the clock leaves behind.
beforeEach(async () => {
  app = await startApp()
  acme = await app.world.organization()
})
afterEach(() => app.close())

const inDays = (days: number) => new Date(app.clock.now.getTime() + days * DAY * 1000)

/** Runs the job as it runs each minute. */
async function follow() {
  await app.database.query(`insert into jobs (kind, run_at) values ('collaborators/propagate-ends', $1)`, [
    app.clock.now,
  ])
  await app.service.worker.drain()
}
async function member(days: number) {
  const who = await acme.member({ scopes: ['quotes'], expiredAt: inDays(days) })
  return { who, id: await idOf(app, acme, who) }
}
const eventsOf = async (id: number) =>
  (
    await app.database.query<{ type: string }>(
      `select type from events where organization_id = $1 and resource = 'collaborator' and resource_id = $2
         and type ~ '(expiring|expired)$' order by sequence`,
      [acme.id, id],
    )
  ).map(({ type }) => type.split('/').at(-1))

describe('a membership that ends', () => {
  it('is announced a week before, to the member and the owner, once', async () => {
    const { who, id } = await member(10)
    await follow()
    expect(await eventsOf(id)).toEqual([])
    app.clock.advance(3 * DAY)
    await follow()
    await follow()
    expect(await eventsOf(id)).toEqual(['expiring'])
    const mails = await mailboxOf(app).of(who.email)
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining(acme.name)])
    const { subject } = await mailboxOf(app).newest(acme.owner.email)
    expect(subject).toContain('ends soon')
    app.clock.advance(7 * DAY)
    await follow()
    await follow()
    expect(await eventsOf(id)).toEqual(['expiring', 'expired'])
  })
  it('is announced anew when it is prolonged, and no mail tells of an end that has moved', async () => {
    const { who, id } = await member(8)
    app.clock.advance(2 * DAY)
    await follow()
    await app.database.query('update collaborators set expired_at = $2 where id = $1', [id, inDays(20)])
    await follow()
    expect(await eventsOf(id)).toEqual(['expiring'])
    app.clock.advance(14 * DAY)
    await follow()
    expect(await eventsOf(id)).toEqual(['expiring', 'expiring'])
    expect((await mailboxOf(app).of(who.email)).length).toBeGreaterThan(0)
  })
  it('has no warning when it was shorter than a week from the start, and none for invites', async () => {
    const { id } = await member(3)
    const invited = await acme.owner.post(at(acme), {
      email: 'short@example.com',
      expired_at: inDays(5).toISOString(),
    })
    await follow()
    expect([await eventsOf(id), await eventsOf(invited.data.id)]).toEqual([[], []])
    app.clock.advance(6 * DAY)
    await follow()
    expect([await eventsOf(id), await eventsOf(invited.data.id)]).toEqual([['expired'], []])
  })
})

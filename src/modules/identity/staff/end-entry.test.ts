// Entries of staff over all organizations: the list, and the end before their time.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile({ environment: { STAFF_ENTRY: 'reason', STAFF_ENTRY_MINUTES: '30' } })
const acme = await app.world.organization({ name: 'Zoë “Z”' })
const other = await app.world.organization()
const boss = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })

async function enter(who: Speaker, org: Organization, body: object = {}): Promise<number> {
  const answer = await who.post(`/admin/organizations/${org.id}/entries`, { reason: 'Ticket “7” \u{1F511}', ...body })
  expect(answer.status).toBe(201)
  return answer.data.id
}
const end = (who: Speaker, id: number | string) => who.post(`/admin/entries/${id}/end`)
const listed = async (query: string, who: Speaker = boss): Promise<number[]> => {
  const answer = await who.get(`/admin/entries?${query}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data.map(({ id }: { id: number }) => id)
}

describe('GET /admin/entries', () => {
  it('200 with who, which organization, why and until when, the newest first', async () => {
    const support = await acme.staffAs('support')
    const first = await enter(support, acme, { minutes: 5 })
    const second = await enter(support, other)
    expect(await listed(`user_id=${support.userId}`)).toEqual([second, first])
    const { data } = await support.get(`/admin/entries?organization_id=${acme.id}&user_id=${support.userId}`)
    expect(data).toEqual([
      {
        id: first,
        organization_id: acme.id,
        organization_name: 'Zoë “Z”',
        user_id: support.userId,
        user_name: expect.any(String),
        reason: 'Ticket “7” \u{1F511}',
        ends_at: new Date(app.clock.now.getTime() + 300_000).toISOString(),
        ended_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    app.clock.advance(300)
    expect(await listed(`user_id=${support.userId}&in_force=true`)).toEqual([second])
    expect(await listed(`user_id=${support.userId}&in_force=false`)).toEqual([first])
  })
  it('200 for a key of the vendor, with its organizations alone; 403 without the scope, and for customers', async () => {
    const support = await acme.staffAs('support')
    const [here, there] = [await enter(support, acme), await enter(support, other)]
    const some = await vendorKey(app, { permissions: ['organization:read'], organizations: [acme.id] })
    expect(await listed('', some)).toContain(here)
    expect(await listed('', some)).not.toContain(there)
    expect(await listed(`organization_id=${other.id}`, some)).toEqual([])
    expect((await (await vendorKey(app, { permissions: ['orders:read'] })).get('/admin/entries')).status).toBe(403)
    expect((await acme.owner.get('/admin/entries')).status).toBe(403)
    expect((await app.world.anonymous.get('/admin/entries')).status).toBe(401)
    expect((await boss.get('/admin/entries?in_force=x')).errors?.fields).toHaveProperty('in_force')
  })
})

describe('POST /admin/entries/{id}/end', () => {
  it('200 and the person is refused from the next request on; the organization reads it', async () => {
    const org = await app.world.organization()
    const support = await org.staffAs('support')
    const id = await enter(support, org)
    expect((await support.get('/tickets')).status).toBe(200)
    const ended = await end(support, id)
    expect(ended).toMatchObject({ status: 200, data: { id, ended_at: app.clock.now.toISOString() } })
    expect(await support.get('/tickets')).toMatchObject({ status: 403, errors: { reason: 'entry_needed' } })
    const { events } = (await org.owner.get('/events?type=staff_entry.ended')).data
    expect(events).toMatchObject([{ resource_id: id, data: { ended_at: app.clock.now.toISOString() } }])
    const { data } = await org.owner.get('/audit-log?resource=staff_entry&action=ended')
    expect(data).toMatchObject([{ resource_id: id, actor_id: support.userId }])
    await enter(support, org)
    expect((await support.get('/tickets')).status).toBe(200)
  })
  it('200 leaves the person in under another entry, with the reason that was given last', async () => {
    const org = await app.world.organization()
    const support = await org.staffAs('support')
    await enter(support, org, { reason: 'First', minutes: 30 })
    const second = await enter(support, org, { reason: 'Second', minutes: 5 })
    await support.get('/tickets')
    await end(support, second)
    await support.get('/tickets')
    const { data } = await org.owner.get('/audit-log?action=staff_entry')
    expect(data.map(({ reason }: { reason: string }) => reason)).toEqual(['First', 'Second'])
  })
  it('200 for an administrator, 403 for other staff and for every key', async () => {
    const support = await acme.staffAs('support')
    const id = await enter(support, acme)
    const auditor = await acme.staffAs('auditor')
    expect(await end(auditor, id)).toMatchObject({ status: 403, errors: { reason: 'not_yours' } })
    const key = await vendorKey(app, { permissions: ['organization:write'] })
    expect(await end(key, id)).toMatchObject({ status: 403, errors: { reason: 'person_needed' } })
    expect((await end(boss, id)).status).toBe(200)
    expect((await support.get('/tickets')).status).toBe(403)
  })
  it('409 for one that is over, or was ended; 404 for one that is not there; 403 for customers; 401', async () => {
    const support = await acme.staffAs('support')
    const [over, ended] = [await enter(support, acme, { minutes: 1 }), await enter(support, acme)]
    app.clock.advance(60)
    expect((await end(support, ended)).status).toBe(200)
    for (const id of [over, ended])
      expect(await end(support, id)).toMatchObject({ status: 409, errors: { reason: 'status_not_allowed' } })
    for (const id of [999_999, 0, 'x', '9999999999999999']) expect((await end(boss, id)).status, String(id)).toBe(404)
    expect((await end(acme.owner, ended)).status).toBe(403)
    expect((await end(app.world.anonymous, ended)).status).toBe(401)
  })
  it('200 for one of eight at once, 409 for the others; one event', async () => {
    const org = await app.world.organization()
    const support = await org.staffAs('support')
    const id = await enter(support, org)
    const answers = await Promise.all(Array.from({ length: 8 }, () => end(support, id)))
    expect(answers.map(({ status }) => status).toSorted((one, next) => one - next)).toEqual([
      200,
      ...Array(7).fill(409),
    ])
    expect((await org.owner.get('/events?type=staff_entry.ended')).data.events).toHaveLength(1)
  })
  it('200 in an organization with a time of its own', async () => {
    const org = await app.world.organization()
    const operations = await org.staffAs('operations')
    await operations.post(`/admin/organizations/${org.id}/test-clock`, { now: '2031-05-05T00:00:00Z' })
    const id = await enter(operations, org)
    expect((await end(operations, id)).data.ended_at).toBe(app.clock.now.toISOString())
    expect((await operations.get('/environments')).status).toBe(403)
  })
})

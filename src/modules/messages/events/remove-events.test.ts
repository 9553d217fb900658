import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { manyEvents } from '#test/scenes/events.ts'
import type { Organization } from '#test/harness/world.ts'

const SENT = { type: 'titular/quote/sent', data: { status: 'sent' } }
const DAYS_MS = 31 * 86_400_000

const app = await appOfFile({ environment: { EVENTS_DAYS: '30' } })
const acme = await app.world.organization()

/** So long ago that they are removed. */
const old = (count: number) => ({ ...SENT, count, at: new Date(app.clock.now.getTime() - DAYS_MS) })

const sequencesOf = async (of: Organization): Promise<number[]> =>
  (await of.owner.get('/events?per_page=100')).data.events.map(({ sequence }: { sequence: number }) => sequence)

async function removeOld(): Promise<void> {
  await app.database.query(`insert into jobs (kind, run_at) values ('events/remove-old', $1)`, [app.clock.now])
  await app.service.worker.drain()
}

describe('events older than EVENTS_DAYS', () => {
  it('are removed; 410 to readers that were away for too long says from where the feed goes on', async () => {
    await manyEvents(app, acme.id, old(4))
    await manyEvents(app, acme.id, { ...SENT, count: 2 })
    await removeOld()
    expect(await sequencesOf(acme)).toEqual([5, 6])
    const member = await acme.member({ scopes: ['organization', 'quotes'] })
    for (const after of [0, 3]) {
      const { status, errors, message } = await member.get(`/events?after=${after}`)
      expect([status, errors, message]).toEqual([
        410,
        { code: 'GONE', detail: '5' },
        'Events before 5 are no longer kept',
      ])
    }
    expect((await member.get('/events?after=4')).data.events.length).toBe(2)
  })
  it('are removed without a trace in an organization in which nothing happens', async () => {
    const quiet = await app.world.organization()
    await manyEvents(app, quiet.id, old(3))
    await removeOld()
    expect((await quiet.owner.get('/events')).data).toEqual({ events: [], next: 3, has_more: false })
    expect((await quiet.owner.get('/events?after=3')).status).toBe(200)
    expect((await quiet.owner.get('/events?after=2')).errors?.detail).toBe('4')
  })
  it('stay while a job is not done with one of them or an earlier one', async () => {
    const busy = await app.world.organization()
    await manyEvents(app, busy.id, old(5))
    await app.database.query(
      `insert into jobs (organization_id, kind, payload, dead_at)
       select organization_id, 'hooks/call', jsonb_build_object('event_id', id, 'resource_id', resource_id), now()
         from events where organization_id = $1 and sequence = 3`,
      [busy.id],
    )
    await removeOld()
    expect(await sequencesOf(busy)).toEqual([3, 4, 5])
    await app.database.query('delete from jobs where organization_id = $1', [busy.id])
    await removeOld()
    expect(await sequencesOf(busy)).toEqual([])
  })
  it('do not stay for longer than as long again because of a dead letter, which the service’s log then names', async () => {
    const busy = await app.world.organization()
    await manyEvents(app, busy.id, old(3))
    const days = (count: number) => new Date(app.clock.now.getTime() - count * 86_400_000)
    const letter = (kind: string, deadAt: Date | null, failingSince: Date, sequence = 2) =>
      app.database.query(
        `insert into jobs (organization_id, kind, payload, dead_at, failing_since, last_error, run_at)
         select organization_id, $2, jsonb_build_object('event_id', id), $3::timestamptz, $4::timestamptz, 'refused', 'infinity'
           from events where organization_id = $1 and sequence = $5`,
        [busy.id, kind, deadAt, failingSince, sequence],
      )
    await letter('hooks/call', days(31), days(32))
    await letter('hooks/unknown', null, days(31))
    await letter('hooks/later', days(29), days(40), 3)
    await letter('hooks/tried', null, days(29), 3)
    await removeOld()
    expect(await sequencesOf(busy)).toEqual([3])
    const entries = await app.database.query(
      `select details ->> 'kind' as kind, details ->> 'last_error' as error, details -> 'organization_id' as organization
         from service_audit where action = 'dead_letter_removed' order by 1`,
    )
    expect(entries).toEqual(
      ['hooks/call', 'hooks/unknown'].map((kind) => ({ kind, error: 'refused', organization: busy.id })),
    )
    await app.database.query('delete from jobs where organization_id = $1', [busy.id])
  })
  it('are missed in the vendor’s feed too, whether it had them or not', async () => {
    const org = await app.world.organization()
    await manyEvents(app, org.id, old(3))
    const { next } = (await org.staff.get('/admin/events?per_page=100')).data
    await manyEvents(app, org.id, old(2))
    await removeOld()
    for (const after of [0, next]) {
      const { status, errors } = await org.staff.get(`/admin/events?after=${after}`)
      expect([status, errors?.detail]).toEqual([410, String(next + 3)])
    }
    await manyEvents(app, org.id, SENT)
    expect((await org.staff.get(`/admin/events?after=${next + 2}`)).data.events).toMatchObject([{ position: next + 3 }])
    expect((await org.staff.get(`/admin/events?organization_id=${org.id}`)).data.events.length).toBe(1)
  })
})

// Suspension and cancellation at a time in the future.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const minutes = (count: number) => new Date(app.clock.now.getTime() + count * 60_000).toISOString()
const act = (id: number, name: string, body?: object) => acme.staff.post(`/entitlements/${id}/${name}`, body)
const takeBack = (id: number) => acme.staff.delete(`/entitlements/${id}/scheduled`)
const seen = async (id: number) => (await acme.owner.get(`/entitlements/${id}`)).data
/** Runs all jobs that are due then, those of every minute too. */
async function pass(count: number): Promise<void> {
  app.clock.advance(count * 60)
  await app.service.worker.start()
  await app.service.worker.drain()
  await app.service.worker.stop()
}
const fieldsOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {})]

describe('POST /entitlements/{id}/suspend and /cancel with at', () => {
  it('200 shows what is scheduled, and does it then with what follows the entitlement', async () => {
    const held = await license(acme)
    const id = held.entitlement_id
    const scheduled = { act: 'suspend', at: minutes(2), reason: 'Notice of 20 November' }
    const answer = await act(id, 'suspend', { at: scheduled.at, reason: scheduled.reason })
    expect([answer.status, answer.message]).toEqual([200, 'Suspension scheduled'])
    expect(answer.data).toMatchObject({ status: 'active', status_reason: null, scheduled })
    await pass(1)
    expect(await seen(id)).toMatchObject({ status: 'active', scheduled })
    await pass(1)
    expect(await seen(id)).toMatchObject({
      status: 'suspended',
      status_reason_code: 'by_staff',
      status_reason: scheduled.reason,
      status_since: app.clock.now.toISOString(),
      scheduled: null,
    })
    expect((await acme.owner.get(`/licenses/${held.id}`)).data.status).toBe('suspended')
    await act(id, 'resume')
    await pass(3)
    expect((await seen(id)).status).toBe('active')
  })
  it('200 writes the time in UTC, and the next one replaces it', async () => {
    const { id } = await entitlement(acme)
    await act(id, 'suspend', { at: '2998-12-31T22:00:00-03:00' })
    expect((await seen(id)).scheduled).toEqual({ act: 'suspend', at: '2999-01-01T01:00:00.000Z', reason: null })
    await act(id, 'cancel', { at: minutes(1) })
    expect((await seen(id)).scheduled.act).toBe('cancel')
    await pass(1)
    expect(await seen(id)).toMatchObject({ status: 'cancelled', scheduled: null })
  })
  it('is forgotten when the status does not allow it then, and when it is cancelled at once', async () => {
    const one = await entitlement(acme)
    await act(one.id, 'suspend', { at: minutes(1) })
    await act(one.id, 'suspend')
    expect((await seen(one.id)).scheduled).not.toBeNull()
    await pass(1)
    expect(await seen(one.id)).toMatchObject({ status: 'suspended', scheduled: null })
    const two = await entitlement(acme)
    await act(two.id, 'suspend', { at: minutes(1) })
    expect((await act(two.id, 'cancel')).data).toMatchObject({ status: 'cancelled', scheduled: null })
  })
  it('200 for one that is suspended for what is due: staff make it their own then', async () => {
    const [before, after] = [await entitlement(acme), await entitlement(acme)]
    const overdue = `update entitlements set status = 'suspended', status_reason_code = 'payment_overdue' where id = $1`
    await act(before.id, 'suspend', { at: minutes(1), reason: 'Notice' })
    for (const { id } of [before, after]) await app.database.query(overdue, [id])
    expect((await act(after.id, 'suspend', { at: minutes(1), reason: 'Notice' })).status).toBe(200)
    await pass(1)
    const own = { status: 'suspended', status_reason_code: 'by_staff', status_reason: 'Notice', scheduled: null }
    for (const { id } of [before, after]) expect(await seen(id)).toMatchObject(own)
  })
  it('409 for what the status does not allow now', async () => {
    const { id } = await entitlement(acme)
    await act(id, 'suspend')
    expect((await act(id, 'suspend', { at: minutes(1) })).status).toBe(409)
    expect((await act(id, 'cancel', { at: minutes(1) })).status).toBe(200)
    await act(id, 'cancel')
    expect((await act(id, 'cancel', { at: minutes(1) })).status).toBe(409)
    expect((await act(999_999, 'cancel', { at: minutes(1) })).status).toBe(404)
  })
  it('422 for a time that has come, and for none', async () => {
    const { id } = await entitlement(acme)
    for (const at of [app.clock.now.toISOString(), minutes(-1), 'tomorrow', 7])
      expect(fieldsOf(await act(id, 'suspend', { at }))).toEqual([422, ['at']])
    expect((await seen(id)).status).toBe('active')
    expect((await act(id, 'suspend', { at: null })).data.status).toBe('suspended')
  })
  it('is done once, however often the job runs', async () => {
    const { id } = await entitlement(acme)
    await act(id, 'cancel', { at: minutes(1) })
    for (let run = 0; run < 3; run++) await pass(1)
    const { data } = await acme.owner.get('/audit-log?resource=entitlement&action=cancelled')
    expect(data.filter((entry: { resource_id: number }) => entry.resource_id === id)).toHaveLength(1)
  })
})

describe('DELETE /entitlements/{id}/scheduled', () => {
  it('200 takes it back, and nothing happens then', async () => {
    const { id } = await entitlement(acme)
    await act(id, 'suspend', { at: minutes(1) })
    expect((await takeBack(id)).data).toMatchObject({ status: 'active', scheduled: null })
    await pass(2)
    expect((await seen(id)).status).toBe('active')
  })
  it('409 when nothing is scheduled, 404 for an unknown one, 403 for customers', async () => {
    const { id } = await entitlement(acme)
    expect((await takeBack(id)).status).toBe(409)
    expect((await takeBack(999_999)).status).toBe(404)
    expect((await acme.owner.delete(`/entitlements/${id}/scheduled`)).status).toBe(403)
  })
})

import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Acme' })
const other = await app.world.organization()
const member = await acme.member({ scopes: ['entitlements'], email: 'reader@example.com' })
await app.database.query(`update users set language = 'en' where email = 'reader@example.com'`)
await app.database.query(`update users set language = 'pt-BR' where id = $1`, [acme.owner.userId])
const hosting = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', organization_id: acme.id }
const entitlementId: number = (await acme.staff.post('/entitlements', hosting)).data.id
// The periodic jobs exist from the start; afterwards each test decides when they run.
await app.service.worker.start()
await app.service.worker.stop()

async function environment(more: object = {}): Promise<number> {
  const body = { name: 'Campus', platform: 'moodle', environment_type: 'production', status: 'active', ...more }
  return (await acme.staff.post('/environments', { ...body, entitlement_id: entitlementId })).data.id
}

const later = (minutes: number): string => new Date(app.clock.now.getTime() + minutes * 60_000).toISOString()
const times = (from: number, to: number) => ({ starts_at: later(from), ends_at: later(to) })
const at = (id: number, windowId?: number, tail = '') =>
  `/environments/${id}/maintenance-windows${windowId === undefined ? '' : `/${windowId}`}${tail}`

async function plan(id: number, from: number, to: number, more: object = {}): Promise<number> {
  const answer = await acme.staff.post(at(id), { ...times(from, to), ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data.id
}

/** Advances the clock in one step, then runs the jobs that have become due. */
async function pass(minutes: number): Promise<void> {
  app.clock.advance(minutes * 60)
  await app.service.worker.drain()
  app.clock.advance(31)
  await app.service.worker.drain()
}
const statusOf = async (id: number): Promise<string> => (await member.get(`/environments/${id}`)).data.status
const steps = async (id: number): Promise<string[]> =>
  (await member.get(`/environments/${id}/history`)).data.map(({ to_status: to }: { to_status: string }) => to)
const windowOf = async (id: number) => (await member.get(at(id))).data[0]

describe('POST /environments/{id}/maintenance-windows', () => {
  it('201, with a mail to the members with the scope, each in their language', async () => {
    const id = await environment({ name: 'Aula' })
    const unscoped = await acme.member({ scopes: ['quotes'] })
    const answer = await acme.staff.post(at(id), { ...times(60, 120), note: 'Database update' })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      environment_id: id,
      status: 'scheduled',
      note: 'Database update',
      started_at: null,
      ended_at: null,
    })
    expect(await windowOf(id)).toEqual(answer.data)
    const [english] = await mailsTo(app, member.email)
    expect(english?.subject).toBe('Planned maintenance: Aula')
    expect(english?.text).toContain('Database update')
    expect((await mailsTo(app, acme.owner.email)).map(({ subject }) => subject)).toContain(
      'Manutenção programada: Aula',
    )
    expect(await mailsTo(app, unscoped.email)).toEqual([])
  })
  it('422 for times in the wrong order, in the past or invalid', async () => {
    const id = await environment()
    for (const [from, to] of [
      [10, 10],
      [20, 10],
      [-20, -10],
    ] as const)
      expect((await acme.staff.post(at(id), times(from, to))).errors?.fields).toHaveProperty('ends_at')
    for (const name of ['starts_at', 'ends_at'])
      expect((await acme.staff.post(at(id), { ...times(5, 10), [name]: '2099-12-31T23:59:60Z' })).status).toBe(422)
    for (const wrong of [{}, { starts_at: 'soon', ends_at: later(5) }, { ...times(1, 2), status: 'running' }])
      expect((await acme.staff.post(at(id), wrong)).status).toBe(422)
  })
  it('409 for two that overlap, also when they are planned at once; one may follow the other directly', async () => {
    const id = await environment()
    const answers = await Promise.all(Array.from({ length: 6 }, () => acme.staff.post(at(id), times(60, 120))))
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      201, 409, 409, 409, 409, 409,
    ])
    await plan(id, 120, 130)
    expect((await acme.staff.post(at(id), times(119, 121))).status).toBe(409)
  })
  it('409 for a decommissioned environment; 403, 404', async () => {
    const id = await environment()
    expect((await acme.owner.post(at(id), times(1, 2))).status).toBe(403)
    expect((await other.staff.post(at(id), times(1, 2))).status).toBe(404)
    await acme.staff.post(`/environments/${id}/status`, { status: 'decommissioned' })
    expect((await acme.staff.post(at(id), times(1, 2))).status).toBe(409)
  })
})

describe('PATCH and cancel', () => {
  it('200, with another mail; no mail without a change', async () => {
    const id = await environment({ name: 'Escola' })
    const windowId = await plan(id, 60, 120)
    expect((await acme.staff.patch(at(id, windowId), times(70, 130))).status).toBe(200)
    expect((await acme.staff.patch(at(id, windowId), { note: null })).status).toBe(200)
    expect((await acme.staff.post(at(id, windowId, '/cancel'))).data.status).toBe('cancelled')
    const subjects = (await mailsTo(app, member.email))
      .map(({ subject }) => subject)
      .filter((one) => one.includes('Escola'))
    // The first two changes were replaced before their mails were sent.
    expect(subjects).toEqual(['Maintenance cancelled: Escola'])
    const second = await plan(id, 60, 120)
    await app.service.worker.drain()
    await acme.staff.patch(at(id, second), { ends_at: later(125) })
    const now = (await mailsTo(app, member.email)).map(({ subject }) => subject).filter((one) => one.includes('Escola'))
    expect(now.toSorted()).toEqual(
      ['Maintenance changed: Escola', 'Planned maintenance: Escola', 'Maintenance cancelled: Escola'].toSorted(),
    )
    for (const act of [
      () => acme.staff.patch(at(id, windowId), { note: 'x' }),
      () => acme.staff.post(at(id, windowId, '/cancel')),
    ])
      expect((await act()).status).toBe(409)
  })
  it('409, 422, and 404 for a window of another environment', async () => {
    const id = await environment()
    const twin = await environment()
    const windowId = await plan(id, 60, 120)
    await plan(id, 130, 140)
    expect((await acme.staff.patch(at(twin, windowId), { note: 'x' })).status).toBe(404)
    expect((await acme.staff.post(at(twin, windowId, '/cancel'))).status).toBe(404)
    expect((await acme.staff.patch(at(id, windowId), { ends_at: later(135) })).status).toBe(409)
    expect((await acme.staff.patch(at(id, windowId), { ends_at: later(50) })).status).toBe(422)
    expect((await acme.owner.patch(at(id, windowId), { note: 'x' })).status).toBe(403)
    expect((await other.staff.post(at(id, windowId, '/cancel'))).status).toBe(404)
    expect((await other.owner.get(at(id))).status).toBe(404)
  })
})

describe('the job', () => {
  it('moves an active environment into maintenance and back, each once', async () => {
    const id = await environment()
    await plan(id, 10, 20)
    await pass(9)
    expect(await statusOf(id)).toBe('active')
    await pass(1)
    await pass(1)
    expect(await statusOf(id)).toBe('maintenance')
    expect(await windowOf(id)).toMatchObject({ status: 'running', started_at: expect.any(String) })
    await pass(9)
    await pass(1)
    expect(await windowOf(id)).toMatchObject({ status: 'ended', ended_at: expect.any(String) })
    expect(await steps(id)).toEqual(['active', 'maintenance', 'active'])
  })
  it('starts and ends a window that it missed completely, and starts one when another ends', async () => {
    const missed = await environment()
    await plan(missed, 10, 20)
    const chained = await environment()
    await plan(chained, 10, 20)
    await plan(chained, 20, 40)
    await pass(30)
    expect(await steps(missed)).toEqual(['active', 'maintenance', 'active'])
    expect(await statusOf(chained)).toBe('maintenance')
    await pass(20)
    expect(await statusOf(chained)).toBe('active')
  })
  it('follows a window that was moved; cancelling a running one ends the maintenance', async () => {
    const id = await environment()
    const windowId = await plan(id, 10, 20)
    await acme.staff.patch(at(id, windowId), times(30, 60))
    await pass(15)
    expect(await statusOf(id)).toBe('active')
    await pass(20)
    expect(await statusOf(id)).toBe('maintenance')
    expect((await acme.staff.patch(at(id, windowId), times(1, 60))).status).toBe(409)
    expect((await acme.staff.patch(at(id, windowId), { ends_at: later(90) })).status).toBe(200)
    expect((await acme.staff.post(at(id, windowId, '/cancel'))).data).toMatchObject({ status: 'cancelled' })
    expect(await steps(id)).toEqual(['active', 'maintenance', 'active'])
    await pass(100)
    expect(await steps(id)).toHaveLength(3)
  })
  it('does not change an environment that staff moved into or out of maintenance', async () => {
    const byHand = await environment()
    await acme.staff.post(`/environments/${byHand}/status`, { status: 'maintenance' })
    const takenOut = await environment()
    const again = await environment()
    for (const id of [byHand, takenOut, again]) await plan(id, 10, 20)
    await pass(11)
    for (const id of [takenOut, again]) await acme.staff.post(`/environments/${id}/status`, { status: 'active' })
    await acme.staff.post(`/environments/${again}/status`, { status: 'maintenance', note: 'Longer than planned' })
    await pass(10)
    expect(await statusOf(byHand)).toBe('maintenance')
    expect(await steps(takenOut)).toEqual(['active', 'maintenance', 'active'])
    expect(await statusOf(again)).toBe('maintenance')
  })
  it('does not activate a suspended environment, which resumes in maintenance while the window still runs', async () => {
    const within = await environment()
    const after = await environment()
    await plan(within, 10, 60)
    await plan(after, 10, 20)
    await pass(11)
    await acme.staff.post(`/entitlements/${entitlementId}/suspend`)
    await pass(20)
    expect(await statusOf(after)).toBe('suspended')
    await acme.staff.post(`/entitlements/${entitlementId}/resume`)
    expect(await steps(within)).toEqual(['active', 'maintenance', 'suspended', 'active', 'maintenance'])
    expect(await steps(after)).toEqual(['active', 'maintenance', 'suspended', 'active'])
    await pass(40)
    expect(await statusOf(within)).toBe('active')
  })
  it('starts once when two workers run at once, and mails nobody about a decommissioned environment', async () => {
    const id = await environment()
    await plan(id, 10, 20)
    const gone = await environment()
    await plan(gone, 10, 20)
    await acme.staff.post(`/environments/${gone}/status`, { status: 'decommissioned' })
    app.clock.advance(660)
    await Promise.all([app.service.worker.drain(), app.service.worker.drain()])
    await pass(1)
    expect(await steps(id)).toEqual(['active', 'maintenance'])
    expect(await windowOf(gone)).toMatchObject({ status: 'cancelled' })
  })
})

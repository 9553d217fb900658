// An entitlement, and a check, at a moment in the past.
import { chances } from '#test/harness/chances.ts'
import { describe, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { product } from '#test/scenes/releases.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

let acme: Organization
const app = await appOfFile()
acme = await app.world.organization()

const day = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString()
/** Runs all jobs that are due, those of every minute too. */
async function runJobs(): Promise<void> {
  await app.service.worker.start()
  await app.service.worker.drain()
  await app.service.worker.stop()
}
/** The moment now; the next change is a minute later. */
function passed(): string {
  const moment = app.clock.now.toISOString()
  app.clock.advance(60)
  return moment
}
const then = (id: number, moment: string, who = acme.owner): Promise<Answer> =>
  who.get(`/entitlements/${id}?as_of=${moment}`)
const checkThen = async (query: string, moment: string) =>
  (await acme.owner.get(`/entitlements/check?${query}&as_of=${moment}`)).data
const act = async (id: number, name: string, body?: object) =>
  expect((await acme.staff.post(`/entitlements/${id}/${name}`, body)).status).toBe(200)

/** Without what the database stamps with its own clock. */
const lasting = ({ created_at: _created, updated_at: _updated, status_since: _since, ...rest }: Answer['data']) => rest

describe('GET /entitlements/{id}?as_of', () => {
  it('200 as it was at each moment, with all that was changed since', async () => {
    const { id } = await entitlement(acme, { quantity: 2, metadata: '{"a":1}' })
    const path = `/entitlements/${id}`
    const changes: (() => Promise<unknown>)[] = [
      () => acme.staff.patch(path, { product_name: 'Açaí “Pro”', quantity: 3 }),
      () => act(id, 'suspend', { reason: 'Chargeback' }),
      () => acme.staff.patch(path, { expires_at: day(30), updates_until: day(9), metadata: null }),
      () => acme.staff.patch(path, { features: [{ key: 'sso', type: 'boolean', value: true }] }),
      () => act(id, 'resume'),
      () => acme.staff.patch(path, { release_channels: ['stable', 'beta'], product_name: 'Backup Pro' }),
      () => act(id, 'cancel', { reason: 'Over' }),
    ]
    const seen: { moment: string; data: Answer['data'] }[] = []
    for (const change of [async () => undefined, ...changes]) {
      await change()
      const { data } = await acme.owner.get(path)
      seen.push({ data, moment: passed() })
    }
    for (const [index, { moment, data }] of seen.entries()) {
      const answer = await then(id, moment)
      expect(lasting(answer.data), `step ${index}`).toEqual(lasting(data))
    }
    // What the database stamps by its own clock is from the audit log, so by the clock of the test.
    const [, changed, suspended] = seen
    for (const { moment, data } of [changed, suspended].flatMap((one) => one ?? [])) {
      const answer = await then(id, moment)
      expect(answer.data).toMatchObject({ updated_at: moment, created_at: data.created_at })
    }
    const held = await then(id, suspended?.moment ?? '')
    expect(held.data.status_since).toBe(suspended?.moment)
  })
  it('200 as it is for a moment after the last change', async () => {
    const { id } = await entitlement(acme)
    await act(id, 'suspend')
    const { data } = await acme.owner.get(`/entitlements/${id}`)
    expect((await then(id, passed())).data).toEqual(data)
  })
  it('404 before it was created, and for another organization’s', async () => {
    const before = passed()
    const { id } = await entitlement(acme)
    const after = passed()
    expect((await then(id, before)).status).toBe(404)
    expect((await then(id, '0001-01-01T00:00:00.000Z')).status).toBe(404)
    expect((await then(id, after)).status).toBe(200)
    const other = await app.world.organization()
    expect((await then(id, after, other.owner)).status).toBe(404)
  })
  it.each(['2999-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', 'yesterday', '2026-02-30T00:00:00Z', ''])(
    '422 for %s',
    async (moment) => {
      const { id } = await entitlement(acme)
      const { status, errors } = await then(id, moment)
      expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['as_of']])
    },
  )
})

describe('GET /entitlements/check?as_of', () => {
  it('200 answers for the moment: sold, suspended, resumed, expired, cancelled', async () => {
    const { id: product_id } = await product(acme, { features: [{ key: 'seats', type: 'number', value: 5 }] })
    const query = `product_id=${product_id}&feature=seats`
    const before = passed()
    const { id } = await entitlement(acme, { product_id, expires_at: day(1 / 24) })
    const sold = passed()
    await act(id, 'suspend', { reason: 'Chargeback' })
    const suspended = passed()
    await act(id, 'resume')
    await acme.staff.patch(`/entitlements/${id}`, { quantity: 2 })
    const resumed = passed()
    app.clock.advance(3600)
    const ended = passed()
    await runJobs()
    await act(id, 'renew', { expires_at: day(9) })
    const renewed = passed()
    await acme.staff.patch(`/entitlements/${id}`, { features: [], product_id: null })
    await act(id, 'cancel')
    const cancelled = passed()

    expect(await checkThen(query, before)).toMatchObject({ allowed: false, reason: 'not_yet', as_of: before })
    expect(await checkThen(query, sold)).toMatchObject({ allowed: true, value: 5, quantity: 1, as_of: sold })
    expect(await checkThen(query, suspended)).toMatchObject({ reason: 'suspended', status_reason: 'Chargeback' })
    expect(await checkThen(query, resumed)).toMatchObject({ allowed: true, value: 10, quantity: 2 })
    expect(await checkThen(query, ended)).toMatchObject({ reason: 'expired', entitlement_ids: [id] })
    expect(await checkThen(query, renewed)).toMatchObject({ allowed: true, value: 10 })
    expect(await checkThen(query, cancelled)).toMatchObject({ reason: 'none' })
    expect(await checkThen('class=PLG', cancelled)).not.toMatchObject({ reason: 'none' })
  })
})

const quantityThen = async (moment: string) => {
  const { quantity, allowed } = await checkThen('class=EDU', moment)
  return { quantity, allowed }
}

describe('any history', () => {
  it.each(seeds([1], [2, 3]))('is answered as it was, seed %i', async (seed) => {
    acme = await app.world.organization()
    const chance = chances(seed)
    const ids: number[] = []
    const seen: { moment: string; quantity: number; allowed: boolean }[] = []
    for (let step = 0; step < 25; step++) {
      const id = ids[Math.floor(chance() * ids.length)]
      if (id === undefined || chance() < 0.2) ids.push((await entitlement(acme, { class: 'EDU' })).id)
      else if (chance() < 0.5)
        await acme.staff.patch(`/entitlements/${id}`, {
          quantity: 1 + Math.floor(chance() * 9),
          expires_at: chance() < 0.5 ? null : day(chance() / 100),
        })
      else {
        const acts = ['suspend', 'resume', 'cancel', 'renew']
        await acme.staff.post(`/entitlements/${id}/${acts[Math.floor(chance() * acts.length)]}`)
      }
      if (chance() < 0.3) await runJobs()
      const { quantity, allowed } = (await acme.owner.get('/entitlements/check?class=EDU')).data
      seen.push({ moment: passed(), quantity, allowed })
    }
    for (const { moment, ...answer } of seen) expect(await quantityThen(moment), moment).toEqual(answer)
  })
})

// Test clocks (docs/decisions/0062): what an organization with a clock of its own sees, and how time passes for it.
import { describe, expect, it } from 'vitest'
import { isDeep } from '#test/harness/seeds.ts'
import { appOfFile } from '#test/harness/app.ts'
import { advance, chronicle, clocked, clockPath, sold } from '#test/scenes/test-clock.ts'
import { entitlement } from '#test/scenes/licenses.ts'

const JANUARY = '2027-01-31T12:00:00.000Z'

const app = await appOfFile()

describe('POST /admin/organizations/{id}/test-clock', () => {
  it('201: the organization lives at that time, and no other one does', async () => {
    const other = await app.world.organization()
    const acme = await clocked(app, JANUARY)
    const now = app.clock.now.toISOString()
    expect((await acme.staff.get(clockPath(acme))).data).toEqual({
      organization_id: acme.id,
      status: 'ready',
      now: JANUARY,
      advancing_to: null,
      error: null,
      started_at: JANUARY,
      created_at: now,
      updated_at: now,
    })
    expect((await acme.owner.get(`/organizations/${acme.id}`)).data.has_test_clock).toBe(true)
    const { id } = await entitlement(acme)
    expect((await entitlement(other)).created_at).not.toBe(JANUARY)
    const shown = { created_at: JANUARY, updated_at: JANUARY, status_since: JANUARY }
    expect((await acme.owner.get(`/entitlements/${id}`)).data).toMatchObject(shown)
    const [entry] = (await acme.owner.get('/audit-log?resource=entitlement')).data
    expect(entry).toMatchObject({ action: 'created', at: JANUARY })
    expect((await acme.owner.get('/events?type=entitlement.created')).data.events[0].timestamp).toBe(JANUARY)
    const changed = await acme.staff.post(`/entitlements/${id}/suspend`, { reason: 'Asked for' })
    expect(changed.data).toMatchObject({ status: 'suspended', updated_at: JANUARY })
  })
  it('a ticket is opened under the contract that is in force at that time', async () => {
    const acme = await clocked(app, JANUARY)
    const { ticket } = await sold(acme)
    const { data } = await acme.staff.get(`/tickets/${ticket}`)
    expect(data.first_response_due_at).toBe('2027-01-31T13:00:00.000Z')
  })
  it('409 for an organization with records, for a second clock, and outside of the sandbox', async () => {
    const used = await app.world.organization()
    await entitlement(used)
    const refused = await used.staff.post(clockPath(used), { now: JANUARY })
    expect(refused).toMatchObject({
      status: 409,
      message: 'Only a new organization, without records, gets a test clock',
    })
    const acme = await clocked(app, JANUARY)
    expect((await acme.staff.post(clockPath(acme), { now: JANUARY })).status).toBe(409)
    const { settings } = app.service.ports
    Object.assign(settings, { testClocks: false })
    const outside = await acme.staff.post(`${clockPath(acme)}/advance`, { to: '2027-02-01T00:00:00Z' })
    Object.assign(settings, { testClocks: true })
    expect(outside).toMatchObject({ status: 409, message: 'Test clocks exist in the sandbox only' })
  })
  it('422 for a time out of range, 404 without an organization or a clock, 403 for its owner', async () => {
    const acme = await app.world.organization()
    const bad = await acme.staff.post(clockPath(acme), { now: '1999-12-31T23:59:59Z' })
    expect(bad.errors?.fields).toEqual({ now: 'must lie from 2000 on and before 2100' })
    expect((await acme.staff.post('/admin/organizations/987654/test-clock', { now: JANUARY })).status).toBe(404)
    expect((await acme.staff.get(clockPath(acme))).status).toBe(404)
    expect((await acme.staff.post(`${clockPath(acme)}/advance`, { to: JANUARY })).status).toBe(404)
    expect((await acme.owner.post(clockPath(acme), { now: JANUARY })).status).toBe(403)
  })
})

describe('POST /admin/organizations/{id}/test-clock/advance', () => {
  it('422 backwards and further than five years, 409 while it advances', async () => {
    const acme = await clocked(app, JANUARY)
    const path = `${clockPath(acme)}/advance`
    const refusal = async (to: string) => (await acme.staff.post(path, { to })).errors?.fields
    expect(await refusal('2027-01-31T11:59:59Z')).toEqual({ to: `must not be before ${JANUARY}` })
    expect(await refusal('2032-01-31T12:00:01Z')).toEqual({ to: `must be at most 5 years after ${JANUARY}` })
    const both = await Promise.all([1, 2].map(() => acme.staff.post(path, { to: '2027-02-01T00:00:00Z' })))
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([202, 409]))
    await app.service.worker.drain()
    expect((await acme.staff.get(clockPath(acme))).data).toMatchObject({ status: 'ready', advancing_to: null })
  })
  it.runIf(isDeep)(
    'a year at once, in days and in odd steps: the same happens at the same times, and to nobody else',
    async () => {
      const still = await clocked(app, JANUARY)
      const real = await app.world.organization()
      const all = [await clocked(app, JANUARY), await clocked(app, JANUARY), await clocked(app, JANUARY)] as const
      for (const one of [still, ...all]) await sold(one)
      await entitlement(real, { expires_at: '2027-06-30T00:00:00Z' })
      await app.service.worker.drain()
      const before = [await chronicle(app, still), await chronicle(app, real)]
      const [atOnce, daily, odd] = all
      const end = Date.parse('2028-01-31T12:00:00Z')
      expect(await advance(app, atOnce, new Date(end).toISOString())).toMatchObject({ status: 'ready', error: null })
      const walk = async (one: typeof daily, stepMs: number) => {
        for (let at = Date.parse(JANUARY) + stepMs; ; at += stepMs) {
          const to = new Date(Math.min(at, end)).toISOString()
          expect(await advance(app, one, to)).toMatchObject({ status: 'ready', now: to })
          if (at >= end) return
        }
      }
      await walk(daily, 86_400_000)
      await walk(odd, 57 * 86_400_000 + 12_345_678)
      const expected = await chronicle(app, atOnce)
      // After the minute in which it was sold.
      expect(expected.filter((line) => line > '2027-01-31T12:01')).toMatchInlineSnapshot(`
      [
        "2027-01-31T12:45:00.001Z ticket/sla_warning open",
        "2027-01-31T13:00:00.001Z ticket/sla_breached open",
        "2027-01-31T19:30:00.001Z ticket/sla_warning open",
        "2027-01-31T22:00:00.001Z ticket/sla_breached open",
        "2027-02-12T03:00:00.000Z quote/expiring sent",
        "2027-02-28T23:30:00.000Z entitlement/suspended suspended",
        "2027-02-28T23:30:00.000Z entitlement/updated active",
        "2027-03-07T03:00:00.000Z quote/expiring sent",
        "2027-03-13T03:00:00.000Z quote/expiring sent",
        "2027-03-15T03:00:00.000Z quote/expired expired",
        "2027-05-31T00:00:00.000Z entitlement/expiring active",
        "2027-05-31T00:00:00.000Z license/expiring active",
        "2027-06-23T00:00:00.000Z entitlement/expiring active",
        "2027-06-23T00:00:00.000Z license/expiring active",
        "2027-06-29T00:00:00.000Z entitlement/expiring active",
        "2027-06-29T00:00:00.000Z license/expiring active",
        "2027-06-30T00:00:00.000Z entitlement/expired expired",
        "2027-06-30T00:00:00.000Z license/expired expired",
        "2027-10-02T03:00:00.000Z contract/notice_window active",
        "2027-12-01T03:00:00.000Z contract/ending active",
        "2027-12-16T03:00:00.000Z entitlement/expiring active",
        "2027-12-24T03:00:00.000Z contract/ending active",
        "2027-12-30T03:00:00.000Z contract/ending active",
        "2028-01-01T03:00:00.000Z contract/expired expired",
        "2028-01-01T03:00:00.000Z contract_history/created",
        "2028-01-01T03:00:05.000Z filed_document/created",
        "2028-01-01T03:00:05.000Z filed_document/created",
        "2028-01-08T03:00:00.000Z entitlement/expiring active",
        "2028-01-14T03:00:00.000Z entitlement/expiring active",
        "2028-01-15T03:00:00.000Z entitlement/expired expired",
      ]
    `)
      expect(await chronicle(app, daily)).toEqual(expected)
      expect(await chronicle(app, odd)).toEqual(expected)
      expect([await chronicle(app, still), await chronicle(app, real)]).toEqual(before)
    },
  )
})

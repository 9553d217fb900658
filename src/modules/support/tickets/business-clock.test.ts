// The clock of a ticket in business hours: of the legal entity, of the contract, and over pauses.
import { beforeEach, describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { promised } from '#test/scenes/service-levels.ts'

const MINUTES = { high: 120, urgent: 60, low: null }
const DAY = [{ from: '09:00', to: '18:00' }]
const OFFICE = {
  time_zone: 'America/Sao_Paulo',
  weekly: { monday: DAY, tuesday: DAY, wednesday: DAY, thursday: DAY, friday: DAY },
}
const ALWAYS = [{ from: '00:00', to: '24:00' }]
const ROUND_THE_CLOCK = {
  time_zone: 'UTC',
  weekly: { ...OFFICE.weekly, friday: ALWAYS, saturday: ALWAYS, sunday: ALWAYS },
  holidays: [],
}

/** The last hour of a Friday in São Paulo, where the clocks do not change. */

const app = await appOfFile()
const friday: Date = nextFriday(app.clock.now)
app.clock.now = friday
const acme = await app.world.organization()
const hosting: number = await promised(acme, {
  sla_first_response_minutes: MINUTES,
  sla_resolution_minutes: { high: 600 },
})

beforeEach(async () => {
  app.clock.now = friday
  await open24(OFFICE)
})

function nextFriday(now: Date): Date {
  const days = (5 - now.getUTCDay() + 7) % 7 || 7
  const day = new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return new Date(`${day}T20:00:00Z`)
}
/** In São Paulo. */
const on = (days: number, time: string): string => {
  const day = new Date(friday.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return new Date(`${day}T${time}:00-03:00`).toISOString()
}
const dayAfter = (days: number): string => on(days, '12:00').slice(0, 10)

const open24 = (hours: object | null) => acme.staff.put('/admin/business-hours/entity_br', { business_hours: hours })
const open = async (more: object = {}) =>
  (await acme.staff.post('/tickets', { title: 'Down', priority: 'high', entitlement_id: hosting, ...more })).data
/** Of staff who signed in just now, since tokens last for a day. */
const change = async (id: number, at: string, body: object, path = '') => {
  app.clock.now = new Date(at)
  const staff = app.world.inside(await app.world.user({ roles: ['customer', 'administrator'] }), acme.id)
  return (await (path === '' ? staff.patch(`/tickets/${id}`, body) : staff.post(`/tickets/${id}/${path}`, body))).data
}
const move = (id: number, at: string, status: string) => change(id, at, { status }, 'status')

describe('the due times of a ticket', () => {
  it('count the hours of the legal entity', async () => {
    expect(await open()).toMatchObject({
      first_response_due_at: on(3, '10:00'),
      resolution_due_at: on(3, '18:00'),
      next_due_at: on(3, '10:00'),
    })
    expect(await open({ priority: 'urgent' })).toMatchObject({ first_response_due_at: on(0, '18:00') })
  })
  it('pass over its holidays', async () => {
    await open24({ ...OFFICE, holidays: [dayAfter(3)] })
    expect((await open()).first_response_due_at).toBe(on(4, '10:00'))
  })
  it('are round the clock without hours', async () => {
    await open24(null)
    expect((await open()).first_response_due_at).toBe(on(0, '19:00'))
  })
  it('count the hours of the contract instead, with the holidays of the legal entity unless it has its own', async () => {
    const sla_first_response_minutes = MINUTES
    const own = await promised(acme, { sla_first_response_minutes, business_hours: ROUND_THE_CLOCK })
    const { holidays: _, ...without } = ROUND_THE_CLOCK
    const shared = await promised(acme, { sla_first_response_minutes, business_hours: without })
    await open24({ ...OFFICE, holidays: [dayAfter(0)] })
    expect((await open({ entitlement_id: own })).first_response_due_at).toBe(on(0, '19:00'))
    // The day ends at midnight in UTC, the zone of these hours.
    expect((await open({ entitlement_id: shared })).first_response_due_at).toBe(on(0, '23:00'))
  })
  it('are null where the contract promises nothing, also by an explicit null', async () => {
    expect(await open({ priority: 'low' })).toMatchObject({ first_response_due_at: null, resolution_due_at: null })
    expect(await open({ priority: 'normal' })).toMatchObject({ first_response_due_at: null, next_due_at: null })
  })
  it('keep the hours in which the ticket was opened, at another priority too', async () => {
    const { id } = await open()
    await open24(null)
    expect(await change(id, on(0, '17:10'), { priority: 'urgent' })).toMatchObject({
      first_response_due_at: on(0, '18:00'),
      resolution_due_at: null,
    })
    expect((await change(id, on(0, '17:10'), { priority: 'high' })).resolution_due_at).toBe(on(3, '18:00'))
  })
})

describe('a pause', () => {
  it('counts business hours only', async () => {
    const { id } = await open()
    await move(id, on(0, '17:30'), 'waiting')
    expect(await move(id, on(3, '09:30'), 'in_progress')).toMatchObject({
      paused_seconds: 3600,
      first_response_due_at: on(3, '11:00'),
      resolution_due_at: on(4, '10:00'),
    })
    // Counted from the opening: with the pause of an hour.
    expect((await change(id, on(3, '09:30'), { priority: 'urgent' })).first_response_due_at).toBe(on(3, '10:00'))
  })
  it('outside of them moves nothing', async () => {
    const { id } = await open()
    await move(id, on(0, '19:00'), 'waiting')
    expect(await move(id, on(2, '12:00'), 'in_progress')).toMatchObject({
      paused_seconds: 0,
      first_response_due_at: on(3, '10:00'),
      resolution_due_at: on(3, '18:00'),
    })
  })
  it('is measured by the hours of the opening, whatever they are by now', async () => {
    const { id } = await open()
    await move(id, on(0, '17:30'), 'waiting')
    await open24(null)
    expect((await move(id, on(3, '09:30'), 'in_progress')).paused_seconds).toBe(3600)
  })
})

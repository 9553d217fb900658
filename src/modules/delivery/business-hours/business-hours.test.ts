// The business hours of the legal entities.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const staff = await app.world.user({ roles: ['customer', 'administrator'] })
const customer = await app.world.user()

const HOURS = {
  time_zone: 'America/Sao_Paulo',
  weekly: {
    monday: [
      { from: '09:00', to: '12:00' },
      { from: '12:00', to: '24:00' },
    ],
  },
  holidays: ['2026-12-25'],
}
const set = (business_hours: unknown, by: Speaker = staff) =>
  by.put('/admin/business-hours/entity_br', { business_hours })

describe('GET /admin/business-hours/{company}', () => {
  it('200 with null before any are set', async () => {
    const answer = await staff.get('/admin/business-hours/entity_global')
    expect(answer.data).toMatchObject({ company: 'entity_global', business_hours: null })
  })
  it('403 for customers, 401 without credentials, and no other legal entity', async () => {
    expect((await customer.get('/admin/business-hours/entity_br')).status).toBe(403)
    expect((await app.world.anonymous.get('/admin/business-hours/entity_br')).status).toBe(401)
    expect((await staff.get('/admin/business-hours/entity_mars')).status).toBe(404)
  })
})

describe('PUT /admin/business-hours/{company}', () => {
  it('200 with an entry in the log, and null for round the clock again', async () => {
    expect((await set(HOURS)).data.business_hours).toEqual(HOURS)
    expect((await staff.get('/admin/business-hours/entity_br')).data.business_hours).toEqual(HOURS)
    expect((await staff.get('/admin/business-hours/entity_global')).data.business_hours).toBeNull()
    expect((await set(null)).data.business_hours).toBeNull()
    const log = await staff.get('/admin/audit-log?log=service&resource=business_hours')
    expect(log.data[0].changes.after).toEqual({
      before: { company: 'entity_br', business_hours: HOURS },
      after: { company: 'entity_br', business_hours: null },
    })
  })
  it('403 for customers', async () => {
    expect((await set(null, customer)).status).toBe(403)
  })
  it.each([
    ['weekly', { ...HOURS, weekly: {} }, 'business_hours.weekly'],
    ['weekly', { ...HOURS, weekly: { monday: [] } }, 'business_hours.weekly'],
    ['an end before its beginning', week([{ from: '12:00', to: '09:00' }]), 'business_hours.weekly.monday.0.to'],
    ['an empty opening', week([{ from: '12:00', to: '12:00' }]), 'business_hours.weekly.monday.0.to'],
    [
      'two openings at once',
      week([
        { from: '09:00', to: '12:00' },
        { from: '11:59', to: '13:00' },
      ]),
      'business_hours.weekly.monday.1.from',
    ],
    ['no time of day', week([{ from: '9:00', to: '12:00' }]), 'business_hours.weekly.monday.0.from'],
    ['an hour that no day has', week([{ from: '09:00', to: '24:01' }]), 'business_hours.weekly.monday.0.to'],
    ['an unknown day', { ...HOURS, weekly: { ...HOURS.weekly, someday: [] } }, 'business_hours.weekly.someday'],
    ['an unknown time zone', { ...HOURS, time_zone: 'America/Atlantis' }, 'business_hours.time_zone'],
    ['an abbreviation as time zone', { ...HOURS, time_zone: 'IST' }, 'business_hours.time_zone'],
    ['an offset as time zone', { ...HOURS, time_zone: '+03:00' }, 'business_hours.time_zone'],
    ['a date that does not exist', { ...HOURS, holidays: ['2026-02-29'] }, 'business_hours.holidays.0'],
    ['a holiday twice', { ...HOURS, holidays: ['2026-12-25', '2026-12-25'] }, 'business_hours.holidays'],
  ])('422 for %s, with the field', async (_, hours, field) => {
    const answer = await set(hours)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {})).toContain(field)
  })
  it('422 without the field', async () => {
    expect((await staff.put('/admin/business-hours/entity_br', {})).errors?.fields).toEqual({
      business_hours: 'is required',
    })
  })
  it('200 for two at once, with the log in their order', async () => {
    const other = { ...HOURS, holidays: [] }
    await Promise.all([set(HOURS), set(other)])
    const log = await staff.get('/admin/audit-log?log=service&resource=business_hours&per_page=2')
    const [last, first] = log.data
    expect(last.changes.after.before).toEqual(first.changes.after.after)
    expect((await staff.get('/admin/business-hours/entity_br')).data.business_hours).toEqual(
      last.changes.after.after.business_hours,
    )
  })
})

function week(monday: object[]): object {
  return { ...HOURS, weekly: { monday } }
}

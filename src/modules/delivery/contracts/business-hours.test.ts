// Business hours as terms of a contract.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { writtenOn } from '#test/harness/pdf-text.ts'

const HOURS = {
  time_zone: 'America/Sao_Paulo',
  weekly: {
    monday: [
      { from: '09:00', to: '12:00' },
      { from: '13:00', to: '18:00' },
    ],
    friday: [{ from: '08:00', to: '24:00' }],
  },
  holidays: ['2026-12-25'],
}
const TERMS = { title: 'Support', start_date: '2026-01-01', end_date: '2099-12-31', business_hours: HOURS }

const app = await appOfFile()
const acme = await app.world.organization()

const draft = async (more: object = {}) => (await acme.staff.post('/contracts', { ...TERMS, ...more })).data
const activate = (id: number) => acme.staff.post(`/contracts/${id}/status`, { status: 'active' })
const textOf = async (id: number, language: string): Promise<string> => {
  const answer = await acme.owner.get(`/contracts/${id}/pdf`, { 'accept-language': language })
  return writtenOn(answer.data)
    .flatMap((page) => page.map(({ text }) => text))
    .join('\n')
}

describe('the business hours of a contract', () => {
  it('are set and cleared in a draft, fixed once it is active, and kept by its renewal', async () => {
    const { id, business_hours } = await draft()
    expect(business_hours).toEqual(HOURS)
    const cleared = await acme.staff.patch(`/contracts/${id}`, { business_hours: null })
    expect(cleared.data.business_hours).toBeNull()
    await acme.staff.patch(`/contracts/${id}`, { business_hours: HOURS })
    await activate(id)
    expect((await acme.staff.patch(`/contracts/${id}`, { business_hours: null })).status).toBe(409)
    const renewal = { start_date: '2027-01-01', end_date: null }
    expect((await acme.staff.post(`/contracts/${id}/renew`, renewal)).data.business_hours).toEqual(HOURS)
  })
  it('422 in every body that takes them, with the field', async () => {
    const { id } = await draft()
    const wrong = { business_hours: { ...HOURS, weekly: { monday: [{ from: '18:00', to: '09:00' }] } } }
    const answers = [
      await acme.staff.post('/contracts', { ...TERMS, ...wrong }),
      await acme.staff.patch(`/contracts/${id}`, wrong),
      await acme.staff.post(`/contracts/${id}/renew`, { end_date: null, ...wrong }),
    ]
    for (const { errors } of answers)
      expect(Object.keys(errors?.fields ?? {})).toEqual(['business_hours.weekly.monday.0.to'])
  })
  it('are written on its document, with promises in hours', async () => {
    const sla_resolution_minutes = { urgent: 2 * 1440 + 30 }
    const { id } = await draft({ sla_resolution_minutes })
    await activate(id)
    const english = await textOf(id, 'en')
    for (const part of [
      'Business hours',
      'Monday',
      '09:00–12:00, 13:00–18:00',
      '08:00–24:00',
      'December 25, 2026',
      '48 h 30 min',
    ])
      expect(english).toContain(part)
    expect(english).not.toContain('Tuesday')
    const { holidays: _, ...without } = HOURS
    const open = await draft({ sla_resolution_minutes, business_hours: without })
    await activate(open.id)
    const portuguese = await textOf(open.id, 'pt-BR')
    for (const part of ['Horário de atendimento', 'Segunda-feira', 'Os observados pela contratada'])
      expect(portuguese).toContain(part)
  })
})

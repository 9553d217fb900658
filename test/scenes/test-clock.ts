// Organizations with a test clock, time that passes for them, and what they went through.
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { entitlement } from './licenses.ts'

export const clockPath = ({ id }: Organization): string => `/admin/organizations/${id}/test-clock`

export async function clocked(app: TestApp, now: string): Promise<Organization> {
  const acme = await app.world.organization({ name: 'Acme' })
  const answer = await acme.staff.post(clockPath(acme), { now })
  expect(answer.status, answer.raw.body).toBe(201)
  return acme
}

export async function begin(acme: Organization, to: string): Promise<void> {
  const begun = await acme.staff.post(`${clockPath(acme)}/advance`, { to })
  expect(begun, begun.raw.body).toMatchObject({ status: 202, data: { status: 'advancing' } })
}

/** Until the advance is over; gives the clock. */
export async function advance(app: TestApp, acme: Organization, to: string): Promise<Answer['data']> {
  await begin(acme, to)
  await app.service.worker.drain()
  return (await acme.staff.get(clockPath(acme))).data
}

/** What is due in the year after 31 January 2027: ends, warnings, a maintenance, a ticket's deadlines, a planned stop. */
export async function sold(acme: Organization): Promise<{ ticket: number; entitlement: number; quote: number }> {
  const made = async (path: string, body?: object) => {
    const answer = await acme.staff.post(path, body)
    expect(answer.status, `${path} ${answer.raw.body}`).toBeLessThan(300)
    return answer.data
  }
  const hosting = await entitlement(acme, { class: 'ENV', expires_at: '2028-01-15T03:00:00Z' })
  const backup = await entitlement(acme, { expires_at: '2027-06-30T00:00:00Z' })
  await made('/licenses', { entitlement_id: backup.id, activations_limit: 5, expires_at: '2027-06-30T00:00:00Z' })
  const stopped = await entitlement(acme, { product_name: 'Trial' })
  await made(`/entitlements/${stopped.id}/suspend`, { reason: 'The trial ends', at: '2027-02-28T23:30:00Z' })
  const contract = await made('/contracts', {
    title: 'Hosting',
    start_date: '2027-01-31',
    end_date: '2027-12-31',
    notice_days: 90,
    entitlement_id: hosting.id,
    sla_first_response_minutes: { low: 480, normal: 240, high: 60, urgent: 30 },
    sla_resolution_minutes: { low: 4800, normal: 2400, high: 600, urgent: 300 },
  })
  await made(`/contracts/${contract.id}/status`, { status: 'active' })
  const ticket = await made('/tickets', {
    title: 'Slow',
    description: 'x',
    entitlement_id: hosting.id,
    priority: 'high',
  })
  const line = { product_name: 'Backup', quantity: 1, unit_price: '1.00', entitlement_class: 'PLG' }
  const quote = await made('/quotes', { currency: 'BRL', valid_until: '2027-03-14', line_items: [line] })
  await made(`/quotes/${quote.id}/send`)
  return { ticket: ticket.id, entitlement: backup.id, quote: quote.id }
}

/** The events of the organization as its records and its times, in their order. */
export async function chronicle(app: TestApp, { id }: Organization): Promise<string[]> {
  const rows = await app.database.query<{ at: string; type: string; status: string | null }>(
    `select at, substr(type, 9) as type, data ->> 'status' as status from events 
      where organization_id = $1 and resource <> 'organization' order by at, type`,
    [id],
  )
  return rows.map(({ at, type, status }) => `${new Date(at).toISOString()} ${type} ${status ?? ''}`.trim())
}

// Contracts with service levels, and the job that watches the deadlines of tickets.
import type { BusinessHours } from '#modules/delivery/business-hours/business-hours.ts'
import type { Organization } from '#test/harness/world.ts'
import type { TestApp } from '#test/harness/app.ts'
import { entitlement } from './licenses.ts'

type Terms = {
  sla_first_response_minutes?: object
  sla_resolution_minutes?: object
  business_hours?: BusinessHours | null
}

/** An ENV entitlement with a contract in force. */
export async function promised(acme: Organization, terms: Terms): Promise<number> {
  const { id: entitlement_id } = await entitlement(acme, { class: 'ENV' })
  const body = { title: 'SLA', start_date: '2026-01-01', entitlement_id, ...terms }
  const { id } = (await acme.staff.post('/contracts', body)).data
  await acme.staff.post(`/contracts/${id}/status`, { status: 'active' })
  return entitlement_id
}

/** Runs the job, several times at once when there are several schedulers. */
export async function watchDeadlines(app: TestApp, schedulers = 1): Promise<void> {
  for (let number = 0; number < schedulers; number++)
    await app.database.query(`insert into jobs (kind, run_at) values ('tickets/clock', $1)`, [app.clock.now])
  await app.service.worker.drain()
}

/** The numbers of events of the ticket, by type. */
export async function deadlineEvents(app: TestApp, id: number): Promise<{ warnings: number; breaches: number }> {
  const rows = await app.database.query<{ type: string }>(
    `select type from events where resource = 'ticket' and resource_id = $1 and type like '%/sla_%'`,
    [id],
  )
  const count = (type: string) => rows.filter((row) => row.type === `titular/ticket/${type}`).length
  return { warnings: count('sla_warning'), breaches: count('sla_breached') }
}

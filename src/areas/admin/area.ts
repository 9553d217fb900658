// Work across organizations (docs/interface.md, Administration).
import { mailRecipient } from '#areas/mails/mail-record.ts'
import { sql } from '#kernel/data/sql.ts'
import { area } from '#kernel/area.ts'
import { inboundEventRoutes } from './inbound-event-routes.ts'
import { adminJobs } from './jobs.ts'
import { adminRoutes } from './routes.ts'
import { testClockRoutes } from './test-clock-routes.ts'

const GIVEN_UP = sql`select id, organization_id, kind || coalesce(': ' || last_error, '') as label, parked_at as since
  from jobs where parked_at is not null`

/** The event itself waits in the queue. */
const NOT_OF_UNREADABLE = sql`not exists (
  select from provider_events e where e.event is null and e.set_aside_at is null
     and e.id::text = jobs.payload ->> 'provider_event_id')`

export const adminArea = area({
  name: 'admin',
  description: 'For the vendor’s staff: work across organizations.',
  waiting: [
    {
      kind: 'dead-letters',
      scope: 'jobs',
      waits: 'jobs that were given up, except mails and those of events that could not be read',
      rows: sql`${GIVEN_UP} and kind <> ${mailRecipient.name} and ${NOT_OF_UNREADABLE}`,
      act: { method: 'POST', path: '/admin/parked/{id}/retry' },
    },
    {
      kind: 'refused-mails',
      scope: 'jobs',
      waits: 'mails that were refused, or given up',
      rows: sql`${GIVEN_UP} and kind = ${mailRecipient.name}`,
      act: { method: 'POST', path: '/admin/parked/{id}/retry' },
    },
  ],
  routes: [...adminRoutes, ...inboundEventRoutes, ...testClockRoutes],
  jobs: adminJobs,
})

// Work across organizations (docs/interface/operations.md, Administration).
import { mailRecipient } from '#modules/messages/mails/mail-record.ts'
import { isOfUnreadEvent } from '#modules/messages/inbound/provider-events.ts'
import { withAmountsIfRead } from '#kernel/data/amounts-in-text.ts'
import { sql } from '#kernel/values/sql.ts'
import { area } from '#http/manifest/area.ts'
import { inboundEventRoutes } from './inbound-event-routes.ts'
import { adminJobs } from './jobs.ts'
import { adminRoutes } from './routes.ts'
import { testClockRoutes } from './test-clock-routes.ts'

const ERROR = withAmountsIfRead(sql`last_error`)
const GIVEN_UP = sql`select id, organization_id, kind || coalesce(': ' || ${ERROR}, '') as label, dead_at as since
  from jobs where dead_at is not null`

export const adminArea = area({
  name: 'admin',
  description: 'For the vendor’s staff: work across organizations.',
  waiting: [
    {
      kind: 'dead-letters',
      scope: 'jobs',
      waits: 'jobs that were given up, except mails and those of events that could not be read',
      rows: sql`${GIVEN_UP} and kind <> ${mailRecipient.name} and not ${isOfUnreadEvent('jobs')}`,
      act: { method: 'POST', path: '/admin/jobs/{id}/retry' },
    },
    {
      kind: 'refused-mails',
      scope: 'jobs',
      waits: 'mails that were refused, or given up',
      rows: sql`${GIVEN_UP} and kind = ${mailRecipient.name}`,
      act: { method: 'POST', path: '/admin/jobs/{id}/retry' },
    },
  ],
  fromAll: ({ inboundSources }) => ({
    routes: [...adminRoutes, ...inboundEventRoutes(inboundSources), ...testClockRoutes],
  }),
  jobs: adminJobs,
})

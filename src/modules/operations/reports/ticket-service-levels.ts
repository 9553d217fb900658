// Tickets against their service levels, by the month in which they were opened and the class of what they are about.
import { raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { daysOf, ofCompany, type Report, type ReportScene, within, zoneBy } from './report.ts'

const OUTCOMES = ['met', 'broken', 'in_danger', 'running', 'without'] as const

export const ticketServiceLevels: Report = {
  name: 'ticket-service-levels',
  purpose: 'tickets against their service levels',
  description:
    'By the month in which they were opened, the legal entity and the class of the entitlement; cancelled ' +
    'ones are left out, and those about no entitlement, which have no service levels. Each ticket is in one of the ' +
    'five columns of the first answer and in one of the resolution. ' +
    'One that is resolved without an answer is answered by it.',
  scope: 'tickets',
  isOwn: true,
  parameters: ['month_from', 'month_to', 'company', 'class', 'organization_id'],
  columns: [
    ...(['month', 'company', 'class', 'tickets'] as const),
    ...OUTCOMES.map((one) => `first_response_${one}` as const),
    ...OUTCOMES.map((one) => `resolution_${one}` as const),
  ],
  rows: (query, scene) => {
    const { from, until } = daysOf(query, scene)
    const zone = zoneBy('e.company', scene)
    return sql`
      with judged as (
        select to_char(t.created_at at time zone ${zone}, 'YYYY-MM') as month, e.company, e.class,
               ${outcome('first_response', scene)} as first_response, ${outcome('resolution', scene)} as resolution
          from tickets t join entitlements e on e.organization_id = t.organization_id and e.id = t.entitlement_id
         where ${within('t', scene, query)} ${ofCompany('e', query)}
           ${when(query.class, (one) => sql`and e.class = ${one}`)} and t.status <> 'cancelled'
           and t.created_at >= ${from}::timestamp at time zone ${zone}
           and t.created_at < ${until}::timestamp at time zone ${zone})
      select month, company, class, count(*) as tickets, ${COUNTS}
        from judged group by month, company, class order by month, company, class`
  },
}

const counted = (what: string): string[] =>
  OUTCOMES.map((one) => `count(*) filter (where ${what} = '${one}') as ${what}_${one}`)
const COUNTS = raw([...counted('first_response'), ...counted('resolution')].join(', '))

const DONE = {
  first_response: raw('coalesce(t.first_responded_at, t.resolved_at, t.closed_at) is not null'),
  resolution: raw('coalesce(t.resolved_at, t.closed_at) is not null'),
} as const

/** A deadline that has passed is broken before the job has marked it. */
function outcome(what: keyof typeof DONE, { now }: ReportScene): Statement {
  const column = (name: string) => raw(`t.${what}_${name}`)
  const runs = sql`t.clock_stopped_at is null and not (${DONE[what]})`
  return sql`
    case when ${column('due_at')} is null then 'without'
         when ${column('breached')} or ${runs} and ${column('due_at')} < ${now} then 'broken'
         when ${DONE[what]} then 'met'
         when ${column('warned')} or ${runs} and ${column('warn_at')} < ${now} then 'in_danger'
         else 'running' end`
}

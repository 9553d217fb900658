// How satisfied those who opened tickets were, by the month in which they were asked.
import { sql } from '#kernel/values/sql.ts'
import { daysOf, ofCompany, type Report, within, zoneBy } from './report.ts'

export const ticketSatisfaction: Report = {
  name: 'ticket-satisfaction',
  purpose: 'how satisfied those who opened tickets were',
  description:
    'By the month in which they were asked, the legal entity, what the ticket is about, and who had it then; tickets ' +
    'that nobody had are without a name.',
  scope: 'tickets',
  isOwn: false,
  parameters: ['month_from', 'month_to', 'company', 'organization_id'],
  columns: ['month', 'company', 'ticket_about', 'assignee_name', 'asked', 'rated_good', 'rated_bad'],
  rows: (query, scene) => {
    const { from, until } = daysOf(query, scene)
    const zone = zoneBy('r.company', scene)
    return sql`
      with asked as (
        select to_char(r.asked_at at time zone ${zone}, 'YYYY-MM') as month, r.company, r.assignee_id, r.rating,
               coalesce(e.class, case when t.invoice_id is not null then 'invoice'
                 when t.order_id is not null then 'order' else 'none' end) as ticket_about
          from ticket_ratings r join tickets t on t.organization_id = r.organization_id and t.id = r.ticket_id
               left join entitlements e on e.organization_id = t.organization_id and e.id = t.entitlement_id
         where ${within('r', scene, query)} ${ofCompany('r', query)}
           and r.asked_at >= ${from}::timestamp at time zone ${zone}
           and r.asked_at < ${until}::timestamp at time zone ${zone})
      select a.month, a.company, a.ticket_about, coalesce(u.name, '') as assignee_name, count(*) as asked,
             count(*) filter (where a.rating = 'good') as rated_good,
             count(*) filter (where a.rating = 'bad') as rated_bad
        from asked a left join users u on u.id = a.assignee_id
       group by a.month, a.company, a.ticket_about, a.assignee_id, u.name
       order by a.month, a.company, a.ticket_about, u.name, a.assignee_id`
  },
}

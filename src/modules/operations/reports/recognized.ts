// Revenue recognized: what the lines of paid invoices are worth, day by day over the time that they pay for
// (docs/reports.md).
import { raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { amount, daysOf, ofCompany, type Report, type ReportQuery, type ReportScene, within, zoneBy } from './report.ts'
import { PARTS } from './revenue-parts.ts'

export const recognized: Report = {
  name: 'recognized',
  purpose: 'revenue recognized by month, legal entity and class',
  description:
    'Of paid invoices, without tax: a line that is billed again by day over the paid period, one with a ' +
    'term over the term from the day of payment, any other on this day. What lies before the month of ' +
    'payment counts in that month. A credit note takes back from its day on. Cut to the cent; the last ' +
    'month has the rest. Months to come are what is deferred.',
  scope: 'finances',
  isOwn: false,
  parameters: ['month_from', 'month_to', 'company', 'currency', 'class', 'organization_id'],
  columns: ['month', 'company', 'currency', 'class', 'earned', 'taken_back', 'recognized'],
  rows: (query, scene) => {
    const { from, until } = daysOf(query, scene)
    return sql`
      with entries as (${entries(query, scene)}),
      spans as (${SPANS} ${when(query.class, (one) => sql`where p.class = ${one}`)}),
      months as (${MONTHS})
      select to_char(month, 'YYYY-MM') as month, company, currency, class,
             ${raw(amount("sum(amount) filter (where kind = 'invoice')"))} as earned,
             ${raw(amount("sum(amount) filter (where kind = 'credit_note')"))} as taken_back,
             ${raw(amount("sum(case kind when 'invoice' then amount else -amount end)"))} as recognized
        from months where month >= ${from}::date and month < ${until}::date
       group by month, company, currency, class order by month, company, currency, class`
  },
}

/**
 * Paid invoices and their credit notes, with the day on which each counts at the earliest. Only those that can count in
 * the months: what an invoice earns lies within its `earning_days`, what a note takes back there, or in the month of
 * its issue.
 */
function entries(query: ReportQuery, scene: ReportScene): Statement {
  const { from, until } = daysOf(query, scene)
  const zone = zoneBy('i.company', scene)
  const day = (column: string) => sql`(${raw(column)} at time zone ${zone})::date`
  const columns = sql`i.company, i.currency, i.line_items, i.origin, i.total as whole,
    ${day('i.paid_at')} as paid_on, ${day('i.period_start')} as starts, ${day('i.period_end')} as ends`
  const paid = sql`${within('i', scene, query)} ${ofCompany('i', query)} and i.status = 'paid'
    and i.paid_at is not null`
  const earning = sql`earning_days(i.line_items, i.paid_at, i.period_end) && daterange(${from}::date, ${until}::date)`
  const notes = sql`
    select ${columns}, 'credit_note', c.total, greatest(c.issue_date, ${day('i.paid_at')}) from credit_notes c
      join invoices i on i.organization_id = c.organization_id and i.id = c.invoice_id where ${paid}`
  return sql`
    select ${columns}, 'invoice' as kind, i.total as amount, ${day('i.paid_at')} as counts_on from invoices i
     where ${paid} and ${earning}
    union all ${notes} and ${earning} and (c.issue_date < ${from}::date or c.issue_date >= ${until}::date)
    union all ${notes} and c.issue_date >= ${from}::date and c.issue_date < ${until}::date`
}

/** Where no line has an interval, the subscription is of all (docs/decisions/0053). */
const IS_BILLED_AGAIN = sql`e.ends > e.starts and (e.origin = 'subscription' or p.line ? 'interval'
  or not jsonb_path_exists(e.line_items, '$[*].interval'))`

/** The days of each part. A credit note has those from its day on, at least the last one. */
const SPANS = sql`
  select e.company, e.currency, e.kind, e.counts_on, p.class, p.amount - coalesce(p.tax, 0) as net, t.ends,
         case e.kind when 'invoice' then t.starts else greatest(t.starts, least(e.counts_on, t.ends - 1)) end as starts
    from entries e cross join lateral (${PARTS}) p
   cross join lateral (
     select case when ${IS_BILLED_AGAIN} then e.starts else e.paid_on end as starts,
            case when ${IS_BILLED_AGAIN} then e.ends
                 when p.line ->> 'term_months' is not null
                   then (e.paid_on + make_interval(months => (p.line ->> 'term_months')::int))::date
                 else e.paid_on + 1 end as ends) t`

/** Each span by month: cut to the minor unit by its days, and the rest in the last one. */
const MONTHS = sql`
  select s.company, s.currency, s.kind, s.class, greatest(m.month, date_trunc('month', s.counts_on)::date) as month,
    m.amount
    from spans s cross join lateral (
      select d.month, case when d.until = s.ends then s.net - (sum(d.part) over () - d.part) else d.part end as amount
        from (select g.month::date as month, least(s.ends, (g.month + interval '1 month')::date) as until,
                     trunc(s.net * (least(s.ends, (g.month + interval '1 month')::date) - greatest(s.starts,
                       g.month::date))
                           / (s.ends - s.starts), currency_digits(s.currency)) as part
                from generate_series(date_trunc('month', s.starts::timestamp),
                                     date_trunc('month', (s.ends - 1)::timestamp),
                                       interval '1 month') as g (month)) d) m
   where s.net <> 0`

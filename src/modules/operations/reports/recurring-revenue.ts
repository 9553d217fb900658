// Recurring revenue a month, and what changed it: of the subscriptions' invoices, each worth its period's share of a
// month (docs/reports.md).
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import {
  amount,
  monthsOf,
  ofCompany,
  type Report,
  type ReportQuery,
  type ReportScene,
  within,
  zoneBy,
} from './report.ts'

export const recurringRevenue: Report = {
  name: 'recurring-revenue',
  purpose: 'recurring revenue by month, with what changed it',
  description:
    'The lines that are billed again, without tax and by the month, of the invoices whose period the end of ' +
    'the month lies in; of drafts, void, uncollectible and refunded ones nothing. The current month is as ' +
    'of now. `opening` with `new`, `reactivation` and `expansion`, less `contraction` and `churn`, is ' +
    '`closing`, which is the `opening` of the next month.',
  scope: 'finances',
  isOwn: false,
  parameters: ['month_from', 'month_to', 'company', 'currency', 'organization_id'],
  columns: [
    ...(['month', 'company', 'currency', 'opening', 'new', 'reactivation', 'expansion'] as const),
    ...(['contraction', 'churn', 'closing', 'customers'] as const),
  ],
  rows: (query, scene) => {
    const { first, last } = monthsOf(query, scene)
    const before = sql`${`${first}-01`}::timestamp - interval '1 month'`
    return sql`
      with invoiced as materialized (${invoiced(query, scene)}),
      active as (
        select distinct on (m.month, v.organization_id, v.order_id)
               m.month, v.organization_id, v.company, v.currency, v.monthly
          from invoiced v
         cross join lateral generate_series(
           greatest(date_trunc('month', v.period_start at time zone v.zone), ${before}),
           least(date_trunc('month', v.period_end at time zone v.zone), ${`${last}-01`}::timestamp),
           interval '1 month') as m (month)
         cross join lateral (
           select least((m.month + interval '1 month') at time zone v.zone - ${INSTANT}, ${scene.now}::timestamptz) as
             at) t
         where m.month at time zone v.zone <= ${scene.now}::timestamptz and v.period_start <= t.at
           and v.period_end > t.at
         order by m.month, v.organization_id, v.order_id, v.period_start desc, v.id desc),
      sides as (
        select month, organization_id, company, currency, monthly as after, 0::numeric as before from active
        union all
        select month + interval '1 month', organization_id, company, currency, 0, monthly from active),
      changes as (
        select s.month, s.organization_id, s.company, s.currency, sum(s.before) as before, sum(s.after) as after
          from sides s where s.month >= ${`${first}-01`}::timestamp and s.month <= ${`${last}-01`}::timestamp
         group by s.month, s.organization_id, s.company, s.currency),
      firsts as (${FIRSTS}),
      sorted as (
        select c.month, c.company, c.currency, c.before, c.after,
               c.before = 0 and coalesce(f.first_start >= c.month at time zone ${zoneBy('c.company', scene)}, true) as
                 is_new
          from changes c left join firsts f
            on f.organization_id = c.organization_id and f.company = c.company and f.currency = c.currency
         where c.month at time zone ${zoneBy('c.company', scene)} <= ${scene.now}::timestamptz)
      select to_char(month, 'YYYY-MM') as month, company, currency, ${MOVEMENTS},
             count(*) filter (where after > 0) as customers
        from sorted group by month, company, currency order by month, company, currency`
  },
}

const movement = (name: string, added: string, condition: string): string =>
  `${amount(`sum(${added}) filter (where ${condition})`)} as ${name}`

const MOVEMENTS = raw(
  [
    `${amount('sum(before)')} as opening`,
    movement('new', 'after', 'before = 0 and after > 0 and is_new'),
    movement('reactivation', 'after', 'before = 0 and after > 0 and not is_new'),
    movement('expansion', 'after - before', 'before > 0 and after > before'),
    movement('contraction', 'before - after', 'after > 0 and after < before'),
    movement('churn', 'before', 'before > 0 and after = 0'),
    `${amount('sum(after)')} as closing`,
  ].join(', '),
)

/** Of an invoice `i`, whether its period counts. As in the condition of the indexes of periods. */
const COUNTED = sql`i.period_start is not null and i.order_id is not null
       and i.status in ('open', 'paid') and i.payment_status <> 'refunded'`

/**
 * The invoices that pay for a period of the months and the one before, by the month: a year has twelve of them,
 * whatever its days. A day more on both sides is enough for all time zones. Materialized, since the planner takes the
 * months for a thousand and reads the whole table for them.
 */
function invoiced(query: ReportQuery, scene: ReportScene): Statement {
  const { first, last } = monthsOf(query, scene)
  return sql`
    select i.id, i.organization_id, i.order_id, i.company, i.currency, i.period_start, i.period_end,
           ${zoneBy('i.company', scene)} as zone,
           round(a.net / greatest(1, round(extract(epoch
             from i.period_end - i.period_start) / ${MONTH_SECONDS}::numeric)),
                 currency_digits(i.currency)) as monthly
      from invoices i cross join lateral (
        select coalesce(sum((n.line ->> 'total')::numeric - coalesce((n.line ->> 'tax')::numeric, 0)), 0) as net
          from jsonb_array_elements(i.line_items) as n (line)
         where i.origin = 'subscription' or n.line ? 'interval'
            or not jsonb_path_exists(i.line_items, '$[*].interval')) a
     where ${within('i', scene, query)} ${ofCompany('i', query)} and ${COUNTED}
       and tstzrange(i.period_start, i.period_end) && tstzrange(
         (${`${first}-01`}::timestamp - interval '1 month 1 day') at time zone 'UTC',
         (${`${last}-01`}::timestamp + interval '1 month 1 day') at time zone 'UTC')`
}

/**
 * When the first period of those began who had none in some month before. By organization and not by change, since a
 * cluster reads no table of many nodes for each row of another part of the statement.
 */
const FIRSTS = sql`
  select i.organization_id, i.company, i.currency, min(i.period_start) as first_start from invoices i
   where i.organization_id = any(array(select distinct c.organization_id from changes c where c.before = 0))
     and ${COUNTED}
   group by i.organization_id, i.company, i.currency`

/** A month ends before the first moment of the next one. */
const INSTANT = sql`interval '1 microsecond'`

/** The twelfth part of a mean year. */
const MONTH_SECONDS = 2_629_746

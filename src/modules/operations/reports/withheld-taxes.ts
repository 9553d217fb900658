// Taxes that customers keep back, by the month in which their invoices were issued, credited or voided: so a month that
// is over does not change any more.
import { raw, sql } from '#kernel/values/sql.ts'
import { amount, daysOf, organizationsOf, type Report, within } from './report.ts'
import { FINALIZED } from './revenue-parts.ts'

export const withheldTaxes: Report = {
  name: 'withheld-taxes',
  purpose: 'withheld taxes by month, customer and tax',
  description:
    'What customers keep back of invoices by their `issue_date`, less what credit notes took back of it, less ' +
    'what was left of it when invoices were voided.',
  scope: 'finances',
  isOwn: true,
  parameters: ['month_from', 'month_to', 'organization_id'],
  columns: [
    'month',
    'organization_id',
    'organization_name',
    'withheld_tax',
    'currency',
    'withheld',
    'withheld_credited',
    'withheld_voided',
    'withheld_net',
  ],
  rows: (query, scene) => {
    const { from, until } = daysOf(query, scene)
    const visible = sql`${within('i', scene, query)} and i.withheld_total > 0`
    const voided = sql`${visible} and ${FINALIZED} and i.status = 'void' and i.amount_credited < i.total
           and i.voided_on >= ${from}::date and i.voided_on < ${until}::date`
    const notes = sql`credit_notes c join invoices i on i.organization_id = c.organization_id and i.id = c.invoice_id`
    return sql`
      with entries as (
        select i.organization_id, i.currency, 'invoice' as kind, i.issue_date as day, i.withheld, 1 as sign
          from invoices i
         where ${visible} and ${FINALIZED} and i.issue_date >= ${from}::date and i.issue_date < ${until}::date
        union all
        select i.organization_id, i.currency, 'credit_note', c.issue_date, c.withheld, 1 from ${notes}
         where ${visible} and c.issue_date >= ${from}::date and c.issue_date < ${until}::date
        union all
        select i.organization_id, i.currency, 'void', i.voided_on, i.withheld, 1 from invoices i where ${voided}
        union all
        select i.organization_id, i.currency, 'void', i.voided_on, c.withheld, -1 from ${notes} where ${voided}),
      taxes as (
        select e.organization_id, e.currency, e.kind, to_char(e.day, 'YYYY-MM') as month, t.tax,
               e.sign * t.amount as amount
          from entries e cross join lateral jsonb_to_recordset(e.withheld) t (tax text, amount numeric))
      select t.month, t.organization_id, o.name as organization_name, t.tax as withheld_tax, t.currency,
             ${raw(amount("sum(t.amount) filter (where t.kind = 'invoice')"))} as withheld,
             ${raw(amount("sum(t.amount) filter (where t.kind = 'credit_note')"))} as withheld_credited,
             ${raw(amount("sum(t.amount) filter (where t.kind = 'void')"))} as withheld_voided,
             ${raw(amount("sum(case t.kind when 'invoice' then t.amount else -t.amount end)"))} as withheld_net
        from taxes t join ${organizationsOf(scene)} o
          on o.organization_id = t.organization_id and o.id = t.organization_id
       group by t.month, t.organization_id, o.name, t.tax, t.currency
       order by t.month, t.organization_id, t.tax, t.currency`
  },
}

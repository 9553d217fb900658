// Revenue billed: what was invoiced in a month, less what was credited and voided in it, whichever invoice it was of.
// So a month that is over does not change any more.
import { raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { amount, daysOf, ofCompany, type Report, type ReportQuery, type ReportScene, within } from './report.ts'
import { FINALIZED, PARTS } from './revenue-parts.ts'

export const billed: Report = {
  name: 'billed',
  purpose: 'revenue billed by month, legal entity and class',
  description:
    'Finalized invoices by `issue_date`, less credit notes by theirs, less what was left of invoices when ' +
    'they were voided. Credit notes and voids are divided over the lines of their invoice. Never added over ' +
    'currencies.',
  scope: 'finances',
  isOwn: false,
  parameters: ['month_from', 'month_to', 'company', 'currency', 'class', 'organization_id'],
  columns: ['month', 'company', 'currency', 'class', 'invoiced', 'credited', 'voided', 'billed', 'tax'],
  rows: (query, scene) => sql`
    with entries as (${entries(query, scene)}),
    parts as (
      select e.company, e.currency, to_char(e.day, 'YYYY-MM') as month, e.kind, p.class, p.amount, p.tax
        from entries e cross join lateral (${PARTS}) p
       where true ${when(query.class, (one) => sql`and p.class = ${one}`)})
    select month, company, currency, class,
           ${raw(amount(INVOICED))} as invoiced, ${raw(amount(CREDITED))} as credited, ${raw(amount(VOIDED))} as voided,
           ${raw(amount("sum(case kind when 'invoice' then amount else -amount end)"))} as billed,
           ${raw(amount("sum(case kind when 'invoice' then tax else -tax end)"))} as tax
      from parts group by month, company, currency, class order by month, company, currency, class`,
}

const INVOICED = "sum(amount) filter (where kind = 'invoice')"
const CREDITED = "sum(amount) filter (where kind = 'credit_note')"
const VOIDED = "sum(amount) filter (where kind = 'void')"

function entries(query: ReportQuery, scene: ReportScene): Statement {
  const { from, until } = daysOf(query, scene)
  const of = raw('i.company, i.currency, i.line_items, i.total as whole')
  const visible = sql`${within('i', scene, query)} ${ofCompany('i', query)}`
  return sql`
    select ${of}, 'invoice' as kind, i.issue_date as day, i.total as amount from invoices i
     where ${visible} and ${FINALIZED} and i.issue_date >= ${from}::date and i.issue_date < ${until}::date
    union all
    select ${of}, 'credit_note', c.issue_date, c.total from credit_notes c
      join invoices i on i.organization_id = c.organization_id and i.id = c.invoice_id
     where ${visible} and c.issue_date >= ${from}::date and c.issue_date < ${until}::date
    union all
    select ${of}, 'void', i.voided_on, i.total - i.amount_credited from invoices i
     where ${visible} and ${FINALIZED} and i.status = 'void' and i.amount_credited < i.total
       and i.voided_on >= ${from}::date and i.voided_on < ${until}::date`
}

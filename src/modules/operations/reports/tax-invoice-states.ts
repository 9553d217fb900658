// Tax invoices (NFS-e) by the month of their competence and their state.
import { raw, sql } from '#kernel/values/sql.ts'
import { amount, daysOf, type Report, within } from './report.ts'

export const taxInvoiceStates: Report = {
  name: 'tax-invoices',
  purpose: 'tax invoices by month of competence and state',
  description: 'How many there are in each state, with their totals.',
  scope: 'finances',
  isOwn: false,
  parameters: ['month_from', 'month_to', 'organization_id'],
  columns: ['competence', 'status', 'currency', 'tax_invoices', 'total', 'iss_amount'],
  rows: (query, scene) => {
    const { from, until } = daysOf(query, scene)
    return sql`
      select to_char(date_trunc('month', t.competence), 'YYYY-MM') as competence, t.status, t.currency,
             count(*) as tax_invoices, ${raw(amount('sum(t.total)'))} as total,
             ${raw(amount('sum(t.iss_amount)'))} as iss_amount
        from tax_invoices t
       where ${within('t', scene, query)} and t.competence >= ${from}::date and t.competence < ${until}::date
       group by 1, t.status, t.currency order by 1, t.status, t.currency`
  },
}

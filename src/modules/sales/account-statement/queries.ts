// All SQL of statements of account. What moves between an invoice and the credit balance changes nothing in the
// account, so it is no line: payments from the balance, their refunds, what was overpaid.
import { raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { LINE_KINDS, type LineKind, type StatementLine, type StatementPeriod } from './account-statement.ts'

type Days = (column: string) => Statement
const rankOf = (kind: LineKind): number => LINE_KINDS.indexOf(kind)

const ENTRY_KINDS = { credit_added: 'added', credit_withdrawn: 'withdrawn', credit_refunded: 'refunded' } as const

/** Each part of a source: `date`, `rank`, `id`, `reference`, `amount` of the lines in these days. */
function linesIn(org: number, { company, currency }: StatementPeriod, days: Days): Statement {
  const at = sql`company = ${company} and currency = ${currency}`
  const line = (kind: LineKind, columns: string): Statement => sql`select ${rankOf(kind)}::int as rank, ${raw(columns)}`
  return sql`
    ${line('invoice', 'issue_date as date, id, number as reference, total as amount')} from invoices
     where organization_id = ${org} and ${at} and status <> 'draft' and (status <> 'void' or finalized_at is not null)
       and ${days('issue_date')}
    union all
    ${line('invoice_voided', 'voided_on, id, number, amount_credited - total')} from invoices
     where organization_id = ${org} and ${at} and status = 'void' and finalized_at is not null
       and amount_credited < total
       and ${days('voided_on')}
    union all
    ${line('credit_note', 'issue_date, id, number, -total')} from credit_notes
     where organization_id = ${org} and ${at} and ${days('issue_date')}
    union all
    ${line('tax_withheld', 'issue_date, id, number, -withheld_total')} from invoices
     where organization_id = ${org} and ${at} and withheld_total > 0 and status <> 'draft' and ${days('issue_date')}
    union all
    ${line('tax_withheld', 'voided_on, id, number, withheld_total - withheld_credited')} from invoices
     where organization_id = ${org} and ${at} and status = 'void' and withheld_credited < withheld_total
       and ${days('voided_on')}
    union all
    ${line('tax_withheld', 'issue_date, id, number, withheld_total')} from credit_notes
     where organization_id = ${org} and ${at} and withheld_total > 0 and ${days('issue_date')}
    union all
    ${line('payment', 'payment_date, id, reference, -amount')} from payments
     where organization_id = ${org} and ${at} and source <> 'credit_balance' and moved_at is null
       and ${days('payment_date')}
    union all
    ${line('refund', 'r.refunded_on, r.id, r.provider_reference, r.amount')} from refunds r
      join invoices i on i.organization_id = ${org} and i.id = r.invoice_id and i.company = ${company}
     where r.organization_id = ${org} and r.currency = ${currency} and r.status = 'succeeded'
       and ${days('r.refunded_on')}
       and not exists (select 1 from payments p where p.organization_id = ${org} and p.id = r.payment_id
                          and p.source = 'credit_balance')
    union all
    select case e.kind when ${ENTRY_KINDS.credit_added} then ${rankOf('credit_added')}::int
                       when ${ENTRY_KINDS.credit_withdrawn} then ${rankOf('credit_withdrawn')}::int
                       when ${ENTRY_KINDS.credit_refunded} then ${rankOf('credit_refunded')}::int
                       else ${rankOf('credit_refund_ended')}::int end,
           e.date, e.id, null, -e.amount from credit_balance_entries e
      join credit_balances b on b.organization_id = ${org} and b.id = e.credit_balance_id and b.company = ${company}
     where e.organization_id = ${org} and e.currency = ${currency}
       and e.kind in ('added', 'withdrawn', 'refunded', 'refund_ended') and ${days('e.date')}`
}

export type StatementRow = Pick<StatementLine, 'date' | 'id' | 'reference' | 'amount'> & { rank: number }

export const accountStatements = {
  /** What was owed before the period; 0 without a beginning. */
  opening: (org: number, period: StatementPeriod) => {
    const { date_from: from = '0001-01-01' } = period
    return sql<{ amount: string | null }>`
      select sum(l.amount) as amount from (${linesIn(org, period, (column) => sql`${raw(column)} < ${from}`)}) l`
  },
  /** The lines of the period in their order; one more than `most` if there are more. */
  lines: (org: number, period: StatementPeriod, most: number) => {
    const days: Days = (column) => sql`
      ${raw(column)} is not null ${when(period.date_from, (day) => sql`and ${raw(column)} >= ${day}`)}
      ${when(period.date_to, (day) => sql`and ${raw(column)} <= ${day}`)}`
    return sql<StatementRow>`
      select l.date, l.rank, l.id, l.reference, l.amount from (${linesIn(org, period, days)}) l
       order by l.date, l.rank, l.id limit ${most + 1}`
  },
}

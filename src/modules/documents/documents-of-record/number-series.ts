// Numbers without gaps: one series per kind of document and legal entity. A number is allocated in the transaction that
// uses it, so a rollback frees it, and concurrent transactions of a series wait for each other.
import type { Company } from '#kernel/values/schema.ts'
import { sql } from '#kernel/values/sql.ts'

/** `tax_declaration`: the declaration sent to a tax authority, which then assigns a number of its own. */
export type NumberedDocument = 'invoice' | 'credit_note' | 'tax_declaration'

/** Allocates from the newest series, or opens `firstSeries`. A restore opens a new series. */
export const nextNumber = (document: NumberedDocument, company: Company, firstSeries: string) => sql<{
  series: string
  last: number
}>`
  insert into number_series (document, company, series, opened, last)
  select ${document}, ${company}, coalesce(newest.series, ${firstSeries}), coalesce(newest.opened, 1), 1
    from (select 1) one
    left join (select series, opened from number_series where document = ${document} and company = ${company}
                order by opened desc limit 1) newest on true
  on conflict (document, company, series) do update set last = number_series.last + 1 returning series, last`

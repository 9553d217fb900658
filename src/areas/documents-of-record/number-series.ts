// Numbers without gaps: one series per kind of document and legal entity. A number is drawn in the transaction that uses
// it, so a rollback gives it back, and two at once wait for each other.
import type { Company } from '#kernel/values/schema.ts'
import { sql } from '#kernel/data/sql.ts'

/** `tax_declaration`: what a tax authority is sent before it gives a number of its own. */
export type NumberedDocument = 'invoice' | 'credit_note' | 'tax_declaration'

/** The next of the newest series; `firstSeries` when there is none yet. A restore has opened a new one. */
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

// How an amount of an invoice is divided over its lines: the whole invoice, a credit note, or what a void leaves out.
import { sql } from '#kernel/values/sql.ts'

/** Invoices that were finalized, whatever became of them. */
export const FINALIZED = sql`i.status <> 'draft' and (i.status <> 'void' or i.finalized_at is not null)`

/**
 * Of an entry `e` with `line_items`, `whole` (the total of the invoice), `amount` and `currency`: the part of each
 * line, in proportion to its total and cut to the minor unit; the last one that costs anything has the rest, so that
 * the parts are the amount. `tax` is the line's share of the part.
 */
export const PARTS = sql`
  select s.line, s.class, s.amount, trunc(s.amount * s.tax / nullif(s.total, 0), currency_digits(e.currency)) as tax
    from (select l.line, l.class, l.total, l.tax,
                 case when l.position = max(l.position) filter (where l.total > 0) over ()
                      then e.amount - (sum(l.part) over () - l.part) else l.part end as amount
            from (select n.line, n.position, coalesce(n.line ->> 'entitlement_class', 'ORD') as class,
                         (n.line ->> 'total')::numeric as total, coalesce((n.line ->> 'tax')::numeric, 0) as tax,
                         coalesce(trunc(e.amount * (n.line ->> 'total')::numeric / nullif(e.whole, 0),
                                        currency_digits(e.currency)), 0) as part
                    from jsonb_array_elements(e.line_items) with ordinality as n (line, position)) l) s`

// What bills an entitlement: an invoice or a tax invoice that names it in its lines; where no line names any, one of its
// order. Lines are JSON, which no index helps with behind the walls, so indexes find few by order, or those of no order.

const CODES = '$[*].entitlement_code'

/** Of the aliased table, in SQL. */
const codesOf = (alias: string): string => `jsonb_path_query_array(${alias}.line_items, '${CODES} ? (@ != null)')`
const namesNone = (alias: string): string => `${codesOf(alias)} = '[]'`

/** As the alias `t`, all that may bill the entitlement `e`: a subquery, to be joined on `BILLS`. */
export const mayBill = (table: 'invoices' | 'tax_invoices'): string => `lateral (
  select o.* from ${table} o where o.organization_id = e.organization_id and o.order_id = e.order_id
  union all
  select w.* from ${table} w where w.organization_id = e.organization_id and w.order_id is null) t`

export const BILLS = `(${codesOf('t')} ? e.code or t.order_id = e.order_id and ${namesNone('t')})`

/** Backwards, of the found record `s`: its codes, and its order where it has none. */
export const NAMED_CODES = `jsonb_array_elements_text(${codesOf('s')})`
export const NAMES_NONE = namesNone('s')

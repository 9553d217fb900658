// Which invoices and tax invoices bill an entitlement: those whose lines name it, and those of its order whose lines
// name none. Lines are JSON, which the tenant policies keep from being searched by index; so an index first finds the
// few records of the order and those without an order.

const CODES = '$[*].entitlement_code'

/** SQL for the entitlement codes in the lines of the aliased table. */
const codesOf = (alias: string): string => `jsonb_path_query_array(${alias}.line_items, '${CODES} ? (@ != null)')`
const namesNone = (alias: string): string => `${codesOf(alias)} = '[]'`

/** A subquery with the alias `t`: the records that may bill the entitlement `e`, to be joined on `BILLS`. */
export const mayBill = (table: 'invoices' | 'tax_invoices'): string => `lateral (
  select o.* from ${table} o where o.organization_id = e.organization_id and o.order_id = e.order_id
  union all
  select w.* from ${table} w where w.organization_id = e.organization_id and w.order_id is null) t`

export const BILLS = `(${codesOf('t')} ? e.code or t.order_id = e.order_id and ${namesNone('t')})`

/** For the way back from a record `s`: its codes, and whether its lines name none. */
export const NAMED_CODES = `jsonb_array_elements_text(${codesOf('s')})`
export const NAMES_NONE = namesNone('s')

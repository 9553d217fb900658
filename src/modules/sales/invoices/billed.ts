// Which invoices and tax invoices bill an entitlement: those whose lines name it, and those of its order whose lines
// name none. Lines are JSON, which the tenant policies keep from being searched by index; so an index first finds the
// few records of the order and those without an order.
import { raw, sql, type Statement } from '#kernel/values/sql.ts'

const CODES = '$[*].entitlement_code'

/** SQL for the entitlement codes in the lines of the aliased table. */
const codesOf = (alias: string): string => `jsonb_path_query_array(${alias}.line_items, '${CODES} ? (@ != null)')`
const namesNone = (alias: string): string => `${codesOf(alias)} = '[]'`

type BillingTable = 'invoices' | 'tax_invoices'

/** The ids of the records that bill the entitlement. */
export function billing(table: BillingTable, org: number | Statement, entitlementId: Statement): Statement {
  const entitlement = sql`from entitlements e where e.organization_id = ${org} and e.id = ${entitlementId}`
  return sql`
    select o.id from ${raw(table)} o
     where o.organization_id = ${org} and o.order_id = (select e.order_id ${entitlement})
       and (${raw(codesOf('o'))} ? (select e.code ${entitlement}) or ${raw(namesNone('o'))})
    union all
    select w.id from ${raw(table)} w
     where w.organization_id = ${org} and w.order_id is null and ${raw(codesOf('w'))} ? (select e.code ${entitlement})`
}

/** In a list of all organizations: those that bill the entitlement, whosever it is. */
export function billedByAny(table: BillingTable, entitlementId: number): Statement {
  const owner = sql`(select w.organization_id from entitlements w where w.id = ${entitlementId})`
  return sql`and organization_id = ${owner} and id in (${billing(table, owner, sql`${entitlementId}::bigint`)})`
}

// For the way back from a record `s`: its codes, and whether its lines name none.
export const NAMED_CODES = `jsonb_array_elements_text(${codesOf('s')})`
export const NAMES_NONE = namesNone('s')

/** The ids of the entitlements that an invoice bills; the other way round than `billing`. */
export const billedBy = (org: number, invoiceId: number) => sql<{ id: number }>`
  select e.id from invoices s join entitlements e on e.organization_id = ${org}
     and e.order_id is not distinct from coalesce(s.order_id, e.order_id)
     and (e.code in (select ${raw(NAMED_CODES)}) or (s.order_id is not null and ${raw(NAMES_NONE)}))
   where s.organization_id = ${org} and s.id = ${invoiceId}`

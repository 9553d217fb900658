// GET /lineage: from a number or a key back to its entitlements.
import { invalid } from '#kernel/values/errors.ts'
import type { Scope } from '#kernel/values/permissions.ts'
import { page, parts, type ReadPlan } from '#http/route.ts'
import { mayFind } from '#kernel/data/lists/search.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { NAMED_CODES, NAMES_NONE } from '#modules/sales/invoices/billed.ts'
import { ORIGINS, type OriginQuery } from './lineage.ts'

const BY_LINES = Symbol('lines')
type OriginName = keyof typeof ORIGINS

/** `ofStaff`: the scope that staff need in place of `scope`. */
type OriginRows = {
  scope: Scope
  ofStaff?: Scope
  table: string
  column: string
  on: string | typeof BY_LINES
}

/**
 * Each origin: its scope, its table `s`, the column to find it by, and the condition on the entitlement `e`, or its
 * lines.
 */
const ORIGIN: Record<OriginName, OriginRows> = {
  quote: { scope: 'quotes', table: 'quotes', column: 'number', on: 'e.quote_id = s.id' },
  order: { scope: 'orders', table: 'orders', column: 'number', on: 'e.order_id = s.id' },
  invoice: { scope: 'finances', table: 'invoices', column: 'number', on: BY_LINES },
  tax_invoice: { scope: 'finances', table: 'tax_invoices', column: 'nfse_number', on: BY_LINES },
  ticket: {
    scope: 'entitlements',
    ofStaff: 'tickets',
    table: 'tickets',
    column: 'number',
    on: 'e.id = s.entitlement_id',
  },
  license_key: { scope: 'licenses', table: 'licenses', column: 'license_key', on: 'e.id = s.entitlement_id' },
}
const isOrigin = (name: string): name is OriginName => name in ORIGIN

export function origins(org: number, query: OriginQuery): ReadPlan<never> {
  const [name, ...more] = Object.keys(query).filter(isOrigin)
  // Thrown after the access check, like all problems of the input.
  if (name === undefined || more.length > 0)
    return parts([], () => {
      throw invalid({ query: `takes exactly one of ${Object.keys(ORIGIN).join(', ')}` })
    })
  const { table, column, on } = ORIGIN[name]
  const named = sql`s.organization_id = ${org} and s.${raw(column)} = ${query[name]} and ${mayFind(ORIGIN[name])}`
  const found = sql`from ${raw(table)} s where ${named}`
  // Uncorrelated arrays are computed once, so that an index finds the entitlements.
  const condition =
    on === BY_LINES
      ? sql`(e.code = any(array(select ${raw(NAMED_CODES)} ${found}))
             or e.order_id = any(array(select s.order_id ${found} and ${raw(NAMES_NONE)})))`
      : sql`exists (select ${found} and ${raw(on)})`
  return page(query, {
    id: 'e.id',
    columns: sql`e.id, e.code, e.class, e.product_name, e.status, jsonb_build_object(
      'entitlement', '/entitlements/' || e.id, 'lineage', '/entitlements/' || e.id || '/lineage') as links`,
    from: sql`from entitlements e where e.organization_id = ${org} and ${condition}`,
    parent: sql`select s.id ${found} limit 1`,
  })
}

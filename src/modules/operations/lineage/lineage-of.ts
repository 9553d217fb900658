// The lineage of one entitlement: of each kind of record the newest, how many there are, and where all are listed.
import type { Static } from 'typebox'
import { billing } from '#modules/sales/invoices/billed.ts'
import { notFound } from '#kernel/values/errors.ts'
import { holds, type Scope } from '#kernel/values/permissions.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { mayFind } from '#kernel/data/lists/search.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import { ITEMS, type Lineage, MOST_COUNTED, type Part, SHOWN } from './lineage.ts'

/** `ofStaff`: the scope that staff need in place of `scope`. */
type Of = { scope: Scope; ofStaff?: Scope; table: string; ids: (org: number, id: Statement) => Statement }

const hanging = (scope: Scope, table: string): Of => ({
  scope,
  table,
  ids: (org, id) => sql`select t.id from ${raw(table)} t where t.organization_id = ${org} and t.entitlement_id = ${id}`,
})
const billed = (table: 'invoices' | 'tax_invoices'): Of => ({
  scope: 'finances',
  table,
  ids: (org, id) => billing(table, org, id),
})
const origin = (scope: Scope, table: string, column: string): Of => ({
  scope,
  table,
  ids: (org, id) => sql`
    select e.${raw(column)} as id from entitlements e where e.organization_id = ${org} and e.id = ${id}`,
})

const PARTS: Record<Part, Of> = {
  quote: origin('quotes', 'quotes', 'quote_id'),
  order: origin('orders', 'orders', 'order_id'),
  invoices: billed('invoices'),
  tax_invoices: billed('tax_invoices'),
  licenses: hanging('licenses', 'licenses'),
  environments: hanging('entitlements', 'environments'),
  services: hanging('entitlements', 'services'),
  tickets: { ...hanging('entitlements', 'tickets'), ofStaff: 'tickets' },
  contracts: hanging('contracts', 'contracts'),
}

const RENAMED: Record<string, string> = { date_created: 't.created_at as date_created' }

/** The newest records, and in each of them how many there are; nothing is read when the caller lacks the scope. */
function newest<Name extends Part>(
  org: number,
  name: Name,
  id: Statement,
): Statement<Static<(typeof ITEMS)[Name]> & { counted: number }> {
  const { table, ids } = PARTS[name]
  const columns = Object.keys(ITEMS[name].properties).map((column) => RENAMED[column] ?? `t.${column}`)
  return sql`
    select ${raw(columns.join(', '))}, k.counted from (
      select c.id, count(*) over () as counted from (
        select i.id from (${ids(org, id)}) i where ${mayFind(PARTS[name])} order by i.id desc limit ${MOST_COUNTED}) c
       order by c.id desc limit ${SHOWN}) k
      join ${raw(table)} t on t.organization_id = ${org} and t.id = k.id order by t.id desc`
}

const itemsOf = <Item extends { counted: number }>(rows: Item[]) => rows.map(({ counted: _counted, ...item }) => item)
const countOf = ([first]: { counted: number }[]): number => first?.counted ?? 0

type Visible = <Value>(name: Part, value: Value) => Value | null

const linksOf = (id: number, visible: Visible): Lineage['links'] => ({
  invoices: visible('invoices', `/invoices?entitlement_id=${id}`),
  tax_invoices: visible('tax_invoices', `/tax-invoices?entitlement_id=${id}`),
  licenses: visible('licenses', `/entitlements/${id}/licenses`),
  environments: visible('environments', `/environments?entitlement_id=${id}`),
  services: visible('services', `/services?entitlement_id=${id}`),
  tickets: visible('tickets', `/tickets?entitlement_id=${id}`),
  contracts: visible('contracts', `/entitlements/${id}/contracts`),
})

const statementsOf = (org: number, id: Statement) =>
  [
    sql<{ id: number }>`select e.id from entitlements e where e.organization_id = ${org} and e.id = ${id}`,
    newest(org, 'quote', id),
    newest(org, 'order', id),
    newest(org, 'invoices', id),
    newest(org, 'tax_invoices', id),
    newest(org, 'licenses', id),
    newest(org, 'environments', id),
    newest(org, 'services', id),
    newest(org, 'tickets', id),
    newest(org, 'contracts', id),
  ] as const

/** `id` is SQL for the id of the entitlement; 404 where the organization has none such. */
export const lineageOf = (org: number, id: Statement): ReadPlan<Lineage> =>
  parts(statementsOf(org, id), ([[found], quotes, orders, ...lists], { scopes, caller }) => {
    if (!found) throw notFound()
    const visible: Visible = (name, value) => {
      const { scope, ofStaff = scope } = PARTS[name]
      return holds(scopes, caller.staff ? ofStaff : scope) ? value : null
    }
    const [invoices, taxInvoices, licenses, environments, services, tickets, contracts] = lists
    return {
      quote: itemsOf(quotes)[0] ?? null,
      order: itemsOf(orders)[0] ?? null,
      invoices: visible('invoices', itemsOf(invoices)),
      tax_invoices: visible('tax_invoices', itemsOf(taxInvoices)),
      licenses: visible('licenses', itemsOf(licenses)),
      environments: visible('environments', itemsOf(environments)),
      services: visible('services', itemsOf(services)),
      tickets: visible('tickets', itemsOf(tickets)),
      contracts: visible('contracts', itemsOf(contracts)),
      counts: {
        invoices: visible('invoices', countOf(invoices)),
        tax_invoices: visible('tax_invoices', countOf(taxInvoices)),
        licenses: visible('licenses', countOf(licenses)),
        environments: visible('environments', countOf(environments)),
        services: visible('services', countOf(services)),
        tickets: visible('tickets', countOf(tickets)),
        contracts: visible('contracts', countOf(contracts)),
      },
      links: linksOf(found.id, visible),
    }
  })

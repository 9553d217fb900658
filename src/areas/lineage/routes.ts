// GET /entitlements/{id}/lineage, GET /entitlements/code/{code}/lineage, and backwards: GET /lineage.
import { Type, type Static } from 'typebox'
import { notFound } from '#kernel/http/errors.ts'
import { holds, org, type Scope } from '#kernel/access/permissions.ts'
import { parts, type ReadPlan, route } from '#kernel/http/route.ts'
import { ById, Closed } from '#kernel/values/schema.ts'
import { raw, sql, type Statement } from '#kernel/data/sql.ts'
import { BILLS, mayBill } from './billed.ts'
import { ITEMS, Lineage, Origin, OriginQuery, type Part } from './lineage.ts'
import { origins } from './origins.ts'

/** Each part of the lineage: its scope, its table and the condition on the entitlement `e`. */
const PARTS: Record<Part, { scope: Scope; from: string; on: string }> = {
  quote: { scope: 'quotes', from: 'quotes t', on: 't.id = e.quote_id' },
  order: { scope: 'orders', from: 'orders t', on: 't.id = e.order_id' },
  invoices: { scope: 'finances', from: mayBill('invoices'), on: BILLS },
  tax_invoices: { scope: 'finances', from: mayBill('tax_invoices'), on: BILLS },
  licenses: { scope: 'licenses', from: 'licenses t', on: 't.entitlement_id = e.id' },
  environments: { scope: 'entitlements', from: 'environments t', on: 't.entitlement_id = e.id' },
  services: { scope: 'entitlements', from: 'services t', on: 't.entitlement_id = e.id' },
  tickets: { scope: 'entitlements', from: 'tickets t', on: 't.entitlement_id = e.id' },
  contracts: { scope: 'contracts', from: 'contracts t', on: 't.entitlement_id = e.id' },
}

const RENAMED: Record<string, string> = { date_created: 't.created_at as date_created' }

function lineage(organizationId: number, which: Statement): ReadPlan<Lineage> {
  const entitlement = sql`select id from entitlements e where e.organization_id = ${organizationId} and ${which}`
  function of<Name extends Part>(name: Name): Statement<Static<(typeof ITEMS)[Name]>> {
    const columns = Object.keys(ITEMS[name].properties).map((column) => RENAMED[column] ?? `t.${column}`)
    return sql`
      select ${raw(columns.join(', '))} from entitlements e
        join ${raw(PARTS[name].from)} on t.organization_id = ${organizationId} and ${raw(PARTS[name].on)}
       where e.organization_id = ${organizationId} and ${which} order by t.id`
  }
  const statements = [
    entitlement,
    of('quote'),
    of('order'),
    of('invoices'),
    of('tax_invoices'),
    of('licenses'),
    of('environments'),
    of('services'),
    of('tickets'),
    of('contracts'),
  ] as const
  return parts(
    statements,
    (
      [found, [quote], [order], invoices, taxInvoices, licenses, environments, services, tickets, contracts],
      { scopes },
    ) => {
      if (found.length === 0) throw notFound()
      const visible = <Value>(name: Part, value: Value): Value | null =>
        holds(scopes, PARTS[name].scope) ? value : null
      return {
        quote: visible('quote', quote ?? null),
        order: visible('order', order ?? null),
        invoices: visible('invoices', invoices),
        tax_invoices: visible('tax_invoices', taxInvoices),
        licenses: visible('licenses', licenses),
        environments: visible('environments', environments),
        services: visible('services', services),
        tickets: visible('tickets', tickets),
        contracts: visible('contracts', contracts),
      }
    },
  )
}

export const lineageRoutes = [
  route({
    method: 'GET',
    path: '/entitlements/{id}/lineage',
    tag: 'entitlements',
    access: org('entitlements'),
    purpose: 'Get the records that belong to an entitlement.',
    params: ById,
    data: Lineage,
    read: ({ org: id }, { params }) => lineage(id, sql`e.id = ${params.id}`),
  }),
  route({
    method: 'GET',
    path: '/entitlements/code/{code}/lineage',
    operationId: 'getEntitlementLineageByCode',
    tag: 'entitlements',
    access: org('entitlements'),
    purpose: 'Get the records that belong to an entitlement, by its code.',
    params: Closed({ code: Type.String({ maxLength: 100, examples: ['PLG-2026110001'] }) }),
    data: Lineage,
    read: ({ org: id }, { params }) => lineage(id, sql`e.code = ${params.code}`),
  }),
  route({
    method: 'GET',
    path: '/lineage',
    operationId: 'findLineage',
    tag: 'entitlements',
    access: org('entitlements'),
    purpose: 'List the entitlements that a quote, order, invoice, tax invoice, ticket or license belongs to.',
    description:
      'Needs exactly one of the parameters. 404 when the organization has no such record, or the caller lacks its scope.',
    query: OriginQuery,
    page: Origin,
    read: ({ org: id }, { query }) => origins(id, query),
  }),
]

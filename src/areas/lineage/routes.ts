// GET /entitlements/{id}/lineage, GET /entitlements/code/{code}/lineage, and backwards: GET /lineage.
import { Type, type TSchema } from 'typebox'
import { notFound } from '#kernel/errors.ts'
import { holds, org, type Scope } from '#kernel/permissions.ts'
import { parts, type ReadPlan, route } from '#kernel/route.ts'
import { ById, Closed } from '#kernel/schema.ts'
import { raw, sql, type Statement } from '#kernel/sql.ts'
import { Lineage, Origin, OriginQuery } from './lineage.ts'
import { origins } from './origins.ts'

/** Each part: its scope, whether it is one record or a list, its columns, its table and the condition on the entitlement `e`. */
const PARTS = {
  quote: { scope: 'quotes', single: true, from: 'quotes t', on: 't.id = e.quote_id' },
  order: { scope: 'orders', single: true, from: 'orders t', on: 't.id = e.order_id' },
  invoices: { scope: 'finances', single: false, from: 'invoices t', on: 't.order_id = e.order_id' },
  licenses: { scope: 'licenses', single: false, from: 'licenses t', on: 't.entitlement_id = e.id' },
  environments: { scope: 'entitlements', single: false, from: 'environments t', on: 't.entitlement_id = e.id' },
  services: { scope: 'entitlements', single: false, from: 'services t', on: 't.entitlement_id = e.id' },
  contracts: { scope: 'contracts', single: false, from: 'contracts t', on: 't.entitlement_id = e.id' },
} as const satisfies Record<keyof Lineage, { scope: Scope; single: boolean; from: string; on: string }>

const RENAMED: Record<string, string> = { date_created: 't.created_at as date_created' }

function columnsOf(part: keyof Lineage): string {
  const schema = Lineage.properties[part] as unknown as {
    anyOf: [TSchema & { properties?: object; items?: { properties: object } }]
  }
  const [{ properties, items }] = schema.anyOf
  return Object.keys(properties ?? items?.properties ?? {})
    .map((column) => RENAMED[column] ?? `t.${column}`)
    .join(', ')
}

const NAMES = Object.keys(PARTS) as (keyof Lineage)[]

function lineage(organizationId: number, which: Statement): ReadPlan<Lineage> {
  const entitlement = sql`select id from entitlements e where e.organization_id = ${organizationId} and ${which}`
  const statements = NAMES.map(
    (name) => sql`
      select ${raw(columnsOf(name))} from entitlements e join ${raw(PARTS[name].from)} on t.organization_id = ${organizationId} and ${raw(PARTS[name].on)}
       where e.organization_id = ${organizationId} and ${which} order by t.id`,
  )
  return parts([entitlement, ...statements], ([found, ...lists], { scopes }) => {
    if (!found?.length) throw notFound()
    const answer: Record<string, unknown> = {}
    for (const [index, name] of NAMES.entries()) {
      const { scope, single } = PARTS[name]
      const rows = lists[index] ?? []
      answer[name] = holds(scopes, scope) ? (single ? (rows[0] ?? null) : rows) : null
    }
    return answer as Lineage
  })
}

export const lineageRoutes = [
  route({
    method: 'GET',
    path: '/entitlements/{id}/lineage',
    tag: 'entitlements',
    access: org('entitlements'),
    purpose: 'Where an entitlement came from and what hangs on it.',
    params: ById,
    data: Lineage,
    read: ({ org: id }, { params }) => lineage(id, sql`e.id = ${params.id}`),
  }),
  route({
    method: 'GET',
    path: '/entitlements/code/{code}/lineage',
    tag: 'entitlements',
    access: org('entitlements'),
    purpose: 'The same, by the entitlement’s code.',
    params: Closed({ code: Type.String({ maxLength: 100, examples: ['PLG-2026110001'] }) }),
    data: Lineage,
    read: ({ org: id }, { params }) => lineage(id, sql`e.code = ${params.code}`),
  }),
  route({
    method: 'GET',
    path: '/lineage',
    tag: 'entitlements',
    access: org('entitlements'),
    purpose: 'The entitlements that a quote, order, invoice or license belongs to.',
    description:
      'Exactly one of the parameters. 404 when the organization has no such record, or the caller lacks its scope.',
    query: OriginQuery,
    page: Origin,
    read: ({ org: id }, { query }) => origins(id, query),
  }),
]

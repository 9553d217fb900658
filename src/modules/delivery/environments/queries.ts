// All SQL of environments.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, row } from '#http/route.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import type { ProvisioningRequest } from '#ports/provisioning.ts'
import {
  type AdministratorsEnvironmentFilters,
  Environment,
  type EnvironmentDetail,
  type EnvironmentFilters,
  environmentListing,
  EnvironmentRow,
} from './environment.ts'

const columnsOf = (properties: object, alias = '') =>
  sql`${raw(
    Object.keys(properties)
      .map((column) => alias + column)
      .join(', '),
  )}`
const columns = columnsOf(Environment.properties)
const rowColumns = columnsOf(EnvironmentRow.properties)
const paired = raw(`jsonb_build_object('id', p.id, 'name', p.name, 'status', p.status,
  'environment_type', p.environment_type, 'url', p.url)`)
const MAX_PAIRED = 100

/** The entitlement of an environment, as far as creating and activating it depends on it. */
export type EnvironmentEntitlement = { id: number; code: string; class: string; status: string }
type EnvironmentToProvision = EnvironmentRow & Pick<ProvisioningRequest, 'entitlement'> & { organization_name: string }

const filtered = (query: EnvironmentFilters): Statement => sql`
  ${withExternalId(query)}
  ${isOneOf('status', query.status)}
  ${isOneOf('platform', query.platform)}
  ${isOneOf('environment_type', query.environment_type)}
  ${when(query.entitlement_id, (id) => sql`and entitlement_id = ${id}`)}`

export const environments = {
  page: (org: number, query: EnvironmentFilters) =>
    page(query, {
      listing: environmentListing,
      keptFor: org,
      columns,
      from: sql`from environments where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsEnvironmentFilters, only: Only) =>
    pageAcross(query, only, { table: 'environments', listing: environmentListing, columns, filtered: filtered(query) }),
  byId: (org: number, id: number) =>
    row<EnvironmentDetail>(sql`
      select ${columnsOf(Environment.properties, 'e.')},
             (select ${paired} from environments p where p.organization_id = ${org}
               and p.id = e.production_id) as production,
             coalesce((select jsonb_agg(q.one order by q.id) from (
               select p.id, ${paired} as one from environments p
                where p.organization_id = ${org} and p.production_id = e.id order by p.id limit ${MAX_PAIRED}) q),
               '[]') as paired_environments
        from environments e where e.organization_id = ${org} and e.id = ${id}`),

  find: (ctx: OrganizationContext, id: number) =>
    first(
      ctx,
      sql<EnvironmentRow>`select ${rowColumns} from environments
        where organization_id = ${ctx.organizationId} and id = ${id} for update`,
    ),
  /** The row, locked, or 404. */
  async forChange(ctx: OrganizationContext, id: number): Promise<EnvironmentRow> {
    const found = await environments.find(ctx, id)
    if (!found) throw notFound()
    return found
  },
  hasPairs: async (ctx: OrganizationContext, id: number): Promise<boolean> =>
    (await first(
      ctx,
      sql`select id from environments where organization_id = ${ctx.organizationId} and production_id = ${id} limit 1`,
    )) !== undefined,
  /** Of an entitlement, in the given states; with `along` only those that were suspended together with it. */
  ofEntitlement: (ctx: OrganizationContext, entitlementId: number, states: readonly string[], along: boolean) =>
    ctx.ask<EnvironmentRow>(sql`
      select ${rowColumns} from environments
       where organization_id = ${ctx.organizationId} and entitlement_id = ${entitlementId}
        and status = any(${states}::text[]) ${along ? sql`and suspended_with_entitlement` : sql``} order by id`),
  entitlement: (ctx: OrganizationContext, id: number) =>
    first(
      ctx,
      sql<EnvironmentEntitlement>`select id, code, class, status from entitlements
        where organization_id = ${ctx.organizationId} and id = ${id}`,
    ),

  /** The environment as a provisioning request needs it. */
  toProvision: (org: number, id: unknown) => sql<EnvironmentToProvision>`
    select ${columnsOf(EnvironmentRow.properties, 'e.')}, o.name as organization_name,
           jsonb_build_object('code', t.code, 'product_name', t.product_name, 'quantity', t.quantity,
             'features', t.features) as entitlement
      from environments e
           join entitlements t on t.organization_id = ${org} and t.id = e.entitlement_id
           join (select * from organizations where organization_id = ${org} and id = ${org}) o on true
     where e.organization_id = ${org} and e.id = ${id}`,
}

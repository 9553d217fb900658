// All SQL of services.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parentIn, row } from '#http/route.ts'
import type { Page } from '#kernel/values/schema.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { Milestone } from './milestone.ts'
import { Service, type AdministratorsServiceFilters, type ServiceFilters, serviceListing } from './service.ts'

const columns = sql`${raw(Object.keys(Service.properties).join(', '))}`
const milestoneColumns = sql`${raw(Object.keys(Milestone.properties).join(', '))}`

const filtered = (query: ServiceFilters): Statement => sql`
  ${withExternalId(query)} ${isOneOf('status', query.status)}
  ${when(query.lifecycle, (lifecycle) => sql`and lifecycle = ${lifecycle}`)}
  ${when(query.entitlement_id, (id) => sql`and entitlement_id = ${id}`)}`

export const services = {
  page: (org: number, query: ServiceFilters) =>
    page(query, {
      listing: serviceListing,
      keptFor: org,
      columns,
      from: sql`from services where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsServiceFilters, only: Only) =>
    pageAcross(query, only, { table: 'services', listing: serviceListing, columns, filtered: filtered(query) }),
  byId: (org: number, id: number) =>
    row<Service>(sql`select ${columns} from services where organization_id = ${org} and id = ${id}`),

  /** Locks the row; 404 if there is none. */
  async forChange(ctx: OrganizationContext, id: number): Promise<Service> {
    const found = await first(
      ctx,
      sql<Service>`select ${columns} from services
        where organization_id = ${ctx.organizationId} and id = ${id} for update`,
    )
    if (!found) throw notFound()
    return found
  },
  entitlement: (ctx: OrganizationContext, id: number) =>
    first(
      ctx,
      sql<{ code: string; class: string; status: string }>`select code, class, status from entitlements
        where organization_id = ${ctx.organizationId} and id = ${id}`,
    ),

  milestones: (org: number, serviceId: number, query: Page) =>
    page(query, {
      columns: milestoneColumns,
      from: sql`from milestones where organization_id = ${org} and service_id = ${serviceId}`,
      parent: parentIn('services', org, serviceId),
    }),
  milestone: (org: number, serviceId: number, id: number) =>
    row<Milestone>(sql`
      select ${milestoneColumns} from milestones where organization_id = ${org} and service_id = ${serviceId}
        and id = ${id}`),
  async milestoneForChange(ctx: OrganizationContext, serviceId: number, id: number): Promise<Milestone> {
    const found = await first(
      ctx,
      sql<Milestone>`select ${milestoneColumns} from milestones
        where organization_id = ${ctx.organizationId} and id = ${id} and service_id = ${serviceId} for update`,
    )
    if (!found) throw notFound()
    return found
  },

  /** For the mail; `note` is that of the latest delivery. */
  deliveryFacts: (org: number, id: number) => sql<DeliveryFacts>`
    select s.id, s.status, s.name,
           (select h.note from service_history h where h.organization_id = ${org} and h.service_id = s.id
              and h.to_status = 'delivered' order by h.id desc limit 1) as note
      from services s where s.organization_id = ${org} and s.id = ${id}`,
}

type DeliveryFacts = { id: number; status: string; name: string; note: string | null }

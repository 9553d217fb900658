// Creates a service: by staff, or, already approved, as part of a purchase. And staff's change of its fields.
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { addToHistory } from '#kernel/data/audit/history.ts'
import { ownBody } from '#http/organization-body.ts'
import { services } from './queries.ts'
import { type NewService, type Service, type ServiceChange, serviceHistory, servicesTable } from './service.ts'

type SoldEntitlement = { entitlement_id: number; entitlement_code: string; name: string }

export const BOUGHT = { status: 'approved', lifecycle: 'project' } as const

export const openService = (
  ctx: OrganizationContext,
  { name, entitlement_id, entitlement_code }: SoldEntitlement,
): Promise<Service> => add(ctx, { ...BOUGHT, name, entitlement_id, entitlement_code })

export async function createService(ctx: OrganizationContext, body: NewService): Promise<Service> {
  const values = ownBody(ctx, body)
  const entitlement = await services.entitlement(ctx, values.entitlement_id)
  if (!entitlement) throw invalid({ entitlement_id: 'names no entitlement of this organization' })
  if (entitlement.class !== 'SVC') throw invalid({ entitlement_id: 'must be an entitlement of the class SVC' })
  if (entitlement.status !== 'active')
    throw conflict('entitlement_not_active', `The entitlement is ${entitlement.status}`)
  return add(ctx, { status: 'proposal', ...values, entitlement_code: entitlement.code })
}

type ServiceValues = Omit<NewService, 'organization_id'> & { status: 'proposal' | 'approved'; entitlement_code: string }

async function add(ctx: OrganizationContext, values: ServiceValues): Promise<Service> {
  const service = await insert(ctx, servicesTable, values)
  await addToHistory(ctx, serviceHistory, service.id, { from: null, to: service.status, note: null })
  return service
}

export async function changeService(ctx: OrganizationContext, id: number, body: ServiceChange): Promise<Service> {
  const values = ownBody(ctx, body)
  return update(ctx, servicesTable, id, values)
}

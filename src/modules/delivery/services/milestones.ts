// Milestones: staff add and change them until the service is closed or cancelled; customers read them.
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { type Milestone, type MilestoneChange, milestonesTable, type NewMilestone } from './milestone.ts'
import { services } from './queries.ts'
import type { ServiceStatus } from './service.ts'

const OVER: readonly ServiceStatus[] = ['closed', 'cancelled']

export async function addMilestone(
  ctx: OrganizationContext,
  serviceId: number,
  body: NewMilestone,
): Promise<Milestone> {
  const values = ownBody(ctx, body)
  await assertNotOver(ctx, serviceId)
  return insert(ctx, milestonesTable, { ...values, service_id: serviceId })
}

export async function changeMilestone(
  ctx: OrganizationContext,
  serviceId: number,
  id: number,
  body: MilestoneChange,
): Promise<Milestone> {
  const values = ownBody(ctx, body)
  await services.milestoneForChange(ctx, serviceId, id)
  await assertNotOver(ctx, serviceId)
  return update(ctx, milestonesTable, id, values)
}

async function assertNotOver(ctx: OrganizationContext, serviceId: number): Promise<void> {
  const { status } = await services.forChange(ctx, serviceId)
  if (OVER.includes(status)) throw conflict('status_not_allowed', `The service is ${status}`)
}

// Changes of a service's status: the row and its history together.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { addToHistory } from '#kernel/data/audit/history.ts'
import { allows } from '#kernel/data/moves.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { services } from './queries.ts'
import { type Service, serviceHistory, serviceMoves, type ServiceStatus, servicesTable } from './service.ts'

/** For staff; 409 when the table of moves has none from the service's status to this one. */
export async function moveService(
  ctx: OrganizationContext,
  id: number,
  status: ServiceStatus,
  note: string | null,
): Promise<Service> {
  const service = await services.forChange(ctx, id)
  const chosen = Object.values(serviceMoves).find((one) => one.to === status && allows(one, service.status))
  if (!chosen) throw conflict('status_not_allowed', `A service that is ${service.status} cannot become ${status}`)
  return applyMove(ctx, service, chosen, note)
}

export const acceptDelivery = async (ctx: OrganizationContext, id: number): Promise<Service> =>
  applyMove(ctx, await services.forChange(ctx, id), serviceMoves.acceptDelivery, 'Delivery accepted')

export const rejectDelivery = async (ctx: OrganizationContext, id: number, reason: string): Promise<Service> =>
  applyMove(ctx, await services.forChange(ctx, id), serviceMoves.rejectDelivery, reason)

async function applyMove(
  ctx: OrganizationContext,
  { id, status }: Service,
  chosen: MoveOf<typeof servicesTable>,
  note: string | null,
): Promise<Service> {
  const moved = await move(ctx, servicesTable, id, chosen)
  await addToHistory(ctx, serviceHistory, id, { from: status, to: chosen.to, note })
  return moved
}

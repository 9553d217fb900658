// Staff suspend or cancel an entitlement at a time in the future; a job does it then.
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import {
  type Entitlement,
  entitlementMoves,
  entitlementsTable,
  isInArrears,
  type PlannedStop,
  type ScheduledStop,
} from './entitlement.ts'
import { byStaff, cancelEntitlement, suspendByStaff } from './move-entitlement.ts'
import { entitlements, type Stoppable } from './queries.ts'

const STOPS = { suspend: suspendByStaff, cancel: cancelEntitlement }

/** At once, or later when the body says when. What was scheduled before is replaced. */
export async function stopEntitlement(
  ctx: OrganizationContext,
  id: number,
  { act, body }: { act: ScheduledStop['act']; body: PlannedStop },
): Promise<Entitlement> {
  const { at, reason = null } = ownBody(ctx, body)
  if (typeof at !== 'string') return STOPS[act](ctx, id, byStaff(ctx, body))
  const entitlement = await forChange(ctx, id)
  const { to } = entitlementMoves[act]
  if (!mayStop(act, entitlement))
    throw conflict('status_not_allowed', `An entitlement that is ${entitlement.status} cannot become ${to}`)
  const scheduled = { act, at: new Date(at).toISOString(), reason }
  return update({ ...ctx, reason }, entitlementsTable, id, { scheduled })
}

export async function takeBackStop(ctx: OrganizationContext, id: number): Promise<Entitlement> {
  const { scheduled } = await forChange(ctx, id)
  if (scheduled === null) throw conflict('nothing_scheduled', 'Nothing is scheduled')
  return update(ctx, entitlementsTable, id, { scheduled: null })
}

/** For the job: does nothing when it was taken back or put off, and forgets what the status allows no more. */
export async function stopAsScheduled(ctx: OrganizationContext, id: number): Promise<void> {
  const entitlement = await forChange(ctx, id)
  const { scheduled } = entitlement
  if (scheduled === null || new Date(scheduled.at) > ctx.now) return
  await update(ctx, entitlementsTable, id, { scheduled: null })
  const { act, reason } = scheduled
  if (mayStop(act, entitlement)) await STOPS[act](ctx, id, { code: 'by_staff', reason })
}

/** One that is suspended for what is due is suspended by staff too, so that no payment resumes it. */
const mayStop = (act: ScheduledStop['act'], entitlement: Stoppable): boolean =>
  allows(entitlementMoves[act], entitlement.status) || (act === 'suspend' && isInArrears(entitlement))

async function forChange(ctx: OrganizationContext, id: number): Promise<Stoppable> {
  const entitlement = await first(ctx, entitlements.forChange(ctx.organizationId, id))
  if (!entitlement) throw notFound()
  return entitlement
}

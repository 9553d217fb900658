// Requests of erasures, and what cancels them.
import { record } from '#modules/identity/auth/account-log.ts'
import { notify } from '#modules/identity/auth/security-notices.ts'
import { users } from '#modules/identity/auth/users.ts'
import { assertOwnsNothing } from '#modules/identity/collaborators/leave-everywhere.ts'
import { assertIsNotLastAdministrator } from '#modules/identity/staff/locked-staff.ts'
import { first, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { type Erasure, keptAfter } from './erasure.ts'
import { type ErasureWithPeriods, erasures } from './queries.ts'

export async function requestErasure(ctx: SystemContext, userId: number): Promise<Erasure> {
  if (!(await first(ctx, users.exists(userId)))) throw notFound()
  await assertNotErased(ctx, userId)
  await assertMayGo(ctx, userId)
  const added = await first(ctx, erasures.add(ctx, userId, ctx.caller.userId ?? userId))
  if (!added) throw conflict('already_in_progress', 'The erasure has been requested already')
  await notify(ctx, userId, 'erasure_requested', { erasure_id: added.id, due_at: added.due_at })
  return withKept(added)
}

export async function cancelErasure(ctx: SystemContext, userId: number): Promise<Erasure> {
  if (!(await first(ctx, users.exists(userId)))) throw notFound()
  const cancelled = await first(ctx, erasures.cancel(ctx, userId))
  if (!cancelled) throw conflict('status_not_allowed', 'There is no erasure that could be cancelled')
  await record(ctx, 'erasure_cancelled', userId, { erasure_id: cancelled.id })
  return withKept(cancelled)
}

/** What is left of the account is nobody's. */
export async function assertNotErased(ctx: SystemContext, userId: number): Promise<void> {
  if (await first(ctx, erasures.isDone(userId))) throw conflict('status_not_allowed', 'The person was erased')
}

/** 409 for an owner, and for the last administrator. */
export async function assertMayGo(ctx: SystemContext, userId: number): Promise<void> {
  await assertOwnsNothing(ctx, userId)
  await assertIsNotLastAdministrator(ctx, userId)
}

export const withKept = ({ periods, ...row }: ErasureWithPeriods): Erasure => ({
  ...row,
  kept: keptAfter(new Date(row.due_at), periods),
})

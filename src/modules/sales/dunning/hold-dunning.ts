// PUT and DELETE /dunning/hold: staff put off reminders and suspension for one organization.
import type { DunningHold, NewDunningHold } from '#modules/identity/organizations/dunning-hold.ts'
import { organizationsTable } from '#modules/identity/organizations/organization.ts'
import { update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { propagateHold } from './dunning-jobs.ts'
import { cases, holdOf } from './queries.ts'

export async function holdDunning(ctx: OrganizationContext, body: NewDunningHold): Promise<DunningHold> {
  const { until, reason, restores = false } = ownBody(ctx, body)
  const hold = { until, reason, restores }
  await setHold({ ...ctx, reason }, hold)
  return hold
}

export async function endHold(ctx: OrganizationContext): Promise<void> {
  const { hold } = await one(ctx, holdOf(ctx.organizationId))
  if (hold === null) throw conflict('dunning_not_held', 'Dunning is not held')
  await setHold(ctx, null)
}

/** All open invoices of the organization are due for a check at once. */
async function setHold(ctx: OrganizationContext, hold: DunningHold | null): Promise<void> {
  await update(ctx, organizationsTable, ctx.organizationId, { dunning_hold: hold })
  await ctx.ask(cases.makeDue(ctx))
  await enqueue(ctx, propagateHold, {})
}

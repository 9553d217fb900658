// Contracts that end with their entitlement follow it to the end of the time that is paid (docs/decisions/0053).
import { dayIn } from '#kernel/values/time/calendar.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { MoveOf } from '#kernel/data/table.ts'
import { zoneOf } from '#ports/ports.ts'
import { type Contract, contractMoves, contractsTable } from './contract.ts'
import { remember } from './history.ts'
import { contracts } from './queries.ts'

/** For an entitlement whose end has moved: contracts with another last day than its have a term of their own. */
export async function endContractsOf(
  ctx: OrganizationContext,
  entitlementId: number,
  { from, to }: { from: string | null; to: string },
): Promise<void> {
  for (const contract of await contracts.followingForChange(ctx, entitlementId)) {
    const zone = zoneOf(ctx, contract.company)
    const lastDay = from === null ? null : lastDayBefore(from, zone)
    if (contract.end_date === lastDay) await endOn(ctx, contract, lastDayBefore(to, zone))
  }
}

const lastDayBefore = (end: string, zone: string): string => dayIn(new Date(Date.parse(end) - 1), zone)

// Internal columns, which the row's type does not have: the new end has warnings of its own.
const NOT_WARNED: object = { warned_days: null, noticed_at: null }

/** By the status before it expired. */
const BACK: Readonly<Record<string, MoveOf<typeof contractsTable>>> = {
  active: contractMoves.reinstate,
  suspended: contractMoves.suspendAgain,
}

async function endOn(ctx: OrganizationContext, contract: Contract, day: string): Promise<void> {
  const { id, status, start_date, company } = contract
  const values = { end_date: day < start_date ? start_date : day, ...NOT_WARNED }
  const isBack = status === contractMoves.expire.to && day >= dayIn(ctx.now, zoneOf(ctx, company))
  const back = isBack ? BACK[(await contracts.expiredFrom(ctx, id)) ?? ''] : undefined
  if (!back) return void (await update(ctx, contractsTable, id, values, contractsTable.events.amended))
  const reinstated = { ...values, reinstated_at: ctx.now.toISOString() }
  await remember(ctx, await move(ctx, contractsTable, id, back, reinstated), status, null)
}

// Contracts that end with their entitlement follow it to the end of the time that is paid (docs/decisions/0053).
import { dayIn } from '#kernel/values/calendar.ts'
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { zoneOf } from '#ports/ports.ts'
import { contractMoves, contractsTable } from './contract.ts'
import { remember } from './history.ts'
import { contracts, type Following } from './queries.ts'

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

async function endOn(ctx: OrganizationContext, contract: Following, day: string): Promise<void> {
  const { id, status, start_date, expired_from } = contract
  const values = { end_date: day < start_date ? start_date : day, ...NOT_WARNED }
  const isBack = expired_from === 'active' && day >= dayIn(ctx.now, zoneOf(ctx, contract.company))
  if (!isBack) return void (await update(ctx, contractsTable, id, values, contractsTable.events.amended))
  const reinstated = { ...values, reinstated_at: ctx.now.toISOString() }
  await remember(ctx, await move(ctx, contractsTable, id, contractMoves.reinstate, reinstated), status, null)
}

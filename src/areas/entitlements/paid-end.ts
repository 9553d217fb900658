// Moves the ends of an order's entitlements to the end of the time that is paid, with all that ends with them
// (docs/decisions/0053).
import { endContractsOf } from '#areas/contracts/follow-entitlement.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { type Entitlement, entitlementMoves } from './entitlement.ts'
import { changeEntitlement, expireEntitlement, renewEntitlement, suspendAgain } from './move-entitlement.ts'
import { type Ending, entitlements } from './queries.ts'

/** The entitlements of the order that are paid by its renewals; `line` is that of the quote. */
export type Renewed = { orderId: number; includes: (line: number | null) => boolean }

const renewed = async (ctx: OrganizationContext, { orderId, includes }: Renewed): Promise<Ending[]> =>
  (await entitlements.ofOrderForChange(ctx, orderId)).filter(({ quote_line }) => includes(quote_line))

/**
 * Extends those that have an end to `until` at least, also expired ones, and their update periods: whoever pays for the
 * time gets its releases.
 */
export async function extendEntitlementsOfOrder(ctx: OrganizationContext, of: Renewed, until: Date): Promise<void> {
  const isEarlier = (end: string | null) => end !== null && Date.parse(end) < until.getTime()
  for (const one of await renewed(ctx, of)) {
    if (isEarlier(one.updates_until)) await moveUpdates(ctx, one, until)
    if (isEarlier(one.expires_at)) await moveEnd(ctx, one, until)
  }
}

/** Shortens those that end at one of `ends`, which are not paid any more. Other ends are not payments'. */
export async function retractEntitlementsOfOrder(
  ctx: OrganizationContext,
  of: Renewed,
  { ends, untilOf }: { ends: readonly Date[]; untilOf: (one: Ending) => Date },
): Promise<void> {
  const isUnpaid = (end: string | null) => end !== null && ends.some((one) => one.getTime() === Date.parse(end))
  for (const one of await renewed(ctx, of)) {
    const until = untilOf(one)
    const isRetracted = (end: string | null) => isUnpaid(end) && Date.parse(end ?? '') > until.getTime()
    if (isRetracted(one.updates_until)) await moveUpdates(ctx, one, until)
    if (isRetracted(one.expires_at)) await moveEnd(ctx, one, until)
  }
}

/** When they end, those without an end left out. */
export const endsOfOrder = async (ctx: OrganizationContext, orderId: number): Promise<number[]> =>
  (await entitlements.ofOrderForChange(ctx, orderId)).flatMap(({ expires_at }) =>
    expires_at === null ? [] : Date.parse(expires_at),
  )

/** Ends them at `until` at the latest; with `keepsTerms` only those without an end. */
export async function endEntitlementsOfOrder(
  ctx: OrganizationContext,
  of: Renewed,
  until: Date,
  { keepsTerms }: { keepsTerms: boolean },
): Promise<void> {
  for (const one of await renewed(ctx, of)) {
    const isLater = one.expires_at === null || (!keepsTerms && Date.parse(one.expires_at) > until.getTime())
    if (isLater && allows(entitlementMoves.expire, one.status)) await moveEnd(ctx, one, until)
  }
}

const moveUpdates = (ctx: OrganizationContext, { id }: Ending, until: Date): Promise<Entitlement> =>
  changeEntitlement(ctx, id, { updates_until: until.toISOString() })

async function moveEnd(ctx: OrganizationContext, one: Ending, until: Date): Promise<void> {
  const { id, status, expires_at: from } = one
  const to = until.toISOString()
  const isOver = until <= ctx.now
  if (!isOver && allows(entitlementMoves.renew, status)) await bringBack(ctx, one, to)
  else await changeEntitlement(ctx, id, { expires_at: to })
  await endContractsOf(ctx, id, { from, to })
  if (isOver) await expireEntitlement(ctx, id)
}

/** Paying ends no suspension, whether it comes before the end or after it. */
async function bringBack(ctx: OrganizationContext, { id }: Ending, expiresAt: string): Promise<void> {
  const ended = (await entitlements.endedFrom(ctx, id))?.before
  if (ended?.status !== 'suspended') return void (await renewEntitlement(ctx, id, { expiresAt, code: 'renewed' }))
  const { status_reason_code: code = null, status_reason: reason } = ended
  await suspendAgain(ctx, id, { expiresAt, code, reason })
}

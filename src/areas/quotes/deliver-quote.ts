// Delivers an accepted quote whose payment begins later.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { quotes } from './queries.ts'
import { quoteMoves, quotesTable } from './quote.ts'

/** False when it waits for no payment. */
export async function deliverUnpaid(ctx: OrganizationContext, id: number): Promise<boolean> {
  const { status } = await quotes.forChange(ctx, id)
  if (!allows(quoteMoves.pay, status)) return false
  await move(ctx, quotesTable, id, quoteMoves.pay)
  return true
}

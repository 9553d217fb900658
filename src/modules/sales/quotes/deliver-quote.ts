// Delivers an accepted quote whose payment begins later.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { quotes } from './queries.ts'
import { quoteMoves, quotesTable } from './quote.ts'

export async function awaitsPayment(ctx: OrganizationContext, id: number): Promise<boolean> {
  return allows(quoteMoves.pay, (await quotes.forChange(ctx, id)).status)
}

/** Moves the quote to `paid` although nothing was paid: a trial begins, and what was sold is delivered. */
export async function deliverUnpaid(ctx: OrganizationContext, id: number): Promise<void> {
  await move(ctx, quotesTable, id, quoteMoves.pay)
}

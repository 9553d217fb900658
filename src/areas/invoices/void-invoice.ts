// Voids an invoice, and closes its checkout at the payment provider.
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { closeCheckoutLater } from '#areas/payments/enqueue-checkout.ts'
import { invoiceMoves, invoicesTable } from './invoice.ts'

export async function voidInvoice(ctx: OrganizationContext, id: number): Promise<void> {
  await move(ctx, invoicesTable, id, invoiceMoves.void)
  await closeCheckoutLater(ctx, id)
}

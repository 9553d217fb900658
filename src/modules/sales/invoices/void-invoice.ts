// Voids an invoice, and closes its checkout at the payment provider.
import { dayIn } from '#kernel/values/time/calendar.ts'
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { closeCheckoutLater } from '#modules/sales/payments/enqueue-checkout.ts'
import { zoneOf } from '#ports/ports.ts'
import { invoiceMoves, type InvoiceRow, invoicesTable } from './invoice.ts'

/** What was paid of it stays there until it is refunded. */
export async function voidInvoice(ctx: OrganizationContext, { id, company }: InvoiceRow): Promise<void> {
  await move(ctx, invoicesTable, id, invoiceMoves.void, { voided_on: dayIn(ctx.now, zoneOf(ctx, company)) })
  await closeCheckoutLater(ctx, id)
}

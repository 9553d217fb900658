// The jobs that bring a tax invoice to the authority: who enqueues them, and under which key they keep their order.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { enqueue, gapAfter } from '#kernel/jobs/jobs.ts'

/** One at a time for each tax invoice. queries.ts knows it too. */
const keyOf = (id: number): string => `tax-invoice:${id}`

export const prepareLater = (ctx: OrganizationContext, id: number): Promise<void> =>
  enqueue(ctx, 'tax-invoices/prepare', { tax_invoice_id: id }, { key: keyOf(id) })

/** `isFirst`: nothing of this declaration was ever sent, so nobody has to be asked before. */
export const sendLater = (ctx: OrganizationContext, id: number, { isFirst = false } = {}): Promise<void> =>
  enqueue(ctx, 'tax-invoices/send', { tax_invoice_id: id, ...(isFirst && { is_first: true }) }, { key: keyOf(id) })

export const cancelLater = (ctx: OrganizationContext, id: number): Promise<void> =>
  enqueue(ctx, 'tax-invoices/cancel', { tax_invoice_id: id }, { key: keyOf(id) })

/** Two seconds, four, … an hour: half a day in all. */
const MOST_TRIES = 24

export const triesOf = (payload: Record<string, unknown>): number => Number(payload['tries'] ?? 0)

/**
 * The same job again after a growing gap; false when that was the last. The row is to say meanwhile how things stand, so
 * the job ends well and leaves a successor, instead of failing.
 */
export async function tryAgain(
  ctx: OrganizationContext,
  kind: 'tax-invoices/prepare' | 'tax-invoices/send' | 'tax-invoices/cancel',
  id: number,
  tried: number,
): Promise<boolean> {
  const tries = tried + 1
  if (tries >= MOST_TRIES) return false
  const runAt = new Date(ctx.now.getTime() + 1000 * gapAfter(tries))
  await enqueue(ctx, kind, { tax_invoice_id: id, tries }, { key: keyOf(id), runAt })
  return true
}

// The jobs that bring a tax invoice to the authority: their kinds, who enqueues them, and under which key they keep their order.
import { Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type JobKind, jobKind } from '#kernel/jobs/job-kinds.ts'
import { enqueue, gapAfter } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'

const tried = {
  tax_invoice_id: Id,
  /** How often the authority has not answered. */
  tries: Type.Optional(Type.Integer({ minimum: 1 })),
}
export const prepareDeclaration = jobKind('tax-invoices/prepare', tried)
/** `is_first`: nothing of this declaration was ever sent, so nobody has to be asked before. */
export const sendDeclaration = jobKind('tax-invoices/send', { ...tried, is_first: Type.Optional(Type.Boolean()) })
export const askForCancellation = jobKind('tax-invoices/cancel', tried)

/** One at a time for each tax invoice. queries.ts knows it too. */
const keyOf = (id: number): string => `tax-invoice:${id}`

export const prepareLater = (ctx: OrganizationContext, id: number): Promise<void> =>
  enqueue(ctx, prepareDeclaration, { tax_invoice_id: id }, { key: keyOf(id) })

export const sendLater = (ctx: OrganizationContext, id: number, { isFirst = false } = {}): Promise<void> =>
  enqueue(ctx, sendDeclaration, { tax_invoice_id: id, ...(isFirst && { is_first: true }) }, { key: keyOf(id) })

export const cancelLater = (ctx: OrganizationContext, id: number): Promise<void> =>
  enqueue(ctx, askForCancellation, { tax_invoice_id: id }, { key: keyOf(id) })

/** Two seconds, four, … an hour: half a day in all. */
const MOST_TRIES = 24

export type Tried = { tax_invoice_id: number; tries?: number }
export type DeclarationJob = JobKind<Tried>

/**
 * The same job again after a growing gap; false when that was the last. The row is to say meanwhile how things stand, so
 * the job ends well and leaves a successor, instead of failing.
 */
export async function tryAgain(
  ctx: OrganizationContext,
  kind: DeclarationJob,
  { tax_invoice_id, tries: before = 0 }: Tried,
): Promise<boolean> {
  const tries = before + 1
  if (tries >= MOST_TRIES) return false
  const runAt = new Date(ctx.now.getTime() + 1000 * gapAfter(tries))
  await enqueue(ctx, kind, { tax_invoice_id, tries }, { key: keyOf(tax_invoice_id), runAt })
  return true
}

// The kinds of the jobs that prepare, send and cancel a declaration, and the functions that enqueue them in order.
import { Type } from 'typebox'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type JobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, gapAfter } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'

const tried = {
  tax_invoice_id: Id,
  /** How many attempts have had no answer. */
  tries: Type.Optional(Type.Integer({ minimum: 1 })),
}
export const prepareDeclaration = jobKind('tax-invoices/prepare', tried)
/** `is_first`: this number was never sent, so the authority need not be asked first. */
export const sendDeclaration = jobKind('tax-invoices/send', { ...tried, is_first: Type.Optional(Type.Boolean()) })
export const askForCancellation = jobKind('tax-invoices/cancel', tried)

/** The key by which jobs about one tax invoice run one after the other. queries.ts has it in SQL. */
const keyOf = (id: number): string => `tax-invoice:${id}`

export const prepareLater = (ctx: OrganizationContext, id: number): Promise<void> =>
  enqueue(ctx, prepareDeclaration, { tax_invoice_id: id }, { key: keyOf(id) })

export const sendLater = (ctx: OrganizationContext, id: number, { isFirst = false } = {}): Promise<void> =>
  enqueue(ctx, sendDeclaration, { tax_invoice_id: id, ...(isFirst && { is_first: true }) }, { key: keyOf(id) })

export const cancelLater = (ctx: OrganizationContext, id: number): Promise<void> =>
  enqueue(ctx, askForCancellation, { tax_invoice_id: id }, { key: keyOf(id) })

/** With gaps of two seconds, four, … up to an hour: half a day in all. */
const MOST_TRIES = 24

export type DeclarationPayload = { tax_invoice_id: number; tries?: number }
export type DeclarationJob = JobKind<DeclarationPayload>

/**
 * Enqueues the same job again after a growing gap; false if this was the last attempt. The row has to show the state in
 * the meantime, so the job commits and enqueues a successor instead of failing.
 */
export async function tryAgain(
  ctx: OrganizationContext,
  kind: DeclarationJob,
  { tax_invoice_id, tries: before = 0 }: DeclarationPayload,
): Promise<boolean> {
  const tries = before + 1
  if (tries >= MOST_TRIES) return false
  await enqueue(ctx, kind, { tax_invoice_id, tries }, { key: keyOf(tax_invoice_id), afterSeconds: gapAfter(tries) })
  return true
}

// No answer from the authority: the row says so and waits for the next try; after the last it is an error.
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'
import { tryAgain } from './declaration-jobs.ts'

export const UNANSWERED = {
  unclear: {
    error_code: 'UNCLEAR',
    error_message: 'It was sent, and the tax authority has not answered with a result.',
  },
  unavailable: { error_code: 'UNAVAILABLE', error_message: 'The tax authority could not be reached.' },
} as const

type Silence = { id: number; substatus: keyof typeof UNANSWERED; tries: number }

export async function silent(
  ctx: OrganizationContext,
  kind: 'tax-invoices/prepare' | 'tax-invoices/send',
  { id, substatus, tries }: Silence,
): Promise<void> {
  if (await tryAgain(ctx, kind, id, tries))
    await update(ctx, taxInvoicesTable, id, { substatus }, taxInvoicesTable.events.delayed)
  else await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.fail, { substatus, ...UNANSWERED[substatus] })
}

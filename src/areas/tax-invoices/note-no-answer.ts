// No answer from the authority: the row says so and waits for the next try; after the last it is an error.
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'
import { type DeclarationJob, type Tried, tryAgain } from './declaration-jobs.ts'

export const UNANSWERED = {
  unclear: {
    error_code: 'UNCLEAR',
    error_message: 'It was sent, and the tax authority has not answered with a result.',
  },
  unavailable: { error_code: 'UNAVAILABLE', error_message: 'The tax authority could not be reached.' },
} as const

type Unanswered = { job: Tried; substatus: keyof typeof UNANSWERED }

export async function noteNoAnswer(
  ctx: OrganizationContext,
  kind: DeclarationJob,
  { job, substatus }: Unanswered,
): Promise<void> {
  const { tax_invoice_id: id } = job
  if (await tryAgain(ctx, kind, job))
    await update(ctx, taxInvoicesTable, id, { substatus }, taxInvoicesTable.events.delayed)
  else await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.fail, { substatus, ...UNANSWERED[substatus] })
}

// Notes on the row that the authority has not answered, and enqueues the next attempt; after the last it is an error.
import { move, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'
import { type DeclarationJob, type DeclarationPayload, tryAgain } from './declaration-jobs.ts'

export const UNANSWERED = {
  unclear: {
    error_code: 'UNCLEAR',
    error_message: 'It was sent, and the tax authority has not answered with a result.',
  },
  unavailable: { error_code: 'UNAVAILABLE', error_message: 'The tax authority could not be reached.' },
  untrusted: {
    error_code: 'NOT_TRUSTED',
    error_message: 'The certificate of the tax authority is not trusted: NFSE_BR_CA has to name its issuers.',
  },
} as const

const NOTHING = { error_code: null, error_message: null }

type UnansweredDeclaration = {
  job: DeclarationPayload
  substatus: 'unclear' | 'unavailable'
  isUntrusted?: boolean | undefined
}

export async function noteNoAnswer(
  ctx: OrganizationContext,
  kind: DeclarationJob,
  { job, substatus, isUntrusted = false }: UnansweredDeclaration,
): Promise<void> {
  const { tax_invoice_id: id } = job
  if (await tryAgain(ctx, kind, job))
    await update(
      ctx,
      taxInvoicesTable,
      id,
      { substatus, ...(isUntrusted ? UNANSWERED.untrusted : NOTHING) },
      taxInvoicesTable.events.delayed,
    )
  else {
    const why = UNANSWERED[isUntrusted ? 'untrusted' : substatus]
    await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.fail, { substatus, ...why })
  }
}

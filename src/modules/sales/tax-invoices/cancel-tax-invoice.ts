// POST /tax-invoices/{id}/cancel: at once if the authority does not have it, else a job asks the authority.
import { move, update } from '#kernel/data/changes.ts'
import { unmaskCnpj } from '#ports/cnpj.ts'
import type { OrganizationContext, IoContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import {
  type CancelledTaxInvoice,
  type CancellationRequest,
  TaxAnswerUnclear,
  TaxAuthorityUnavailable,
  type TaxRefusal,
} from '#ports/tax-authority.ts'
import { problemFacts } from './authority-problems.ts'
import { taxInvoices } from './queries.ts'
import { reasonFrom } from './cancellation-reason.ts'
import { pointInvoice } from './send-declaration.ts'
import { UNANSWERED } from './note-no-answer.ts'
import { keepSigned } from './signed-documents.ts'
import {
  type Cancellation,
  isUnknownThere,
  type TaxInvoiceRow,
  taxInvoiceMoves,
  taxInvoicesTable,
} from './tax-invoice.ts'
import { askForCancellation, cancelLater, type DeclarationPayload, tryAgain } from './declaration-jobs.ts'

export async function cancelTaxInvoice(ctx: OrganizationContext, id: number, body: Cancellation): Promise<void> {
  const { reason_code, reason } = ownBody(ctx, body)
  const row = await taxInvoices.forChange(ctx, id)
  if (!allows(taxInvoiceMoves.cancel, row.status))
    throw conflict('status_not_allowed', `A tax invoice that is ${row.status} cannot be cancelled`)
  const why = { cancel_reason_code: reason_code, cancel_reason: reasonFrom(reason) }
  if (row.status === 'issued') await assertFree(ctx, row)
  else if (!isUnknownThere(row))
    throw conflict('outcome_unknown', 'It may have reached the tax authority: it can be cancelled once that is known')
  await startCancelling(ctx, row, why)
}

export type CancelReason = Pick<TaxInvoiceRow, 'cancel_reason_code' | 'cancel_reason'>

/**
 * One that is issued is `cancelling` until the authority has answered; one that it cannot have is cancelled at once.
 */
export async function startCancelling(ctx: OrganizationContext, row: TaxInvoiceRow, why: CancelReason): Promise<void> {
  const { id } = row
  if (row.status === 'issued') {
    const none = { error_code: null, error_message: null }
    await update(
      ctx,
      taxInvoicesTable,
      id,
      { ...why, ...none, substatus: 'cancelling' },
      taxInvoicesTable.events.cancelling,
    )
    return cancelLater(ctx, id)
  }
  await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.cancel, {
    ...why,
    substatus: null,
    cancelled_at: ctx.now.toISOString(),
  })
  // The tax invoice that it was to replace stays in force.
  if (row.replaces_id !== null)
    await update(ctx, taxInvoicesTable, row.replaces_id, { cancel_reason_code: null, cancel_reason: null })
}

/** 409 if it is being cancelled or replaced already. */
export async function assertFree(ctx: OrganizationContext, row: TaxInvoiceRow): Promise<void> {
  if (row.substatus === 'cancelling') throw conflict('already_in_progress', 'It is being cancelled already')
  const successor = await taxInvoices.successorOf(ctx, row.id)
  if (successor) throw conflict('being_replaced', `Tax invoice ${successor.id} is about to replace it`)
}

type Answer = CancelledTaxInvoice | TaxRefusal | { outcome: 'no_answer' }
type CancellationAnswer = Answer | null

async function ask({ read, ports, organizationId, now }: IoContext, id: number): Promise<CancellationAnswer> {
  const [row] = await read(taxInvoices.row(organizationId ?? 0, id))
  if (!row || row.status !== 'issued' || row.substatus !== 'cancelling' || row.access_key === null) return null
  if (ports.taxAuthority === null) throw new Error('no tax authority is configured')
  const { taxId } = ports.settings.entities.entity_br
  const request = {
    accessKey: row.access_key,
    provider: { taxId: unmaskCnpj(taxId) ?? taxId },
    at: now,
    reasonCode: reasonCodeOf(row),
    reason: row.cancel_reason ?? '',
  }
  try {
    return await ports.taxAuthority.cancel(request)
  } catch (error) {
    // The authority answers a second cancellation with success, so the request can be repeated without asking first.
    if (error instanceof TaxAuthorityUnavailable || error instanceof TaxAnswerUnclear) return { outcome: 'no_answer' }
    throw error
  }
}

const CODES: readonly CancellationRequest['reasonCode'][] = ['1', '2', '9']
const reasonCodeOf = ({ cancel_reason_code }: TaxInvoiceRow): CancellationRequest['reasonCode'] =>
  CODES.find((code) => code === cancel_reason_code) ?? '9'

async function note(ctx: OrganizationContext, job: DeclarationPayload, answer: Answer): Promise<void> {
  const { tax_invoice_id: id } = job
  const row = await taxInvoices.forChange(ctx, id)
  if (row.status !== 'issued') return
  switch (answer.outcome) {
    case 'cancelled': {
      keepSigned(ctx, id, { kind: 'cancellation', xml: answer.xml })
      const done = { substatus: null, cancelled_at: answer.at.toISOString() }
      await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.cancel, done)
      return pointInvoice(ctx, row.invoice_id)
    }
    case 'refused': {
      const refused = { substatus: 'cancel_refused' as const, ...problemFacts(answer.problems) }
      await update(ctx, taxInvoicesTable, id, refused, taxInvoicesTable.events.cancel_refused)
      return
    }
    case 'no_answer':
      if (!(await tryAgain(ctx, askForCancellation, job))) await giveUpCancelling(ctx, id)
  }
}

/** It stays issued, and staff may cancel it again. */
export async function giveUpCancelling(ctx: OrganizationContext, id: number): Promise<void> {
  const gaveUp = { substatus: 'cancel_unavailable' as const, ...UNANSWERED.unavailable }
  await update(ctx, taxInvoicesTable, id, gaveUp, taxInvoicesTable.events.cancel_unavailable)
}

export const askForCancellationJob = organizationJob(askForCancellation, {
  before: (io, { payload }) => ask(io, payload.tax_invoice_id),
  run: async (ctx, { payload }, answer) => {
    if (answer) await note(ctx, payload, answer)
  },
})

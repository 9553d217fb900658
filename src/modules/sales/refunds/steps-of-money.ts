// The steps of a refund about money: the payment back, its credit note, the tax invoices.
import { refreshRefund } from '#modules/sales/payments/refresh-jobs.ts'
import { cancelRefunded } from '#modules/sales/tax-invoices/cancel-voided.ts'
import { askForCancellation } from '#modules/sales/tax-invoices/declaration-jobs.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import { type RefundStep, stepOf } from './refund-steps.ts'
import { sendRefund } from './send-refund.ts'
import type { JobFacts, Sources, TaxFacts } from './step-sources.ts'

type NamedJob = Pick<JobKind<unknown>, 'name'>

/** A dead letter before one that waits. */
export const jobOf = ({ jobs }: Sources, ...kinds: readonly NamedJob[]): JobFacts | undefined =>
  jobs.find((job) => kinds.some(({ name }) => name === job.kind))

export const isOver = ({ refund }: Sources): boolean => refund.status === 'failed' || refund.status === 'rejected'

export function paymentStep(from: Sources): RefundStep {
  const { id, status, is_approved, is_paid_by_provider, provider_reference, settled_at } = from.refund
  const about = { resource: 'refund', resource_id: id, reference: provider_reference }
  if (status === 'succeeded') return stepOf('payment', 'done', { ...about, at: settled_at })
  if (status === 'failed')
    return stepOf('payment', 'failed', { ...about, at: settled_at, problem: from.refund.failure_reason })
  if (status === 'rejected')
    return stepOf('payment', 'not_needed', { ...about, at: settled_at, problem: from.refund.rejection_reason })
  const job = jobOf(from, sendRefund, refreshRefund)
  if (job?.is_dead) return stepOf('payment', 'failed', { ...about, waits_for: 'staff', problem: job.last_error })
  const isStaffs = !is_approved || !is_paid_by_provider
  return stepOf('payment', 'waiting', { ...about, waits_for: isStaffs ? 'staff' : 'payment_provider' })
}

export function creditStep(from: Sources): RefundStep {
  const [note] = from.notes
  if (note) {
    const about = { resource: 'credit_note', resource_id: note.id, reference: note.number }
    return stepOf('credit_note', 'done', { ...about, at: note.created_at })
  }
  // One that succeeded without a credit note was credited by staff before.
  return from.refund.status === 'processing' && from.refund.is_credited
    ? stepOf('credit_note', 'waiting', { waits_for: 'payment_provider' })
    : stepOf('credit_note', 'not_needed')
}

export function taxSteps(from: Sources, today: string): RefundStep[] {
  const steps = isOver(from) ? [] : from.taxInvoices.map((one) => taxStep(from, one, today))
  return steps.length > 0 ? steps : [stepOf('tax_invoice', 'not_needed')]
}

function taxStep(from: Sources, one: TaxFacts, today: string): RefundStep {
  const { tax_invoice_action: action, status } = from.refund
  const { cancel_until: until } = one
  const about = { resource: 'tax_invoice', resource_id: one.id, reference: one.nfse_number, until }
  const is = (state: RefundStep['status'], more: Partial<RefundStep> = {}) =>
    stepOf('tax_invoice', state, { ...about, ...more })
  if (one.status === 'cancelled') return is('done', { at: one.cancelled_at })
  if (one.substatus === 'cancelling') return is('waiting', { waits_for: 'tax_authority' })
  if (one.substatus === 'cancel_refused' || one.substatus === 'cancel_unavailable')
    return is('failed', { waits_for: 'staff', problem: one.error_message })
  if (action === 'keep') return is('not_needed')
  const job = jobOf(from, cancelRefunded, askForCancellation)
  if (job?.is_dead) return is('failed', { waits_for: 'staff', problem: job.last_error })
  if (action === 'cancel')
    return is('waiting', { waits_for: job || status === 'succeeded' ? 'service' : 'payment_provider' })
  return until !== null && until < today
    ? is('failed', { problem: `It could be cancelled until ${until}` })
    : is('waiting', { waits_for: 'staff' })
}

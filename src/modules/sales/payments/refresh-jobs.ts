// The kinds of the jobs that request the current state of an invoice, a refund or a dispute from the provider. Imports
// no area, since areas below this one import these kinds.
import { Type } from 'typebox'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { Id } from '#kernel/values/schema.ts'
import { providerReference } from '#ports/payments.ts'

/** `has_failed`: an event said that an attempt to pay it failed. */
export const refreshPayment = jobKind(
  'payments/refresh',
  { invoice_id: Id, has_failed: Type.Boolean(), ...providerReference },
  { isUrgent: true },
)
export const refreshRefund = jobKind('payments/refresh-refund', { refund_id: Id, ...providerReference })
export const refreshDispute = jobKind('payments/refresh-dispute', providerReference)
/** Finds the invoice whose payment a new dispute is about. */
export const findDisputed = jobKind('payments/find-disputed', providerReference)

// What the worker does for payments.
import { applyToNewJob } from './apply-credit-balance.ts'
import { closeCheckoutJob } from './close-checkout.ts'
import { fetchCodesJob, renewCodesJob } from './fetch-codes.ts'
import { handlePaymentEventJob } from './handle-payment-event.ts'
import { openCheckoutJob, replaceCheckoutJob } from './open-checkout.ts'
import { receiveMovedJob } from './receive-moved.ts'
import { reconcilePaymentsJob } from './reconcile-payments.ts'
import { refreshJobs } from './enqueue-state-refresh.ts'

export const paymentJobs = [
  applyToNewJob,
  openCheckoutJob,
  replaceCheckoutJob,
  closeCheckoutJob,
  fetchCodesJob,
  renewCodesJob,
  handlePaymentEventJob,
  receiveMovedJob,
  ...refreshJobs,
  reconcilePaymentsJob,
]

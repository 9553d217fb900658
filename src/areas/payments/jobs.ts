// What the worker does for payments.
import { closeCheckoutJob } from './close-checkout.ts'
import { handlePaymentEventJob } from './handle-event.ts'
import { openCheckoutJob, replaceCheckoutJob } from './open-checkout.ts'
import { reconcilePaymentsJob } from './reconcile.ts'
import { lookJobs } from './settle-jobs.ts'

export const paymentJobs = [
  openCheckoutJob,
  replaceCheckoutJob,
  closeCheckoutJob,
  handlePaymentEventJob,
  ...lookJobs,
  reconcilePaymentsJob,
]

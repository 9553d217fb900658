// What the worker does for payments.
import { closeCheckoutJob } from './close-checkout.ts'
import { handlePaymentEventJob } from './handle-payment-event.ts'
import { openCheckoutJob, replaceCheckoutJob } from './open-checkout.ts'
import { reconcilePaymentsJob } from './reconcile-payments.ts'
import { lookJobs } from './look-at-payment.ts'

export const paymentJobs = [
  openCheckoutJob,
  replaceCheckoutJob,
  closeCheckoutJob,
  handlePaymentEventJob,
  ...lookJobs,
  reconcilePaymentsJob,
]

// The kinds of jobs about subscriptions; their work is in jobs.ts and in the files of the operations. Imports no area,
// since payments, which stand below this one, enqueue some of them.
import { Type } from 'typebox'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { Id } from '#kernel/values/schema.ts'
import { providerReference } from '#ports/payments.ts'

/** One job at a time about what the provider says of it, in their order: an older look must not arrive last. */
export const subscriptionKey = (orderId: number): string => `subscription:${orderId}`

export const askForSubscription = jobKind('subscriptions/open', { order_id: Id })

/** `reference`: the provider's invoice, which is paid. */
export const billSubscription = jobKind('subscriptions/bill', { order_id: Id, ...providerReference })

/** `reference`: the provider's subscription, whose state has or may have changed. */
export const lookAtSubscription = jobKind('subscriptions/look', { order_id: Id, ...providerReference })

/** `is_billed`: what had been paid before has been billed by earlier jobs. */
export const cancelSubscription = jobKind('subscriptions/cancel', {
  order_id: Id,
  is_billed: Type.Optional(Type.Boolean()),
})

/** Of the provider's subscription that nobody wants any more. */
export const abandonSubscription = jobKind('subscriptions/abandon', providerReference)

// Notes for staff, in the one place where they look for what needs a person: these jobs always fail.
export const reportPaidAfterEnd = jobKind('subscriptions/paid-after-end', { order_id: Id, invoice_id: Id })
export const reportUnknownStatus = jobKind('subscriptions/unknown-status', { order_id: Id, status: Type.String() })

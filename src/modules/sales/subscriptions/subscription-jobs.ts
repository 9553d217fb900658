// The kinds of jobs about subscriptions; jobs.ts and the files of the operations have their code. Imports no area,
// since payments, which this area imports, enqueue some of them.
import { Type } from 'typebox'
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { Id } from '#kernel/values/schema.ts'
import { CANCELLATION_TIMES, providerReference } from '#ports/payments.ts'

/**
 * The key by which jobs about one subscription run one after the other, so that an older state is never applied last.
 */
export const subscriptionKey = (orderId: number): string => `subscription:${orderId}`

export const askForSubscription = jobKind(
  'subscriptions/open',
  { order_id: Id, trial_days: Type.Optional(Type.Integer()) },
  { isUrgent: true },
)

/** A period begins that was paid before: its quantities are given. */
export const beginPeriod = jobKind('subscriptions/begin-period', { order_id: Id })

/** `reference`: the provider's paid invoice. */
export const billSubscription = jobKind(
  'subscriptions/bill',
  { order_id: Id, ...providerReference },
  { isUrgent: true },
)

/** `reference`: the provider's invoice, which it could not charge. */
export const noteFailedCharge = jobKind(
  'subscriptions/note-failed-charge',
  { order_id: Id, ...providerReference },
  { isUrgent: true },
)

/** `reference`: the provider's subscription, whose state may have changed. */
export const refreshSubscription = jobKind(
  'subscriptions/refresh',
  { order_id: Id, ...providerReference },
  { isUrgent: true },
)

/** `at`: now, unless it says otherwise. `is_billed`: earlier jobs have billed all that was paid before. */
export const cancelSubscription = jobKind(
  'subscriptions/cancel',
  {
    order_id: Id,
    at: Type.Optional(Type.Enum(CANCELLATION_TIMES)),
    is_billed: Type.Optional(Type.Boolean()),
  },
  { isUrgent: true },
)

export const changeAtProvider = jobKind('subscriptions/change-plan', { order_id: Id }, { isUrgent: true })
export const keepAtProvider = jobKind('subscriptions/keep', { order_id: Id }, { isUrgent: true })
export const pauseAtProvider = jobKind('subscriptions/pause', { order_id: Id }, { isUrgent: true })
export const resumeAtProvider = jobKind('subscriptions/resume', { order_id: Id }, { isUrgent: true })

/**
 * A cancelled or refunded order is not charged any more; a paid period is delivered, a refunded one is not paid any
 * more.
 */
export const endWithOrder = eventJobKind('subscriptions/end-with-order')
export const propagatePaid = eventJobKind('subscriptions/propagate-payment')
export const awaitPayment = eventJobKind('subscriptions/await-payment')
export const takeBackPeriod = eventJobKind('subscriptions/take-back-period')

/** Cancels a subscription at the provider that the order does not need any more. */
export const abandonSubscription = jobKind('subscriptions/abandon', providerReference)

// These jobs always fail: they are dead letters that tell staff what to do.
export const reportPaidAfterEnd = jobKind('subscriptions/paid-after-end', { order_id: Id, invoice_id: Id })
export const reportUnknownStatus = jobKind('subscriptions/unknown-status', { order_id: Id, status: Type.String() })

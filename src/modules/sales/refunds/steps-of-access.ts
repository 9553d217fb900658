// The steps of a refund about what was sold: entitlements, licenses, the subscription; and the affiliate's commission.
import { updateCommission } from '#modules/delivery/affiliates/enqueue-commission.ts'
import { hasEnded } from '#modules/sales/subscriptions/subscription-status.ts'
import { cancelSubscription, endWithOrder, takeBackPeriod } from '#modules/sales/subscriptions/subscription-jobs.ts'
import { type RefundStep, type StepName, stepOf } from './refund-steps.ts'
import type { HeldFacts, JobFacts, Sources } from './step-sources.ts'
import { isOver, jobOf } from './steps-of-money.ts'

const ENDED: readonly string[] = ['cancelled', 'revoked']

/**
 * A refund of the whole order ends entitlements and licenses, and takes back the terms by which it has extended those
 * of other orders. The refund of a paid period shortens its own, and any other refund leaves all as they are.
 */
export function takenBack(step: 'entitlement' | 'license', from: Sources): RefundStep[] {
  const { is_whole, is_period_refunded, status } = from.refund
  const found = step === 'entitlement' ? from.entitlements : from.licenses
  const held = is_whole === true ? found : found.filter((one) => !one.is_extended)
  if (isOver(from) || held.length === 0 || (is_whole !== true && !is_period_refunded))
    return [stepOf(step, 'not_needed')]
  const period = is_whole === true ? undefined : jobOf(from, takeBackPeriod)
  return held.map((one) => {
    const about = aboutIt(step, one)
    if (status === 'processing') return stepOf(step, 'waiting', { ...about, waits_for: 'payment_provider' })
    if (period) return stepAfter(step, period, about)
    if (is_whole !== true || one.is_taken_back) return stepOf(step, 'done', { ...about, at: from.refund.settled_at })
    return ENDED.includes(one.status) && !one.is_extended
      ? stepOf(step, 'done', { ...about, at: one.since })
      : stepOf(step, 'waiting', { ...about, waits_for: 'service' })
  })
}

const aboutIt = (resource: StepName, { id, code }: HeldFacts) => ({ resource, resource_id: id, reference: code })

const stepAfter = (step: StepName, job: JobFacts, about: Partial<RefundStep>): RefundStep =>
  job.is_dead
    ? stepOf(step, 'failed', { ...about, waits_for: 'staff', problem: job.last_error })
    : stepOf(step, 'waiting', { ...about, waits_for: 'service' })

export function subscriptionStep(from: Sources): RefundStep {
  const { order_id, subscription_reference: reference, subscription_status, is_whole, status } = from.refund
  if (isOver(from) || subscription_status === null || is_whole !== true) return stepOf('subscription', 'not_needed')
  const about = { resource: 'order', resource_id: order_id, reference }
  if (hasEnded(from.refund)) return stepOf('subscription', 'done', about)
  const job = jobOf(from, endWithOrder, cancelSubscription)
  if (status !== 'processing' && job) return stepAfter('subscription', job, about)
  return stepOf('subscription', 'waiting', { ...about, waits_for: 'payment_provider' })
}

export function commissionStep(from: Sources): RefundStep {
  const { affiliate_code: reference, status, settled_at } = from.refund
  if (isOver(from) || reference === null) return stepOf('commission', 'not_needed')
  const about = { resource: 'affiliate', reference }
  if (status === 'processing') return stepOf('commission', 'waiting', { ...about, waits_for: 'payment_provider' })
  const job = jobOf(from, updateCommission)
  return job ? stepAfter('commission', job, about) : stepOf('commission', 'done', { ...about, at: settled_at })
}

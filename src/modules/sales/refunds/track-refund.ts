// GET /refunds/{id} shows the state of each step of a refund; POST /refunds/{id}/retry runs its dead letters again.
import type { OrganizationContext, Settings } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { parts } from '#http/route.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { refunds } from './queries.ts'
import type { TrackedRefund } from './refund-steps.ts'
import { type RefundFacts, restartDeadLetters, type Sources, stepSources } from './step-sources.ts'
import { commissionStep, subscriptionStep, takenBack } from './steps-of-access.ts'
import { creditStep, paymentStep, taxSteps } from './steps-of-money.ts'

type Viewer = { isStaff: boolean; now: Date; settings: Settings }
type RefundSources = Omit<Sources, 'refund'> & { refund: RefundFacts | undefined }

export const trackedRefund = (org: number, id: number) =>
  parts(
    stepSources(org, id),
    ([[refund], notes, taxInvoices, entitlements, licenses, jobs], { caller, now, ports: { settings } }) =>
      tracked({ refund, notes, taxInvoices, entitlements, licenses, jobs }, { isStaff: caller.staff, now, settings }),
  )

/** 409 when nothing of it has become a dead letter. */
export async function retryRefund(ctx: OrganizationContext, id: number): Promise<TrackedRefund> {
  await refunds.forChange(ctx, id)
  if (!(await restartDeadLetters(ctx, id)))
    throw conflict('nothing_to_restart', 'Nothing of the refund has to be restarted')
  const [of, credited, declared, held, licensed, left] = stepSources(ctx.organizationId, id)
  const [[refund], notes, taxInvoices, entitlements, licenses, jobs] = await Promise.all([
    ctx.ask(of),
    ctx.ask(credited),
    ctx.ask(declared),
    ctx.ask(held),
    ctx.ask(licensed),
    ctx.ask(left),
  ])
  const viewer = { isStaff: ctx.caller.staff, now: ctx.now, settings: ctx.settings }
  return tracked({ refund, notes, taxInvoices, entitlements, licenses, jobs }, viewer)
}

function tracked({ refund, ...found }: RefundSources, viewer: Viewer): TrackedRefund {
  if (!refund) throw notFound()
  const { isStaff } = viewer
  const jobs = isStaff ? found.jobs : found.jobs.map((job) => ({ ...job, last_error: null }))
  const from: Sources = { ...found, refund, jobs }
  const steps = [
    paymentStep(from),
    creditStep(from),
    ...taxSteps(from, dayIn(viewer.now, zoneOf(viewer, 'entity_br'))),
    ...takenBack('entitlement', from),
    ...takenBack('license', from),
    subscriptionStep(from),
    // Customers do not see which affiliate earns a commission.
    ...(isStaff ? [commissionStep(from)] : []),
  ]
  const {
    is_paid_by_provider: _isPaidByProvider,
    is_credited: _isCredited,
    is_period_refunded: _isPeriodRefunded,
    is_whole: _isWhole,
    affiliate_code: _affiliateCode,
    subscription_status: _subscriptionStatus,
    subscription_reference: _subscriptionReference,
    ...own
  } = refund
  return { ...own, steps }
}

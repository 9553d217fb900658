// Webhooks get lost. What is open for too long is asked about; what was missed is settled like an event's news.
import { lookAtSubscription } from '#areas/subscriptions/subscription-jobs.ts'
import { first, type IoContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { PaymentProviderUnavailable, PaymentRefused, type PaymentState } from '#ports/payments.ts'
import { providerInUse } from './ask-provider.ts'
import { checkLater, checkNoMore, type Unsettled, unsettled } from './payment-references.ts'
import { jobAbout } from './queries.ts'
import { lookAtPayment, lookAtRefund, lookLater } from './look-at-payment.ts'

const reconcilePayments = jobKind('payments/reconcile', {})
const BATCH = 100
const LOOKS = [lookAtPayment, lookAtRefund, lookAtSubscription].map(({ name }) => name)

/** `news`: what the provider says is not what we have, or it says nothing that a job could not say better. */
type Outcome = 'changed' | 'unchanged' | 'settled'

export const reconcilePaymentsJob = systemJob(reconcilePayments, {
  everySeconds: 300,
  before: async (io) => {
    const { settings, payments } = io.ports
    const before = new Date(io.now.getTime() - settings.reconcileAfterMinutes * 60_000)
    const { entity_br, entity_global } = payments
    const inUse = { entity_br: entity_br?.provider ?? null, entity_global: entity_global?.provider ?? null }
    const outcomes: { of: Unsettled; outcome: Outcome }[] = []
    const silent = new Set<string>()
    for (const of of await io.read(unsettled(inUse, before, BATCH))) {
      if (silent.has(of.company)) continue
      const outcome = await outcomeOf(io, of)
      // One that gives no answer: the others of that company are left for the next time, in which they come first.
      if (outcome === null) silent.add(of.company)
      outcomes.push({ of, outcome: outcome ?? 'unchanged' })
    }
    return outcomes
  },
  run: async (ctx, _job, outcomes) => {
    for (const { of, outcome } of outcomes) {
      await ctx.ask(outcome === 'settled' ? checkNoMore(of) : checkLater(of, ctx.now))
      if (outcome === 'changed' && !(await first(ctx, jobAbout(LOOKS, of)))) await lookLater(ctx, of, of)
    }
  },
})

/** Null: the provider did not answer. */
async function outcomeOf(io: IoContext, of: Unsettled): Promise<Outcome | null> {
  if (isSettled(of)) return 'settled'
  // Its state changes as long as it lives, and its latest invoice may have been missed: the job compares both.
  if (of.resource === 'subscription') return 'changed'
  try {
    const state = await providerInUse(io, of)?.look(of.resource, of.reference)
    return state ? compare(of, state) : 'unchanged'
  } catch (error) {
    if (error instanceof PaymentProviderUnavailable) return null
    if (error instanceof PaymentRefused) return 'changed'
    throw error
  }
}

/** An invoice that is void here or was paid another way is not: it could still be paid there as long as it is open there. */
const isSettled = ({ resource, status, is_paid_so }: Unsettled): boolean =>
  resource === 'invoice' ? is_paid_so : resource === 'refund' && status !== 'processing'

function compare({ status }: Unsettled, state: PaymentState): Outcome {
  const isOver = status === 'void' || status === 'paid'
  if (state.resource === 'invoice' && isOver && state.status === 'void') return 'settled'
  if (state.resource === 'invoice' && status === 'paid') return state.status === 'paid' ? 'changed' : 'unchanged'
  const ours = state.resource === 'refund' ? 'processing' : 'open'
  return state.status === ours || state.status === status ? 'unchanged' : 'changed'
}

// Webhooks get lost. A periodic job asks the provider about references without a report for RECONCILE_AFTER_MINUTES;
// for those that have changed it enqueues the job that an event would have.
import { refreshSubscription } from '#modules/sales/subscriptions/subscription-jobs.ts'
import { first, type IoContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { PaymentProviderUnavailable, PaymentRefused, type PaymentState } from '#ports/payments.ts'
import { providerInUse } from './ask-provider.ts'
import { checkLater, checkNoMore, standOf, type UnsettledReference, unsettled } from './payment-references.ts'
import { jobAbout } from './queries.ts'
import { enqueueStateRefresh } from './enqueue-state-refresh.ts'
import { refreshDispute, refreshPayment, refreshRefund } from './refresh-jobs.ts'

const reconcilePayments = jobKind('payments/reconcile', {})
const BATCH = 100
const LOOKS = [refreshDispute, refreshPayment, refreshRefund, refreshSubscription].map(({ name }) => name)

/** `changed`: the provider's state differs from ours, or only the job of the record can tell: it is enqueued. */
type Outcome = 'changed' | 'unchanged' | 'settled'

export const reconcilePaymentsJob = systemJob(reconcilePayments, {
  everySeconds: 300,
  before: async (io) => {
    const { settings, payments } = io.ports
    const before = new Date(io.now.getTime() - settings.reconcileAfterMinutes * 60_000)
    const { entity_br, entity_global } = payments
    const inUse = { entity_br: entity_br?.provider ?? null, entity_global: entity_global?.provider ?? null }
    const outcomes: { of: UnsettledReference; outcome: Outcome }[] = []
    const silent = new Set<string>()
    for (const due of await io.read(unsettled(inUse, before, BATCH))) {
      if (silent.has(due.company)) continue
      const [stand = { status: null, is_paid_so: false }] = await io.read(standOf(due))
      const of: UnsettledReference = { ...due, ...stand }
      const outcome = await outcomeOf(io, of)
      // No answer: the company's other references are skipped and keep their place for the next run.
      if (outcome === null) silent.add(of.company)
      outcomes.push({ of, outcome: outcome ?? 'unchanged' })
    }
    return outcomes
  },
  run: async (ctx, _job, outcomes) => {
    for (const { of, outcome } of outcomes) {
      await ctx.ask(outcome === 'settled' ? checkNoMore(of) : checkLater(of, ctx.now))
      if (outcome === 'changed' && !(await first(ctx, jobAbout(LOOKS, of)))) await enqueueStateRefresh(ctx, of, of)
    }
  },
})

/** Null when the provider did not answer. */
async function outcomeOf(io: IoContext, of: UnsettledReference): Promise<Outcome | null> {
  if (isSettled(of)) return 'settled'
  // A subscription can always change, and the event of its latest invoice may be lost: its job compares both.
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

/**
 * Whether the record needs no more checks at the provider. An invoice that is void, or was paid another way, still
 * needs them: its checkout may be open, and somebody could pay there.
 */
const isSettled = ({ resource, status, is_paid_so }: UnsettledReference): boolean => {
  if (resource === 'dispute') return status !== 'open'
  return resource === 'invoice' ? is_paid_so : resource === 'refund' && status !== 'processing'
}

function compare({ status }: UnsettledReference, state: PaymentState): Outcome {
  const isOver = status === 'void' || status === 'paid'
  if (state.resource === 'invoice' && isOver && state.status === 'void') return 'settled'
  if (state.resource === 'invoice' && status === 'paid') return state.status === 'paid' ? 'changed' : 'unchanged'
  const ours = state.resource === 'refund' ? 'processing' : 'open'
  return state.status === ours || state.status === status ? 'unchanged' : 'changed'
}

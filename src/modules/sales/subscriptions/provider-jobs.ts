// The jobs that ask the payment provider to change a subscription, and then follow what it says. Each may be repeated.
import { failPermanently, fetchProviderState, notInUse, providerBehind } from '#modules/sales/payments/ask-provider.ts'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import type { Payments } from '#ports/payments.ts'
import { applySubscriptionState } from './apply-subscription-state.ts'
import { subscriptions } from './queries.ts'
import { hasEnded } from './subscription.ts'
import {
  cancelSubscription,
  changeAtProvider,
  keepAtProvider,
  pauseAtProvider,
  resumeAtProvider,
} from './subscription-jobs.ts'

type About = { order_id: number; is_billed?: boolean }
type ChargedSubscription = { reference: string; amount: string; currency: string }
type Ask<Payload> = (payments: Payments, charged: ChargedSubscription, payload: Payload) => Promise<void>

const asking = <Payload extends About>(kind: JobKind<Payload>, ask: Ask<Payload>) =>
  organizationJob(kind, {
    before: async (io, { payload }) => {
      const [order] = await io.read(subscriptions.toAsk(io.organizationId ?? 0, payload.order_id))
      if (!order || order.subscription_reference === null || hasEnded(order)) return null
      const { company, currency, subscription_reference: reference, subscription_amount: amount } = order
      if (amount === null) return null
      const { payments, provider } = await providerBehind(io, company, reference)
      if (!payments) throw notInUse({ company, provider, reference })
      await ask(payments, { reference, amount, currency }, payload).catch(failPermanently)
      return { provider, state: await fetchProviderState(io, 'subscription', { company, provider, reference }) }
    },
    run: async (ctx, { payload }, answer) => {
      if (!answer) return
      const { provider, state } = answer
      await applySubscriptionState(ctx, payload.order_id, { ...state, provider }, payload.is_billed === true)
    },
  })

export const providerJobs = [
  asking(cancelSubscription, (payments, { reference }, { at = 'now' }) => payments.cancelSubscription(reference, at)),
  asking(keepAtProvider, (payments, { reference }) => payments.keepSubscription(reference)),
  asking(changeAtProvider, (payments, plan) => payments.changeSubscription(plan)),
  asking(pauseAtProvider, (payments, { reference }) => payments.pauseSubscription(reference)),
  asking(resumeAtProvider, (payments, { reference }) => payments.resumeSubscription(reference)),
]

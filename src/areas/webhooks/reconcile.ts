// Webhooks get lost. What is open for too long is asked about; what was missed is settled like an event's news.
import { first, type IoContext } from '#kernel/data/context.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { PaymentProviderUnavailable, PaymentRefused, type PaymentState } from '#ports/payments.ts'
import { checkLater, checkNoMore, settling, type Unsettled, unsettled } from './queries.ts'
import { SETTLE, settleLater } from './settle.ts'

const BATCH = 100

/** `news`: what the provider says is not what we have, or it says nothing that a job could not say better. */
type Verdict = 'news' | 'nothing new' | 'settled'
type Seen = { of: Unsettled; verdict: Verdict }

export const reconcileJob = systemJob<Seen[]>({
  kind: 'webhooks/reconcile',
  everySeconds: 300,
  before: async (outside) => {
    const { settings } = outside.ports
    const before = new Date(outside.now.getTime() - settings.reconcileAfterMinutes * 60_000)
    const seen: Seen[] = []
    const silent = new Set<string>()
    for (const of of await outside.read(unsettled(before, BATCH))) {
      if (silent.has(of.company)) continue
      const verdict = await judge(outside, of)
      // One that gives no answer: the others of that company are left for the next time, in which they come first.
      if (verdict === null) silent.add(of.company)
      seen.push({ of, verdict: verdict ?? 'nothing new' })
    }
    return seen
  },
  run: async (ctx, _job, seen) => {
    for (const { of, verdict } of seen) {
      await ctx.ask(verdict === 'settled' ? checkNoMore(of) : checkLater(of, ctx.now))
      if (verdict === 'news' && !(await first(ctx, settling(SETTLE, of)))) await settleLater(ctx, of)
    }
  },
})

/** Null: the provider did not answer. */
async function judge({ ports }: IoContext, of: Unsettled): Promise<Verdict | null> {
  if (isSettled(of)) return 'settled'
  // Its state changes as long as it lives, and its latest invoice may have been missed: the job compares both.
  if (of.resource === 'subscription') return 'news'
  try {
    const state = await ports.payments[of.company]?.look(of.resource, of.reference)
    return state ? compare(of, state) : 'nothing new'
  } catch (error) {
    if (error instanceof PaymentProviderUnavailable) return null
    if (error instanceof PaymentRefused) return 'news'
    throw error
  }
}

/** An invoice that is void here or was paid another way is not: it could still be paid there as long as it is open there. */
const isSettled = ({ resource, status, is_paid_so }: Unsettled): boolean =>
  resource === 'invoice' ? is_paid_so : resource === 'refund' && status !== 'processing'

function compare({ status }: Unsettled, state: PaymentState): Verdict {
  const isOver = status === 'void' || status === 'paid'
  if (state.resource === 'invoice' && isOver && state.status === 'void') return 'settled'
  if (state.resource === 'invoice' && status === 'paid') return state.status === 'paid' ? 'news' : 'nothing new'
  const ours = state.resource === 'refund' ? 'processing' : 'open'
  return state.status === ours || state.status === status ? 'nothing new' : 'news'
}

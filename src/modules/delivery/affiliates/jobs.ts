// Commissions: created by a payment in another organization, lowered by refunds, earned after the waiting time. A
// system job writes them in the affiliate's organization.
import { insert, move, update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { formatMoney, parseMoney, parsePercent } from '#kernel/values/money.ts'
import { postCommission } from './change-sums.ts'
import { type Commission, commissionMoves, commissionsTable } from './commission.ts'
import { updateCommission } from './enqueue-commission.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { affiliates, type Earning, type Payment } from './queries.ts'

const DAY_MS = 86_400_000
const HUNDREDTHS_OF_PERCENT = 10_000n

/**
 * The rate of the share of the total that was paid and not refunded, less its share of the tax; rounded half away from
 * zero. Taxes that the customer kept back are revenue too.
 */
export function commissionOf(payment: Payment, rate: string): bigint {
  const minor = (amount: string) => parseMoney(amount, payment.currency)
  const [total, net] = [minor(payment.total), minor(payment.net_total)]
  if (net === 0n) return 0n
  const kept = minor(payment.amount_paid) - minor(payment.amount_refunded)
  const divisor = HUNDREDTHS_OF_PERCENT * net
  return (2n * parsePercent(rate) * (total - minor(payment.tax_total)) * kept + divisor) / (2n * divisor)
}

/** An organization's own orders earn it no commission. */
export async function earnsBy(
  ctx: Pick<SystemContext, 'ask'>,
  { organization_id, affiliate_code }: Payment,
): Promise<Earning | null> {
  const affiliate = affiliate_code === null ? undefined : await first(ctx, affiliates.earning(affiliate_code))
  return affiliate && affiliate.organization_id !== organization_id ? affiliate : null
}

type PaidInvoice = { payment: Payment; invoiceId: number; isNew: boolean }

/** Computed from all that is paid and refunded by now, so that late and repeated runs give the same amount. */
async function applyPayment(
  ctx: OrganizationContext,
  affiliate: Earning,
  { payment, invoiceId, isNew }: PaidInvoice,
): Promise<void> {
  const { currency } = payment
  const known = await first(ctx, affiliates.commission(ctx.organizationId, affiliate.id, invoiceId))
  // After a reversal only another payment earns anything, since nothing is left of the earlier ones.
  if (known && known.status !== 'reversed') return lower(ctx, known, loweredBy(known, payment))
  const amount = commissionOf(payment, affiliate.commission_rate)
  if (!isNew || amount === 0n || affiliate.status !== 'active') return
  const days = await settingOf(ctx, payment.company, 'commission_days')
  const paidAt = payment.paid_at === null ? ctx.now : new Date(payment.paid_at)
  await insert(ctx, commissionsTable, {
    affiliate_id: affiliate.id,
    payment_id: invoiceId,
    status: 'pending',
    rate: affiliate.commission_rate,
    currency,
    amount: formatMoney(amount, currency),
    paid_on: payment.payment_date ?? dayIn(paidAt, zoneOf(ctx, payment.company)),
    earns_at: new Date(paidAt.getTime() + days * DAY_MS).toISOString(),
  })
}

/** By how much refunds lower a commission, in minor units; never below 0. */
export function loweredBy({ amount, currency, rate }: Commission, payment: Payment): bigint {
  const less = parseMoney(amount, currency) - commissionOf(payment, rate)
  return less > 0n ? less : 0n
}

/** After a refund. What was earned is taken from the balance, which may become negative. */
async function lower(ctx: OrganizationContext, known: Commission, less: bigint): Promise<void> {
  const { id: commission_id, affiliate_id, currency, status } = known
  if (less === 0n) return
  const amount = parseMoney(known.amount, currency) - less
  const values = { amount: formatMoney(amount, currency) }
  if (amount === 0n) await move(ctx, commissionsTable, commission_id, commissionMoves.reverse, values)
  else await update(ctx, commissionsTable, commission_id, values)
  if (status === 'earned')
    await postCommission(ctx, affiliate_id, { kind: 'reversed', commission_id, amount: less, currency })
}

export async function earnCommission(ctx: OrganizationContext, commission_id: number): Promise<void> {
  const earned = await move(ctx, commissionsTable, commission_id, commissionMoves.earn)
  const { affiliate_id, currency } = earned
  const amount = parseMoney(earned.amount, currency)
  await postCommission(ctx, affiliate_id, { kind: 'earned', commission_id, amount, currency })
}

const earnCommissions = jobKind('affiliates/earn', {})

export const affiliateJobs = [
  systemJob(updateCommission, {
    run: async (ctx, { payload: { organization_id, invoice_id: invoiceId, is_new: isNew } }) => {
      const payment = await first(ctx, affiliates.payment(organization_id, invoiceId))
      const affiliate = payment && (await earnsBy(ctx, payment))
      if (!affiliate) return
      const inside = await ctx.enter(affiliate.organization_id)
      await applyPayment(inside, affiliate, { payment, invoiceId, isNew })
    },
  }),
  sweepJob(earnCommissions, {
    everySeconds: 600,
    due: ({ now }) => affiliates.due(now),
    act: async (ctx, { id }) => {
      if (await affiliates.isDue(ctx, id)) await earnCommission(ctx, id)
    },
  }),
]

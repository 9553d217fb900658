// What a subscription has paid for, as the buyer sees it: entitlement, license, invoices and contracts.
import { shifted } from '#test/harness/shifted.ts'
import { expect } from 'vitest'
import { addMonths, dayIn } from '#kernel/values/time/calendar.ts'
import type { Answer } from '#test/harness/world.ts'
import type { Bought, StripeScene } from './stripe.ts'
import { expire } from './subscriptions.ts'

const DAYS = `- make_interval(days => $2)`

export const ZONE = 'America/Sao_Paulo'
export const lastDay = (end: string): string => dayIn(new Date(Date.parse(end) - 1), ZONE)
export const seconds = (time: string): number => Math.floor(Date.parse(time) / 1000)
export const secondsOf = (time: string): string => new Date(seconds(time) * 1000).toISOString()

export function paidPeriods(at: StripeScene) {
  const after = (months: number): string => addMonths(at.app.clock.now, months, ZONE).toISOString()
  const entitlementOf = async ({ entitlement_id: id }: Bought): Promise<Answer['data']> =>
    (await at.buyer.get(`/entitlements/${id}`)).data
  const invoicesOf = async ({ order_id }: Bought): Promise<Answer['data'][]> =>
    (await at.buyer.get(`/invoices/order/${order_id}`)).data
  const licenseOf = async ({ entitlement_id: id }: Bought): Promise<Answer['data']> =>
    (await at.buyer.get(`/entitlements/${id}/licenses`)).data[0]
  const contractOf = async (id: number): Promise<Answer['data']> => (await at.buyer.get(`/contracts/${id}`)).data

  /** Another interval at Stripe, which names its period. */
  function renewal(payment: Bought, period?: { start: string; end: string }) {
    const invoice = at.stripe.renew(payment.subscription)
    const [line] = invoice.lines.data
    if (period && line) line.period = { start: seconds(period.start), end: seconds(period.end) }
    return invoice
  }

  /** A contract in force whose last day is the entitlement's. */
  async function contractFor(payment: Bought, more: object = {}): Promise<number> {
    const { id: entitlement_id, expires_at } = await entitlementOf(payment)
    const end_date = expires_at === null ? null : lastDay(expires_at)
    const body = { title: 'Terms', start_date: '2020-01-01', end_date, entitlement_id, ...more }
    const { id } = (await at.acme.staff.post('/contracts', body)).data
    expect((await at.acme.staff.post(`/contracts/${id}/status`, { status: 'active' })).status).toBe(200)
    return id
  }

  /** As if all of it had happened so many days before; then the jobs that expire run. */
  async function makeOlder({ order_id, entitlement_id }: Bought, days: number): Promise<void> {
    const { query } = at.app.database
    await query(
      `update invoices set paid_at = ${shifted('paid_at', DAYS)}, period_start = ${shifted('period_start', DAYS)},
              period_end = ${shifted('period_end', DAYS)} where order_id = $1`,
      [order_id, days],
    )
    await query(
      `update orders set subscription_requested_at = ${shifted('subscription_requested_at', DAYS)} where id = $1`,
      [order_id, days],
    )
    await query(`update entitlements set expires_at = ${shifted('expires_at', DAYS)} where order_id = $1`, [
      order_id,
      days,
    ])
    await query(`update licenses set expires_at = ${shifted('expires_at', DAYS)} where entitlement_id = $1`, [
      entitlement_id,
      days,
    ])
    await query('update contracts set end_date = end_date - $2::int where entitlement_id = $1', [entitlement_id, days])
    await expire(at)
  }

  return { after, entitlementOf, invoicesOf, licenseOf, contractOf, renewal, contractFor, makeOlder }
}
export type PaidPeriods = ReturnType<typeof paidPeriods>

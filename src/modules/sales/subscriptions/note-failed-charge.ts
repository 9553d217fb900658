// Notes that the provider could not charge a subscription, once for each attempt, with where the customer pays instead.
import { ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { fetchProviderState } from '#modules/sales/payments/ask-provider.ts'
import { update } from '#kernel/data/changes.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { isOver } from './subscription.ts'
import { noteFailedCharge } from './subscription-jobs.ts'

export const noteFailedChargeJob = organizationJob(noteFailedCharge, {
  before: (io, { payload }) => fetchProviderState(io, 'invoice', payload),
  run: async (ctx, { payload: { order_id: id } }, invoice) => {
    const order = await orders.forChange(ctx, id)
    // Paid meanwhile, or given up.
    if (invoice.status !== 'open' || invoice.subscription !== order.subscription_reference || isOver(order)) return
    const attempt = `${invoice.reference} ${invoice.attempts}`
    if (`${order.subscription_failed_attempt ?? ''} `.startsWith(`${attempt} `)) return
    const noted = { subscription_failed_attempt: `${attempt} ${invoice.total}`, subscription_url: invoice.payUrl }
    await update(ctx, ordersTable, id, noted, ordersTable.events.subscription_charge_failed)
  },
})

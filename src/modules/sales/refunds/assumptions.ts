// What a preview takes for granted of a refund: that staff approve it, and that it is paid.
import { payments } from '#modules/sales/payments/payment-records.ts'
import { assumedAfterEvent, assumedAfterJob, previewed } from '#kernel/jobs/preview.ts'
import { approveRefund } from './decide-refund.ts'
import { refunds } from './queries.ts'
import { refundsTable } from './refund.ts'
import { sendRefund } from './send-refund.ts'
import { applyRefundState } from './apply-refund-state.ts'

export const refundAssumptions = [
  assumedAfterEvent(refundsTable.events.created, async (ctx, id) => {
    const { is_approved } = await refunds.forChange(ctx, id)
    if (is_approved) return null
    await approveRefund(ctx, id)
    return previewed('staff', 'approve_refund', { resource: 'refund', id })
  }),
  assumedAfterJob(sendRefund, async (ctx, { refund_id: id }) => {
    const { payment_id } = await refunds.forChange(ctx, id)
    const payment = payment_id === null ? undefined : await payments.of(ctx, payment_id)
    await applyRefundState(ctx, id, { status: 'succeeded' })
    return previewed(payment?.source === 'provider' ? 'payment_provider' : 'staff', 'refund', {
      resource: 'refund',
      id,
    })
  }),
]

// Provisions a paid order that was made in the shop: one entitlement per line with the records of its class, like a
// paid quote's (spec 6); then the order is completed.
import { type OrderRow, orderMoves, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { provisionLine } from '#modules/sales/quotes/provision-order.ts'
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import type { PlatformOrder } from '#ports/commerce.ts'
import { commerceOrders } from './queries.ts'

const provisionImported = jobKind('commerce/provision', { order_id: Id })

export const provisionLater = (ctx: OrganizationContext, order_id: number): Promise<void> =>
  enqueue(ctx, provisionImported, { order_id }, { key: `${provisionImported.name}:${ctx.organizationId}:${order_id}` })

export const provisionImportedJob = organizationJob(provisionImported, {
  run: async (ctx, { payload: { order_id } }) => {
    const order = await orders.forChange(ctx, order_id)
    if (!isPaidStatus(order.status)) return
    const done = new Set(
      (await ctx.ask(commerceOrders.provisionedLines(ctx.organizationId, order_id))).map(
        ({ quote_line }) => quote_line,
      ),
    )
    for (const [index, line] of order.line_items.entries()) {
      if (done.has(index)) continue
      const { entitlement_code: code } = line
      if (code === null) throw new PermanentFailure(`line ${index} of order ${order.number} has no code`)
      await provisionLine(ctx, { ...order, quote_id: null, order_id, paid_until: null }, { line, index, code })
    }
    if (allows(orderMoves.complete, order.status))
      await move(ctx, ordersTable, order_id, orderMoves.complete, { date_completed: ctx.now.toISOString() })
  },
})

export const isPaidStatus = (status: string): boolean => status === 'processing' || status === 'completed'

export const paymentFields = ({ paidAt, paymentMethod, paymentMethodTitle }: PlatformOrder) =>
  ({
    date_paid: paidAt?.toISOString() ?? null,
    payment_method: paymentMethod,
    payment_method_title: paymentMethodTitle,
  }) satisfies Partial<OrderRow>

// Brings an order and its counterpart at the commerce platform to agree (docs/commerce.md). Both are read as they are
// now, so that events may come twice, late and in any order; jobs about one order run one after the other.
import { Type } from 'typebox'
import { ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { refundsTable } from '#modules/sales/refunds/refund.ts'
import { refunds } from '#modules/sales/refunds/queries.ts'
import type { IoContext, OrganizationContext, Ports } from '#kernel/data/context.ts'
import { eventJobKind, jobKind } from '#kernel/data/job-kinds.ts'
import { enqueueAnew, organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { COMPANIES, Id } from '#kernel/values/schema.ts'
import { type Commerce, CommerceRefused, type PlatformOrder } from '#ports/commerce.ts'
import { applyShopState } from './apply-shop-state.ts'
import { type Counterpart, commerceOrders, type SyncedOrder } from './queries.ts'

/** `must_push`: staff decided that ours counts, whatever is there. */
export const syncOrder = jobKind('commerce/sync-order', { order_id: Id, must_push: Type.Boolean() })
const orderChanged = eventJobKind('commerce/order-changed')
const refundSucceeded = eventJobKind('commerce/refund-succeeded')

export const orderKey = (organizationId: number, orderId: number): string => `commerce:${organizationId}:${orderId}`

type SyncResult = { order: SyncedOrder; platform: string; there: PlatformOrder | null; verdict: Verdict }

export const syncJobs = [
  organizationJob(orderChanged, {
    run: (ctx, { payload }) => syncLater(ctx, payload.resource_id),
  }),
  organizationJob(refundSucceeded, {
    run: async (ctx, { payload }) => {
      const { order_id } = await refunds.forChange(ctx, payload.resource_id)
      if (order_id !== null) await syncLater(ctx, order_id)
    },
  }),
  organizationJob(syncOrder, {
    before: (io, { payload }) => exchange(io, payload.order_id, payload.must_push),
    run: async (ctx, { payload }, synced) => (synced ? conclude(ctx, payload.order_id, synced) : undefined),
  }),
]

const { events } = ordersTable
const MOVED = [events.processing, events['on-hold'], events.pending, events.completed, events.cancelled, events.failed]
const isUsed = ({ commerce }: Ports): boolean => COMPANIES.some((company) => commerce[company] !== null)
export const syncConsumers: Consumer[] = [
  ...[events.created, ...MOVED, events.refunded].map((event) => ({ event, job: orderChanged, isUsed })),
  { event: refundsTable.events.succeeded, job: refundSucceeded, isUsed },
]

export const syncLater = (ctx: OrganizationContext, order_id: number, must_push = false): Promise<void> =>
  enqueueAnew(ctx, syncOrder, { order_id, must_push }, { key: orderKey(ctx.organizationId, order_id) })

type Verdict = 'same' | 'push' | 'follow' | 'gone'

/**
 * What differs, and who has changed since both agreed. Ours counts if both have, unless the shop was paid meanwhile.
 */
function verdictOf(order: SyncedOrder, there: PlatformOrder | null, agreed: string | null): Verdict {
  if (!there || there.status === 'trashed') return 'gone'
  if (there.status === order.status) return missingRefunds(order, there).length > 0 ? 'push' : 'same'
  if (isPaidOnlyThere(order, there) && there.status !== agreed) return 'follow'
  return order.status === agreed ? 'follow' : 'push'
}

/** The shop also dates a payment when it is told a status, so that the date alone means nothing. */
const isPaidOnlyThere = ({ date_paid }: SyncedOrder, { paidAt, status }: PlatformOrder): boolean =>
  paidAt !== null && date_paid === null && PAID.includes(status)
const PAID: readonly string[] = ['processing', 'completed']

/** All calls to the platform; null if there is nothing to synchronize. */
async function exchange(io: IoContext, orderId: number, mustPush: boolean): Promise<SyncResult | null> {
  const [order] = await io.read(commerceOrders.synced(io.organizationId ?? 0, orderId))
  const commerce = order ? io.ports.commerce[order.company] : null
  if (!order || !commerce) return null
  const { counterpart } = order
  // At a platform that is not in use any more.
  if (counterpart && counterpart.platform !== commerce.platform) return null
  if (!counterpart && OVER.includes(order.status)) return null
  return refusedForGood(async () => {
    const there = counterpart
      ? await commerce.look(counterpart.reference)
      : await commerce.putOrder(copyOf(order, io.organizationId ?? 0))
    const verdict = mustPush && there ? 'push' : verdictOf(order, there, counterpart?.agreed_status ?? null)
    const after = verdict === 'push' && there ? await push(commerce, order, there) : there
    return { order, platform: commerce.platform, there: after, verdict }
  })
}

/** Orders that ended before they had a copy get none. */
const OVER: readonly string[] = ['cancelled', 'refunded', 'failed']

async function push(commerce: Commerce, order: SyncedOrder, there: PlatformOrder): Promise<PlatformOrder> {
  let after = there
  for (const { id: refundId, amount, reason } of missingRefunds(order, there))
    after = await commerce.recordRefund(there.reference, { refundId, amount, reason })
  return after.status === order.status ? after : commerce.setStatus(there.reference, order.status)
}

/**
 * A refund of an imported order is made in the shop. The adapter recognizes those that it recorded before. Of an order
 * that the shop calls refunded nothing is left: it records the rest itself when somebody sets that status.
 */
function missingRefunds({ refunds: ours, counterpart }: SyncedOrder, there: PlatformOrder): SyncedOrder['refunds'] {
  if (counterpart?.is_imported === true || there.status === 'refunded') return []
  return ours.filter(({ id }) => !there.refunds.some(({ refundId }) => refundId === id))
}

const copyOf = (order: SyncedOrder, organizationId: number) => ({
  mark: { organizationId, orderId: order.id },
  number: order.number,
  createdAt: new Date(order.created_at),
  status: order.status,
  currency: order.currency,
  total: order.total,
  lines: order.line_items.map(({ product_name, quantity, total }) => ({
    description: quantity === 1 ? product_name : `${quantity} × ${product_name}`,
    total,
  })),
  billingName: order.billing_name,
  billingEmail: order.billing_email,
})

export async function refusedForGood<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommerceRefused) throw new PermanentFailure(error.message)
    throw error
  }
}

async function conclude(
  ctx: OrganizationContext,
  orderId: number,
  { order: seen, platform, there, verdict }: SyncResult,
): Promise<void> {
  const order = await orders.forChange(ctx, orderId)
  const { counterpart } = seen
  if (!counterpart && there) {
    const at = { company: order.company, platform, reference: there.reference, is_imported: false }
    if (!(await commerceOrders.remember(ctx, orderId, at)))
      throw new PermanentFailure(`order ${there.number} of the shop belongs to another order`)
  }
  const noted = { there, agreed: null, problem: null }
  if (verdict === 'gone') return note(ctx, orderId, { ...noted, problem: 'The order was deleted in the shop' })
  // It has changed during the calls: the job of that change, which waits for this one, compares again.
  if (order.status !== seen.status || !there)
    return note(ctx, orderId, { ...noted, problem: counterpart?.problem ?? null })
  if (verdict !== 'follow') return note(ctx, orderId, { ...noted, agreed: there.status })
  const problem = await applyShopState(ctx, order, there, isImported(counterpart))
  await note(ctx, orderId, { ...noted, agreed: problem === null ? there.status : null, problem })
}

const isImported = (counterpart: Counterpart | null): boolean => counterpart?.is_imported === true

const note = async (...given: Parameters<typeof commerceOrders.note>): Promise<void> => {
  await commerceOrders.note(...given)
}

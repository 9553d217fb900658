// Finds the order that a stored event of the shop concerns. The event is only a hint: the job asks the shop for the
// order as it is, and imports it if it was made there.
import type { InboundSource } from '#http/manifest/module.ts'
import { STATUSES } from '#modules/sales/orders/order.ts'
import { readStoredEvent } from '#modules/messages/inbound/provider-events.ts'
import type { IoContext, SystemContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueueAnew, PermanentFailure, systemJob } from '#kernel/jobs/jobs.ts'
import { Company, Id, Line } from '#kernel/values/schema.ts'
import { CommerceEvent, type PlatformOrder } from '#ports/commerce.ts'
import { normalizeCnpj } from '#ports/cnpj.ts'
import { importedStatus, importOrder } from './import-order.ts'
import { type At, commerceOrders } from './queries.ts'
import { orderKey, refusedForGood, syncOrder } from './sync-order.ts'

export const handleCommerceEvent = jobKind('commerce/handle-event', { provider_event_id: Id })
export const refreshOrder = jobKind('commerce/refresh-order', { company: Company, platform: Line, reference: Line })

export const enqueueStateRefresh = (ctx: SystemContext, { company, platform, reference }: At): Promise<void> =>
  enqueueAnew(ctx, refreshOrder, { company, platform, reference }, { key: `commerce:${company}:${reference}` })

export const commerceSource: InboundSource = {
  names: ['woocommerce', 'woocommerce-sandbox'],
  reads: 'finances',
  handle: handleCommerceEvent,
}

type ConcernedOrder =
  | { organizationId: number; orderId: number }
  | { organizationId: number; orderId: null; at: At }
  /** It is of no interest here. */
  | null

export const commerceEventJobs = [
  systemJob(handleCommerceEvent, {
    run: async (ctx, { payload: { provider_event_id: id } }) => {
      const { company, source: platform, event } = await readStoredEvent(ctx, id, CommerceEvent)
      await enqueueStateRefresh(ctx, { company, platform, reference: event.reference })
    },
  }),
  systemJob(refreshOrder, {
    before: (io, { payload }) => refusedForGood(() => concernedBy(io, payload)),
    run: (ctx, _job, concerned) => enqueueFor(ctx, concerned),
  }),
]

async function enqueueFor(ctx: SystemContext, concerned: ConcernedOrder): Promise<void> {
  if (!concerned) return
  const { organizationId, orderId } = concerned
  if (orderId !== null) {
    const key = orderKey(organizationId, orderId)
    return enqueueAnew(ctx, syncOrder, { order_id: orderId, must_push: false }, { organizationId, key })
  }
  const { company, platform, reference } = concerned.at
  await enqueueAnew(
    ctx,
    importOrder,
    { company, platform, reference },
    { organizationId, key: `commerce:${company}:${reference}` },
  )
}

async function concernedBy(io: IoContext, at: At): Promise<ConcernedOrder> {
  const [known] = await io.read(commerceOrders.at(at))
  if (known) return { organizationId: known.organization_id, orderId: known.order_id }
  const commerce = io.ports.commerce[at.company]
  if (commerce?.platform !== at.platform) return null
  const there = await commerce.look(at.reference)
  if (!there) return null
  if (there.mark) {
    // The answer to our request is not stored yet, or was lost.
    const [marked] = await io.read(commerceOrders.marked(there.mark, at.company))
    return marked ? { organizationId: marked.organization_id, orderId: marked.order_id } : null
  }
  if (!importedStatus(there.status)) {
    assertNotPaid(there)
    return null
  }
  return { organizationId: await buyerOf(io, there), orderId: null, at }
}

/** Shops have statuses of their own. Nobody here can tell whether a paid order in one of them is to be delivered. */
function assertNotPaid({ status, paidAt, number }: PlatformOrder): void {
  if (paidAt === null || NOT_SOLD.includes(status)) return
  throw new PermanentFailure(
    `order ${number} of the shop is paid, and its field status is ${status}, which is unknown here: ` +
      'change it, then retry',
  )
}
const NOT_SOLD: readonly string[] = [...STATUSES, 'draft', 'trashed']

/** A dead letter if there is none, or more than one: staff name the organization in the shop and retry. */
async function buyerOf(io: IoContext, there: PlatformOrder): Promise<number> {
  const { organizationId, billingCnpj, billingEmail: email } = there
  const cnpj = billingCnpj === null ? null : normalizeCnpj(billingCnpj)
  const [buyer, other] = await io.read(commerceOrders.buyers({ organizationId, cnpj, email }, io.now))
  if (buyer && !other) return buyer.id
  const who = organizationId ?? cnpj ?? email ?? 'nobody'
  const none =
    organizationId === null && cnpj !== null ? 'which no verified organization has' : 'who is in no organization'
  throw new PermanentFailure(
    `order ${there.number} of the shop is of ${who}, ` +
      `${other ? 'who is in several organizations' : none}: set its meta field titular_organization_id ` +
      'there, then retry',
  )
}

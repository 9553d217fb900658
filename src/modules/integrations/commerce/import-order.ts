// Imports an order that was made in the shop into the organization of its buyer.
import { type OrderStatus, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { type Offer, offersBySku } from '#modules/delivery/products/offers.ts'
import { insert } from '#kernel/data/changes.ts'
import { allocateCodesFor } from '#kernel/data/codes.ts'
import { type IoContext, one, type OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { Company, Line } from '#kernel/values/schema.ts'
import type { PlatformOrder } from '#ports/commerce.ts'
import { classOf, importedLines } from './imported-lines.ts'
import { isPaidStatus, paymentFields, provisionLater } from './provision-imported.ts'
import { type At, commerceOrders } from './queries.ts'
import { type SoldLine, soldLines } from './sold-lines.ts'
import { refusedForGood, syncLater } from './sync-order.ts'

const at = { company: Company, platform: Line, reference: Line }
export const importOrder = jobKind('commerce/import-order', at)

/** An order that ended before it was ever imported stays in the shop. */
const IMPORTED: readonly OrderStatus[] = ['pending', 'processing', 'on-hold', 'completed']
export const importedStatus = (status: string): OrderStatus | undefined => IMPORTED.find((known) => known === status)

type OrderToImport = {
  there: PlatformOrder
  status: OrderStatus
  lines: SoldLine[]
  offers: Map<string, Offer>
  codes: string[]
}

export const importOrderJob = organizationJob(importOrder, {
  before: (io, { payload }) => refusedForGood(() => find(io, payload)),
  run: async (ctx, { payload }, found) => {
    const [known] = await ctx.ask(commerceOrders.at(payload))
    if (known) return known.organization_id === ctx.organizationId ? syncLater(ctx, known.order_id) : undefined
    if (found) await store(ctx, payload, found)
  },
})

/** Codes are allocated before the transaction: all organizations share the counter (docs/interface/delivery.md). */
async function find(io: IoContext, { company, platform, reference }: At): Promise<OrderToImport | null> {
  const commerce = io.ports.commerce[company]
  const there = commerce?.platform === platform ? await commerce.look(reference) : null
  const status = importedStatus(there?.status ?? '')
  if (!there || !status) return null
  const lines = soldLines(there)
  const skus = lines.flatMap(({ sku }) => sku ?? [])
  const offers = await offersBySku({ ask: io.read }, skus, { company, currency: there.currency })
  const codes = await allocateCodesFor(
    io,
    lines.map((line) => classOf(line, offers)),
  )
  return { there, status, lines, offers, codes }
}

async function store(
  ctx: OrganizationContext,
  { company, platform, reference }: At,
  found: OrderToImport,
): Promise<void> {
  const { there, status, lines } = found
  const { id } = await one(ctx, orders.nextId(ctx.organizationId))
  await insert(ctx, ordersTable, {
    id,
    number: there.number,
    status,
    company,
    currency: there.currency,
    ...importedLines(there, lines, found),
    billing_email: there.billingEmail,
    billing_name: there.billingName,
    billing_address: { name: there.billingName, email: there.billingEmail, cnpj: there.billingCnpj },
    notes: there.note,
    date_completed: status === 'completed' ? ctx.now.toISOString() : null,
    ...paymentFields(there),
  })
  await commerceOrders.remember(ctx, id, { company, platform, reference, is_imported: true })
  await commerceOrders.note(ctx, id, { there, agreed: status, problem: null })
  if (isPaidStatus(status)) await provisionLater(ctx, id)
}

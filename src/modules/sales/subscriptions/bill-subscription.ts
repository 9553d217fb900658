// Records a paid invoice of the provider for a subscription as a numbered, paid invoice of ours, once.
import { closeCheckoutLater } from '#modules/sales/payments/enqueue-checkout.ts'
import { allocateNumber, createInvoice } from '#modules/sales/invoices/create-invoice.ts'
import { isBeside } from '#modules/sales/invoices/beside-order.ts'
import { creditOfDue } from '#modules/sales/invoices/withheld-of-credit.ts'
import {
  invoiceMoves,
  type InvoiceRow,
  invoicesTable,
  OF_ORDER,
  OF_SUBSCRIPTION,
} from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { type OrderRow, ordersTable } from '#modules/sales/orders/order.ts'
import { orders } from '#modules/sales/orders/queries.ts'
import { fetchProviderState } from '#modules/sales/payments/ask-provider.ts'
import { customerOf } from '#modules/sales/payments/payment-customer.ts'
import { rememberReference, unknownReferences } from '#modules/sales/payments/payment-references.ts'
import { settleInvoice } from '#modules/sales/payments/settle-invoice.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { allows } from '#kernel/data/moves.ts'
import { parseMoney } from '#kernel/values/money.ts'
import type { PaymentState } from '#ports/payments.ts'
import { zoneOf } from '#ports/ports.ts'
import { periodOf } from './paid-periods.ts'
import { orderCharged } from './plans.ts'
import { renewalLines } from './renewal-lines.ts'
import { isOver } from './subscription.ts'
import { billSubscription, reportPaidAfterEnd } from './subscription-jobs.ts'

type PaidInvoice = Extract<PaymentState, { resource: 'invoice' }> & { provider: string }

export const billSubscriptionJob = organizationJob(billSubscription, {
  before: async (io, { payload }) => {
    const state = await fetchProviderState(io, 'invoice', payload)
    return state.status === 'paid' ? { ...state, provider: payload.provider } : null
  },
  run: async (ctx, { payload }, paid) => {
    if (paid) await bill(ctx, payload.order_id, paid)
  },
})

async function bill(ctx: OrganizationContext, orderId: number, paid: PaidInvoice): Promise<void> {
  const order = await orders.forChange(ctx, orderId)
  // That of a trial.
  if (parseMoney(paid.total, paid.currency) === 0n) return
  await assertSameMoney(ctx, order, paid)
  const { company } = order
  const { provider, reference } = paid
  const [isNew] = await unknownReferences(ctx, { company, provider }, [reference])
  if (isNew === undefined) return
  const paidAt = paid.paidAt === null ? ctx.now : new Date(paid.paidAt)
  const period = await periodOf(ctx, order, { period: paid.period, paidAt })
  const charged = orderCharged(order, paid.amount, new Date(period.period_start ?? paidAt))
  if (!charged) throw otherMoney(order, paid)
  const billed = (await owed(ctx, order, paid)) ?? (await renewal(ctx, charged, paid, paidAt))
  const at = {
    payment_invoice_id: reference,
    link: null,
    payment_codes: null,
    payment_codes_until: null,
    ...period,
  }
  const invoice = await update(ctx, invoicesTable, billed.id, at)
  const subject = { resource: 'invoice', resource_id: invoice.id } as const
  const isOurs = await rememberReference(ctx, { company, provider, reference }, subject)
  if (!isOurs) throw new PermanentFailure(`the payment ${reference} belongs to another organization`)
  await settleInvoice(ctx, invoice.id, {
    method: paid.method,
    paidAt: paid.paidAt === null ? null : paidAt,
    amount: paid.amount,
    at: { provider, reference },
  })
  if (order.subscription_failed_attempt?.startsWith(`${reference} `))
    await update(ctx, ordersTable, orderId, { subscription_failed_attempt: null })
  if (isOver(order)) await enqueue(ctx, reportPaidAfterEnd, { order_id: orderId, invoice_id: invoice.id })
}

/** The open invoice of the order that the first payment pays. Its checkout is closed, so that nobody pays twice. */
async function owed(ctx: OrganizationContext, order: OrderRow, paid: PaidInvoice): Promise<InvoiceRow | null> {
  const open = ofOrderItself(order, await invoices.ofOrderForChange(ctx, order.id)).find(
    (one) =>
      allows(invoiceMoves.pay, one.status) &&
      one.currency === paid.currency &&
      // The provider charges the whole amount, whatever the customer may keep back of an invoice.
      creditOfDue(one).amount === parseMoney(paid.amount, paid.currency),
  )
  if (!open) return null
  if (open.payment_invoice_id !== null) await closeCheckoutLater(ctx, open.id, open.payment_invoice_id)
  return open
}

/** The order's own invoice; if that is void, those that staff wrote instead, unless one of them is paid. */
function ofOrderItself(order: OrderRow, all: InvoiceRow[]): InvoiceRow[] {
  const notVoid = all.filter((one) => one.status !== 'void' && !isBeside(order, one, all))
  const own = notVoid.filter(({ origin }) => origin === OF_ORDER)
  if (own.length > 0) return own
  return notVoid.some(({ status }) => status === 'paid') ? [] : notVoid
}

async function renewal(
  ctx: OrganizationContext,
  order: OrderRow,
  paid: PaidInvoice,
  paidAt: Date,
): Promise<InvoiceRow> {
  const issueDate = dayIn(paidAt, zoneOf(ctx, order.company))
  const numbered = await allocateNumber(ctx, order.company)
  const issued = { numbered, issueDate, userId: null, origin: OF_SUBSCRIPTION, isCharged: true } as const
  return createInvoice(ctx, renewalLines(order, paid.amount), issued)
}

const otherMoney = ({ number, subscription_amount, currency }: OrderRow, paid: PaidInvoice): PermanentFailure =>
  new PermanentFailure(
    `order ${number}: the provider’s invoice ${paid.reference} is of ${paid.amount} ${paid.currency} ` +
      `instead of ${subscription_amount} ${currency}`,
  )

async function assertSameMoney(ctx: OrganizationContext, order: OrderRow, paid: PaidInvoice): Promise<void> {
  const known = await customerOf(ctx, order.company, paid.provider)
  const about = `order ${order.number}: the provider’s invoice ${paid.reference}`
  if (paid.subscription !== order.subscription_reference)
    throw new PermanentFailure(`${about} is of another subscription`)
  if (paid.currency !== order.currency) throw otherMoney(order, paid)
  if (paid.customer !== null && known !== null && paid.customer !== known)
    throw new PermanentFailure(`${about} was paid by the customer ${paid.customer}, who is not this organization’s`)
}

// The demo's sales: quotes that are accepted and paid, and one sale with all records that can follow it.
import { changeByHand } from '#modules/sales/credit-balances/change-credit-balance.ts'
import { createContract } from '#modules/delivery/contracts/draft-contract.ts'
import { moveContract } from '#modules/delivery/contracts/move-contract.ts'
import { acceptQuote, allocateLineCodes, factsToAccept } from '#modules/sales/quotes/accept-quote.ts'
import { createQuote } from '#modules/sales/quotes/draft-quote.ts'
import { sendQuote } from '#modules/sales/quotes/send-quote.ts'
import { newLinkSecret } from '#modules/sales/quotes/links/link-quote.ts'
import { provision } from '#modules/sales/quotes/provision-order.ts'
import type { NewQuote } from '#modules/sales/quotes/quote.ts'
import { applyDisputeState } from '#modules/sales/disputes/apply-dispute-state.ts'
import { draftInvoice } from '#modules/sales/invoices/draft-invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { movePayment } from '#modules/sales/payments/move-payment.ts'
import { payByHand } from '#modules/sales/payments/pay-by-hand.ts'
import { settleInvoice } from '#modules/sales/payments/settle-invoice.ts'
import { approveRefund, decideByHand } from '#modules/sales/refunds/decide-refund.ts'
import { refundOrder } from '#modules/sales/refunds/start-refund.ts'
import { type Linking, linkIssue } from '#modules/support/issue-tracker/link-issue.ts'
import { commentOnTicket } from '#modules/support/tickets/add-to-conversation.ts'
import { openTicket } from '#modules/support/tickets/open-ticket.ts'
import { lockTicket } from '#modules/support/tickets/change-ticket.ts'
import { addDays, dayIn } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { allocateCode } from '#kernel/data/codes.ts'
import { all, first, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { asStaff } from './history/callers.ts'
import { demoAffiliate } from './affiliates.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { demoSatisfaction } from './satisfaction.ts'

export const OFFER: Omit<NewQuote, 'currency' | 'valid_until'> = {
  line_items: [
    { product_name: 'Backup Pro', quantity: 5, unit_price: '39.90', entitlement_class: 'PLG', term_months: 12 },
    { product_name: 'Managed Moodle', quantity: 1, unit_price: '490.00', entitlement_class: 'ENV', term_months: 12 },
    { product_name: 'Migration', quantity: 1, unit_price: '1800.00', entitlement_class: 'SVC' },
  ],
}

/** Allocates the codes in the same transaction, since no other one waits for their counters yet. */
export async function accept(ctx: OrganizationContext, id: number): Promise<{ orderId: number }> {
  const { ask: read, now, organizationId, settings, store } = ctx
  const codes = await allocateLineCodes({ read, now, organizationId, store, ports: { settings } }, id)
  const facts = await all(ctx, factsToAccept(organizationId, id))
  return acceptQuote(ctx, id, { facts, body: {}, codes })
}

export async function acceptAndPay(ctx: OrganizationContext, id: number): Promise<number> {
  const { orderId } = await accept(ctx, id)
  const invoice = await first(
    ctx,
    sql<{ id: number }>`
    select id from invoices where organization_id = ${ctx.organizationId} and order_id = ${orderId}`,
  )
  await settleInvoice(ctx, invoice?.id ?? 0, { method: 'bank_transfer', paidAt: ctx.now })
  return orderId
}

type OfferTerms = { currency: string; valid_until: string; secretKey: string; tracker: Linking['tracker'] }

/**
 * From the quote to a license, a part of the money back with its credit note, a credit balance, a ticket with its
 * issue, a contract and an affiliate.
 */
export async function demoCustomer(
  ctx: OrganizationContext,
  { currency, valid_until, secretKey, tracker }: OfferTerms,
): Promise<void> {
  const [license, hosting, project] = OFFER.line_items
  const partner = { product_name: 'Partner', quantity: 1, unit_price: '0.00', entitlement_class: 'AFL' as const }
  const line_items = [hosting, license, project, partner].filter((line) => line !== undefined)
  const { id } = await createQuote(ctx, { currency, valid_until, line_items })
  await sendQuote(ctx, id, { body: {}, secret: newLinkSecret(secretKey) })
  const orderId = await acceptAndPay(ctx, id)
  // Here and not by its job, so that these records get the first ids; the job then finds it done.
  await provision(ctx, id)
  await demoAffiliate(ctx, orderId)
  const { refund_id } = await refundOrder(ctx, orderId, { amount: '39.90', reason: 'One license less' })
  if ((await settingOf(ctx, 'entity_br', 'refunds')) === 'approve') await approveRefund(ctx, refund_id)
  await decideByHand(ctx, refund_id, { body: {}, isConfirmed: false })
  const goodwill = { kind: 'added', amount: '25.00', reason: 'An outage in October' } as const
  await changeByHand(ctx, { company: 'entity_br', currency, ...goodwill })
  await demoDispute(ctx, orderId)
  const [entitlement] = await ctx.ask(sql<{ id: number }>`
    select id from entitlements where organization_id = ${ctx.organizationId} and class = 'ENV' order by id limit 1`)
  const entitlement_id = entitlement?.id ?? 0
  // In force at once, so that its ticket has deadlines: the day begins later in Brazil than in UTC.
  const today = dayIn(ctx.now, zoneOf(ctx, 'entity_br'))
  const term = { start_date: today, end_date: addDays(today, 365) }
  const terms = 'Hosting, backups every night, answers within a working day.'
  const levels = { sla_first_response_minutes: FIRST_RESPONSE, sla_resolution_minutes: RESOLUTION }
  const contract = await createContract(ctx, { title: 'Managed hosting', entitlement_id, terms, ...levels, ...term })
  await moveContract(ctx, contract.id, { status: 'active' })
  await demoTicket(ctx, entitlement_id, tracker)
  await demoQuestion(ctx, orderId)
  await demoSatisfaction(ctx)
  await demoMovedPayment(ctx, currency)
}

/** Hours of two months: the transfer of the second was recorded on the invoice of the first. */
async function demoMovedPayment(ctx: OrganizationContext, currency: string): Promise<void> {
  const hours = (product_name: string) =>
    draftInvoice(ctx, {
      company: currency === 'BRL' ? 'entity_br' : 'entity_global',
      currency,
      status: 'open',
      line_items: [{ product_name, quantity: 2, unit_price: '190.00' }],
    })
  const [wrong, right] = [await hours('Support, first month'), await hours('Support, second month')]
  await payByHand(ctx, wrong.id, { payment_method: 'bank_transfer' })
  const [payment] = await ctx.ask(sql<{ id: number }>`
    select id from payments where organization_id = ${ctx.organizationId} and invoice_id = ${wrong.id}`)
  const body = { invoice_id: right.id, reason: 'The transfer names the second invoice' }
  if (payment) await movePayment(ctx, payment.id, { body, elsewhere: null })
}

/** In business hours: those of the Brazilian legal entity are eight a day, the other one's run round the clock. */
const FIRST_RESPONSE = { low: 960, normal: 480, high: 120, urgent: 30 }
const RESOLUTION = { low: 4800, normal: 2400, high: 960, urgent: 480 }

/** A dispute that the vendor has won. */
async function demoDispute(ctx: OrganizationContext, orderId: number): Promise<void> {
  const [invoice] = await invoices.ofOrderForChange(ctx, orderId)
  if (!invoice) return
  const { id, company, currency, amount_paid: amount } = invoice
  const at = { company, provider: 'sandbox', reference: `du_demo_${ctx.organizationId}`, invoice: null }
  const decided = { status: 'won', reason: 'unrecognized', answerBy: null, isWithdrawn: false } as const
  await applyDisputeState(ctx, id, { ...at, ...decided, amount, currency })
}

async function demoQuestion(ctx: OrganizationContext, orderId: number): Promise<void> {
  const [invoice] = await invoices.ofOrderForChange(ctx, orderId)
  if (!invoice) return
  const number = await allocateCode({ read: ctx.ask, now: ctx.now }, 'SR')
  await openTicket(ctx, { title: 'Which purchase order is on the invoice?', invoice_id: invoice.id }, { number })
}

const NEW_ISSUE = { title: 'The disk of the campus is full' }
const BY_HAND = { key: 'OPS-118', url: 'https://tracker.titular.example/OPS-118' }

async function demoTicket(
  ctx: OrganizationContext,
  entitlement_id: number,
  tracker: Linking['tracker'],
): Promise<void> {
  const number = await allocateCode({ read: ctx.ask, now: ctx.now }, 'SR')
  const ticket = await openTicket(ctx, { title: 'The campus is slow', entitlement_id, priority: 'normal' }, { number })
  // In the sandbox's tracker a job creates the issue, and takes the comment there.
  const isCreated = tracker.endsWith('-sandbox')
  await linkIssue(ctx, ticket.id, isCreated ? NEW_ISSUE : BY_HAND, {
    tracker: isCreated ? tracker : 'none',
    isKey: true,
  })
  const otto = await asStaff(ctx, 'otto')
  await commentOnTicket(otto, await lockTicket(ctx, ticket.id), { body: 'It was a full disk; there is room again.' })
}

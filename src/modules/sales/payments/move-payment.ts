// POST /payments/{id}/move: a payment that staff recorded on the wrong invoice ends there, and is recorded anew on the
// right one, as of its day (docs/decisions/0099). In another organization a job does so.
import type { InvoiceRow } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { first, type IoContext, type OrganizationContext, type Settings } from '#kernel/data/context.ts'
import { isPast } from '#kernel/values/time/clock.ts'
import { conflict, forbidden, invalid, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { readingOf, settingOf } from '#ports/settings-in-force.ts'
import { staffEntries } from '#modules/identity/staff/entry-queries.ts'
import { assertFinal, IN_ADVANCE, isBefore } from './pay-by-hand.ts'
import type { MovedPayment, Payment, PaymentMove } from './payment.ts'
import { payments } from './payment-records.ts'
import { receiveMovedLater } from './receive-moved.ts'
import { settleInvoice } from './settle-invoice.ts'
import { withdrawPayment } from './withdraw-payment.ts'

type Target = Pick<InvoiceRow, 'status' | 'company' | 'currency' | 'issue_date' | 'finalized_at'>

/** The invoice of another organization, into which the caller needs access of their own; null for their own. */
export async function targetElsewhere(io: IoContext, body: PaymentMove): Promise<Target | null> {
  const { invoice_id, to_organization_id: to = io.organizationId } = body
  if (to === null || to === io.organizationId) return null
  const { caller } = io
  if (caller?.kind !== 'user' || caller.userId === null)
    throw forbidden('person_needed', 'Only a person moves a payment to another organization; no API key may')
  const inside = io.within(to)
  if ((await inside.read(staffEntries.isOpen(to))).length === 0) throw notFound('Organization not found')
  const entry = await settingOf(readingOf(inside), 'vendor', 'staff_entry')
  if (entry === 'reason' && !(await isEntered(inside, caller.userId)))
    throw forbidden(
      'entry_needed',
      `Staff enter an organization with a reason: say it with POST /admin/organizations/${to}/entries`,
    )
  const [invoice] = await inside.read(invoices.stored(to, invoice_id))
  if (!invoice) throw noSuchInvoice()
  return invoice
}

async function isEntered(inside: IoContext, userId: number): Promise<boolean> {
  const end = await first({ ask: inside.read }, staffEntries.lastEnd(inside.organizationId ?? 0, userId))
  return typeof end?.ends_at === 'string' && !isPast(inside, end.ends_at)
}

const noSuchInvoice = () => notFound('The organization has no such invoice')

export async function movePayment(
  ctx: OrganizationContext,
  id: number,
  { body, elsewhere }: { body: PaymentMove; elsewhere: Target | null },
): Promise<MovedPayment> {
  const { invoice_id, to_organization_id: to = ctx.organizationId, reason } = ownBody(ctx, body)
  const payment = await payments.of(ctx, id)
  if (!payment) throw notFound()
  await assertMovable(ctx, payment)
  if (!elsewhere && payment.invoice_id === invoice_id) throw invalid({ invoice_id: 'is the invoice that has it' })
  assertTakes(ctx, payment, elsewhere ?? (await ownTarget(ctx, invoice_id)))
  const moved = await withdrawPayment({ ...ctx, reason: reason ?? ctx.reason ?? null }, payment)
  if (elsewhere) await receiveMovedLater(ctx, { payment_id: id, invoice_id, to_organization_id: to })
  else {
    const { amount, payment_method: method, paid_at } = payment
    await settleInvoice(ctx, invoice_id, { method, amount, paidAt: new Date(paid_at), movedFrom: id })
  }
  const there = await first(ctx, payments.inPlaceOf(ctx.organizationId, id))
  return { ...moved, moved_to_id: there?.id ?? null }
}

async function ownTarget(ctx: OrganizationContext, id: number): Promise<Target> {
  const [invoice] = await ctx.ask(invoices.stored(ctx.organizationId, id))
  if (!invoice) throw noSuchInvoice()
  return invoice
}

async function assertMovable(ctx: OrganizationContext, { id, source, moved_at }: Payment): Promise<void> {
  if (moved_at !== null) throw conflict('payment_moved', 'The payment has been moved already')
  if (source === 'provider')
    throw conflict('payment_not_by_hand', 'The payment provider collected it for its own invoice there: refund it')
  if (source === 'credit_balance')
    throw conflict('payment_not_by_hand', 'It was made from the credit balance: a refund returns it there')
  if (await payments.isRefunded(ctx, id))
    throw conflict('refunded_otherwise', 'The payment has been refunded, or is about to be')
}

/** As `pay` does: what is more than due, or for one that is paid or void, goes to the credit balance. */
function assertTakes(at: { settings: Settings }, payment: Payment, target: Target): void {
  const { company, currency, paid_at } = payment
  if (target.company !== company || target.currency !== currency)
    throw invalid({ invoice_id: `is no invoice of ${company} in ${currency}, as the payment is` })
  assertFinal(target)
  if (isBefore(at, target, new Date(paid_at)))
    throw invalid({ invoice_id: `is of a later day than the payment; ${IN_ADVANCE}` })
}

// POST /invoices/{id}/finalize, /void and /mark-uncollectible. Finalizing sets the number and the recipient; afterwards
// only credit notes correct the invoice.
import { dayIn } from '#kernel/values/time/calendar.ts'
import { move } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { assertPayable } from '#ports/payable-amounts.ts'
import { zoneOf } from '#ports/ports.ts'
import { openCheckoutLater } from '#modules/sales/payments/enqueue-checkout.ts'
import { allocateNumber, dueOn } from './create-invoice.ts'
import { withholdTaxes } from '#modules/sales/tax-withholding/withhold-taxes.ts'
import { type Invoice, invoiceMoves, type InvoiceRow, invoicesTable, OF_LATE_CHARGES } from './invoice.ts'
import { invoices } from './queries.ts'
import { voidInvoice } from './void-invoice.ts'

export async function finalizeInvoice(ctx: OrganizationContext, id: number): Promise<Invoice> {
  const draft = await invoices.forChange(ctx, id)
  if (!allows(invoiceMoves.finalize, draft.status))
    throw conflict('status_not_allowed', `An invoice that is ${draft.status} cannot be finalized`)
  // Where it has a link of its own it is paid elsewhere.
  if (draft.link === null) assertPayable(ctx, draft, { total: draft.total })
  const billing = await invoices.billing(ctx)
  const isImported = draft.number !== `DRAFT-${id}`
  // An import keeps its number and dates. The number is allocated last, because it locks the series.
  const dates = isImported ? draft : datesOf(ctx, draft)
  const withheld = await withheldOfDraft(ctx, draft, { day: dates.issue_date, country: billing.country })
  const issued = isImported ? {} : { ...dates, ...(await allocateNumber(ctx, draft.company)) }
  const finalized_at = ctx.now.toISOString()
  await move(ctx, invoicesTable, id, invoiceMoves.finalize, { ...issued, ...withheld, billing, finalized_at })
  if (draft.link === null) await openCheckoutLater(ctx, id)
  return invoices.afterChange(ctx, id)
}

/** Fine and interest are the price of no service. */
async function withheldOfDraft(
  ctx: OrganizationContext,
  draft: InvoiceRow,
  { day, country }: { day: string; country: string | null },
): Promise<Partial<InvoiceRow>> {
  if (draft.origin === OF_LATE_CHARGES) return {}
  return withholdTaxes(ctx, { ...draft, issue_date: day, country })
}

/** Issued today unless its date is in the future; never due before that. */
function datesOf(ctx: OrganizationContext, { company, issue_date, due_date }: InvoiceRow) {
  const today = dayIn(ctx.now, zoneOf(ctx, company))
  const issueDate = issue_date > today ? issue_date : today
  return { issue_date: issueDate, due_date: due_date < issueDate ? dueOn(issueDate) : due_date }
}

/** 409 for a paid invoice, which is refunded instead. */
export async function voidByHand(ctx: OrganizationContext, id: number): Promise<Invoice> {
  await voidInvoice(ctx, await invoices.forChange(ctx, id))
  return invoices.afterChange(ctx, id)
}

/** The checkout stays open for a late payment. */
export async function giveUpInvoice(ctx: OrganizationContext, id: number): Promise<Invoice> {
  await move(ctx, invoicesTable, id, invoiceMoves.markUncollectible)
  return invoices.afterChange(ctx, id)
}

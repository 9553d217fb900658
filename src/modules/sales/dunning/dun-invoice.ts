// Checks one invoice: suspends or restores the entitlements that it pays for, emits the event when it is overdue,
// reminds the customer, ends the arrears, and sets the time of the next check. May run at any time and any number of
// times.
import { type InvoiceRow, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { addDays, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { zoneOf } from '#ports/ports.ts'
import { propagateEntitlement } from './propagate-entitlement.ts'
import { endArrears, endingOf, noticeOf } from './end-arrears.ts'
import { cases } from './queries.ts'
import { reminderDue } from './reminders.ts'
import { classOf, isLeftAlone, stepsOf, type Terms } from './schedule.ts'
import { arrearsFrom, termsOf } from './terms.ts'

export async function dunInvoice(ctx: OrganizationContext, id: number): Promise<void> {
  // Before anything is locked, where a cluster can still ask the node (docs/scaling.md).
  const entitlements = await invoices.entitlementsOf(ctx, id)
  const invoice = await invoices.forChange(ctx, id)
  if (invoice.status === 'draft') return
  for (const { id: entitlementId } of entitlements) await propagateEntitlement(ctx, entitlementId)
  if (invoice.status !== 'open') return void (await ctx.ask(cases.close(ctx, id)))
  const { terms, heldUntil } = await termsOf(ctx, invoice.company)
  if (isLeftAlone(terms, invoice.due_date)) return void (await ctx.ask(cases.set(ctx, invoice, null)))
  await announceOverdue(ctx, invoice)
  if (heldUntil !== null && heldUntil > ctx.now)
    return void (await ctx.ask(cases.set(ctx, invoice, nextLook(ctx, invoice, { terms, heldUntil }))))
  await remind(ctx, invoice, terms)
  const after = await endArrears(ctx, invoice, { terms, today: todayOf(ctx, invoice) })
  if (after.status === 'open') await ctx.ask(cases.set(ctx, after, nextLook(ctx, after, { terms, heldUntil })))
  else await ctx.ask(cases.close(ctx, id))
}

const todayOf = (ctx: OrganizationContext, { company }: InvoiceRow): string => dayIn(ctx.now, zoneOf(ctx, company))

/** Once for each due date. */
async function announceOverdue(ctx: OrganizationContext, invoice: InvoiceRow): Promise<void> {
  const { id, due_date, overdue_noted } = invoice
  if (due_date >= todayOf(ctx, invoice) || overdue_noted === due_date) return
  await update(ctx, invoicesTable, id, { overdue_noted: due_date }, invoicesTable.events.overdue)
}

/** The day on which the customer got this due date, or learned that the invoice is open again. */
function toldOn(ctx: OrganizationContext, invoice: InvoiceRow): string {
  const { company, issue_date, due_date_changed_at, reopened_at } = invoice
  const days = [due_date_changed_at, reopened_at].flatMap((at) =>
    at === null ? [] : dayIn(new Date(at), zoneOf(ctx, company)),
  )
  return days.toSorted().at(-1) ?? issue_date
}

async function remind(ctx: OrganizationContext, invoice: InvoiceRow, terms: Terms): Promise<void> {
  const { id, reminded_for, reminded_days, line_items } = invoice
  const dueOn = arrearsFrom(ctx, invoice)
  const { reminder_days } = stepsOf(terms, classOf(line_items))
  const reminded = reminded_for === dueOn ? reminded_days : null
  const days = reminderDue(reminder_days, todayOf(ctx, invoice), { toldOn: toldOn(ctx, invoice), dueOn, reminded })
  if (days === null) return
  const values = { reminded_at: ctx.now.toISOString(), reminded_for: dueOn, reminded_days: days }
  await update(ctx, invoicesTable, id, values, invoicesTable.events.reminded)
}

/** The next moment at which there may be something to do; null: none. */
function nextLook(
  ctx: OrganizationContext,
  invoice: InvoiceRow,
  { terms, heldUntil }: { terms: Terms; heldUntil: Date | null },
): Date | null {
  const { company, due_date, line_items } = invoice
  const { reminder_days } = stepsOf(terms, classOf(line_items))
  const ends = [noticeOf(ctx, invoice, terms), endingOf(invoice)].filter((day) => day !== null)
  const steps = reminder_days.map((day) => addDays(arrearsFrom(ctx, invoice), day))
  const days = [addDays(due_date, 1), ...steps, ...ends].map((day) => startOfDay(day, zoneOf(ctx, company)))
  const later = [...days, ...(heldUntil === null ? [] : [heldUntil])].filter((moment) => moment > ctx.now)
  return later.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null
}

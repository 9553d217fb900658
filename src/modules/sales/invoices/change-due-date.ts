// PUT /invoices/{id}/due-date: staff give an open invoice another due date. Dunning and tax invoices follow its event
// (docs/interface/sales.md).
import { type Static, Type } from 'typebox'
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { CalendarDate, Closed, Id } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { assertDateOrder } from './draft-invoice.ts'
import { type Invoice, invoicesTable } from './invoice.ts'
import { invoices } from './queries.ts'
import { replaceCheckout } from './replace-checkout.ts'

export const DueDateChange = Closed({
  organization_id: Type.Optional(Id),
  due_date: { ...CalendarDate, description: 'Today or later, by the calendar of the legal entity' },
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Kept in the audit log',
    examples: ['Payment plan agreed on'],
  }),
})
export type DueDateChange = Static<typeof DueDateChange>

export async function changeDueDate(ctx: OrganizationContext, id: number, body: DueDateChange): Promise<Invoice> {
  const { due_date, reason } = ownBody(ctx, body)
  const invoice = await invoices.forChange(ctx, id)
  const { status, company, issue_date } = invoice
  if (status !== 'open') throw conflict('status_not_allowed', `An invoice that is ${status} gets no other due date`)
  assertDateOrder(issue_date, due_date)
  if (due_date < dayIn(ctx.now, zoneOf(ctx, company))) throw invalid({ due_date: 'must not have passed' })
  if (due_date === invoice.due_date) throw invalid({ due_date: 'is its due date already' })
  const values = { due_date, due_date_changed_at: ctx.now.toISOString() }
  await update({ ...ctx, reason }, invoicesTable, id, values, invoicesTable.events.due_date_changed)
  await replaceCheckout(ctx, invoice)
  return invoices.afterChange(ctx, id)
}

// POST, PUT and PATCH /invoices: staff create invoices by hand and change drafts.
import { together } from '#kernel/values/validation/problems.ts'
import { usualCompany } from '#kernel/values/company.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { insert, update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { allows } from '#kernel/data/moves.ts'
import { ownBody } from '#http/organization-body.ts'
import { isIntegrationOnly } from '#kernel/values/integration.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { dueOn, untouched } from './create-invoice.ts'
import { finalizeInvoice } from './finalize-invoice.ts'
import { type Invoice, type InvoiceChange, invoiceMoves, invoicesTable, type NewInvoice } from './invoice.ts'
import { billedOf, IMPORT } from './invoice-lines.ts'
import { invoices } from './queries.ts'

export async function draftInvoice(ctx: OrganizationContext, body: NewInvoice): Promise<Invoice> {
  const { status = 'draft', number, line_items, total, total_cents, currency, ...given } = ownBody(ctx, body)
  const [company, billed] = await together(
    () => companyFor(ctx, body),
    () => billedOf(ctx, { line_items, total, total_cents }, currency),
  )
  if (number !== undefined && (await invoices.isTaken(ctx, company, number)))
    throw conflict('number_taken', `There is an invoice ${number} already`)
  const issue_date = given.issue_date ?? dayIn(ctx.now, zoneOf(ctx, company))
  const due_date = given.due_date ?? dueOn(issue_date)
  assertDateOrder(issue_date, due_date)
  const { id } = await one(ctx, invoices.nextId())
  await insert(ctx, invoicesTable, {
    ...given,
    // An invoice with a number was issued elsewhere.
    ...(number !== undefined && { origin: IMPORT }),
    ...billed,
    ...untouched(currency),
    id,
    number: number ?? `DRAFT-${id}`,
    status: 'draft',
    company,
    currency,
    issue_date,
    due_date,
    user_id: ctx.caller.userId,
  })
  if (status === 'open') await finalizeInvoice(ctx, id)
  return invoices.afterChange(ctx, id)
}

export async function changeDraft(ctx: OrganizationContext, id: number, body: InvoiceChange): Promise<Invoice> {
  const { line_items, total, total_cents, ...given } = ownBody(ctx, body)
  const draft = await invoices.forChange(ctx, id)
  if (isIntegrationOnly(ownBody(ctx, body))) {
    await update(ctx, invoicesTable, id, given)
    return invoices.afterChange(ctx, id)
  }
  if (!allows(invoiceMoves.finalize, draft.status))
    throw conflict('status_not_allowed', `An invoice that is ${draft.status} can no longer be edited`)
  const isRepriced = line_items !== undefined || total !== undefined || total_cents !== undefined
  const currency = given.currency ?? draft.currency
  if (currency !== draft.currency && (draft.order_id !== null || !isRepriced))
    throw invalid({
      currency: draft.order_id === null ? 'changes with total or line_items only' : 'is that of the order',
    })
  const issueDate = given.issue_date ?? draft.issue_date
  assertDateOrder(issueDate, given.due_date ?? draft.due_date)
  const billed = isRepriced
    ? { ...(await billedOf(ctx, { line_items, total, total_cents }, currency)), ...untouched(currency) }
    : {}
  await update(ctx, invoicesTable, id, { ...given, ...billed }, invoicesTable.events.redrafted)
  return invoices.afterChange(ctx, id)
}

/** The order's legal entity, else the body's, else the header's, else that of the customer's country. */
async function companyFor(ctx: OrganizationContext, { order_id, company, currency }: NewInvoice): Promise<Company> {
  if (typeof order_id === 'number') {
    const order = await invoices.orderOf(ctx, order_id)
    if (company !== undefined && company !== order.company)
      throw invalid({ company: `is ${order.company} of the order` })
    if (currency !== order.currency) throw invalid({ currency: `is ${order.currency} of the order` })
    return order.company
  }
  if (company ?? ctx.company) return company ?? ctx.company ?? 'entity_br'
  return usualCompany((await invoices.billing(ctx)).country)
}

export function assertDateOrder(issueDate: string, dueDate: string): void {
  if (dueDate < issueDate) throw invalid({ due_date: 'must not lie before issue_date' })
}

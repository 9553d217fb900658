// POST /invoices/{id}/remind: staff remind the customer now, whatever the schedule says. Its steps go on as before.
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { type Invoice, invoicesTable } from './invoice.ts'
import { invoices } from './queries.ts'

const PAUSE_MS = 3_600_000

export async function remindNow(ctx: OrganizationContext, id: number): Promise<Invoice> {
  const { status, amount_due, currency, reminded_at } = await invoices.forChange(ctx, id)
  if (status !== 'open' || parseMoney(amount_due, currency) === 0n)
    throw conflict('status_not_allowed', 'Nothing of this invoice has to be paid')
  if (reminded_at !== null && ctx.now.getTime() - Date.parse(reminded_at) < PAUSE_MS)
    throw conflict('reminded_lately', 'The customer was reminded less than an hour ago')
  await update(ctx, invoicesTable, id, { reminded_at: ctx.now.toISOString() }, invoicesTable.events.reminded)
  return invoices.afterChange(ctx, id)
}

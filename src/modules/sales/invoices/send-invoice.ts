// POST /invoices/{id}/send: mails an open invoice again, to those who get such mails now.
import { announce } from '#modules/messages/notifications/announce.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { invoiceOpen } from './announcements.ts'
import type { Invoice } from './invoice.ts'
import { invoices } from './queries.ts'

export async function sendInvoice(ctx: OrganizationContext, id: number): Promise<Invoice> {
  const { status } = await invoices.forChange(ctx, id)
  if (status !== 'open') throw conflict('status_not_allowed', `An invoice that is ${status} is not sent`)
  await announce(ctx, invoiceOpen, id)
  return invoices.afterChange(ctx, id)
}

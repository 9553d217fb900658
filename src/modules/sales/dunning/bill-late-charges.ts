// POST /invoices/{id}/late-charges: their invoice, open at once.
import { Type, type Static } from 'typebox'
import { isBrazil } from '#kernel/values/company.ts'
import { draftInvoice } from '#modules/sales/invoices/draft-invoice.ts'
import { finalizeInvoice } from '#modules/sales/invoices/finalize-invoice.ts'
import { type Invoice, invoicesTable, OF_LATE_CHARGES } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { Closed, Id } from '#kernel/values/schema.ts'
import { textsIn } from '#texts/catalogue.ts'
import { chargeFacts } from './late-charge-queries.ts'
import { chargesWith } from './late-charges-of.ts'

export const LateChargesBill = Closed({ organization_id: Type.Optional(Id) })

/** Bills what was not billed before; the invoice itself stays as it is. */
export async function billLateCharges(
  ctx: OrganizationContext,
  id: number,
  body: Static<typeof LateChargesBill>,
): Promise<Invoice> {
  ownBody(ctx, body)
  const { company, number } = await invoices.forChange(ctx, id)
  const { due, currency, days_overdue } = chargesWith(await one(ctx, chargeFacts(ctx.organizationId, id)), ctx)
  if (parseMoney(due, currency) === 0n) throw conflict('no_late_charges', 'There are no late charges to bill')
  const { country } = await invoices.billing(ctx)
  const { lateCharges } = textsIn(isBrazil(country) ? 'pt-BR' : 'en').documents.invoice
  const product_name = lateCharges(number, days_overdue)
  const line_items = [{ product_name, quantity: 1, unit_price: due }]
  const draft = await draftInvoice(ctx, { company, currency, line_items, origin: OF_LATE_CHARGES })
  await update(ctx, invoicesTable, draft.id, { late_charges_of: id }, invoicesTable.events.redrafted)
  return finalizeInvoice(ctx, draft.id)
}

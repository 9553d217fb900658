// POST /tax-invoices/{id}/retry: sends a tax invoice again under its number. If the authority may have it, the stored
// declaration is sent, after a question; if it cannot have it, a new one is made from today's profile and recipient.
import { move } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { fiscalProfileOn } from '#ports/fiscal-profiles.ts'
import { allows } from '#kernel/data/moves.ts'
import { codesFor } from '#modules/sales/municipal-parameters/service-codes.ts'
import { coverageOf, createTaxInvoice, NO_PROFILE, NO_SERVICE } from './create-tax-invoices.ts'
import { declarable, linesOf } from './declared-amounts.ts'
import type { Rules } from './open-tax-invoices.ts'
import { describePart, keptService, keyOf, type Part, partsOf, linesIn } from './invoice-parts.ts'
import { type Live, taxInvoices } from './queries.ts'
import { recipientFrom } from './recipient.ts'
import { type TaxInvoiceRow, taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'
import { prepareLater, sendLater } from './declaration-jobs.ts'

export async function retryTaxInvoice(ctx: OrganizationContext, id: number, rules: Rules): Promise<void> {
  const row = await taxInvoices.forChange(ctx, id)
  if (!allows(taxInvoiceMoves.retry, row.status))
    throw conflict('status_not_allowed', `A tax invoice that is ${row.status} cannot be retried`)
  if (!rules.isConfigured) throw conflict('not_configured', 'No tax authority is configured')
  if (row.substatus === 'refused' || row.declaration_xml === null) return declareAnew(ctx, row)
  await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.retry, { error_code: null, error_message: null })
  await sendLater(ctx, id)
}

/**
 * The profile may group the lines differently now: this row keeps the first group, the others get rows of their own.
 */
async function declareAnew(ctx: OrganizationContext, row: TaxInvoiceRow): Promise<void> {
  const profile = await fiscalProfileOn(ctx, row.competence)
  const invoice = await first(ctx, taxInvoices.invoice(ctx.organizationId, row.invoice_id))
  if (!invoice) throw notFound()
  if (invoice.status === 'void') throw conflict('invoice_void', 'The invoice is void: cancel it')
  if (profile === null) throw conflict('fiscal_profile_missing', NO_PROFILE.error_message)
  // Without the one that it is to replace, which will not be in force beside it.
  const replaced = [row.id, row.replaces_id]
  const others = (await taxInvoices.liveOf(ctx, row.invoice_id)).filter(({ id }) => !replaced.includes(id))
  const lines = linesOf(invoice, row)
  const total = declarable(invoice, row, others)
  const codes = await codesFor(ctx, linesIn(lines), { profile, competence: row.competence })
  const parts = partsOf(lines, total, codes)
  const [part, ...more] = parts
  if (!part) throw conflict('fully_credited', 'Credit notes cover all of it: cancel it')
  if (parts.some(({ service }) => service === null)) throw conflict('service_code_missing', NO_SERVICE.error_message)
  if (row.replaces_id !== null && more.length > 0)
    throw conflict(
      'several_service_codes',
      'The lines have several service codes by now: cancel this one, and issue anew',
    )
  assertNotDeclaredTwice(parts, others)
  await move(ctx, taxInvoicesTable, row.id, taxInvoiceMoves.retry, {
    ...coverageOf(invoice, part, codes),
    ...(more.length > 0 && { description: describePart(part, invoice.number) }),
    recipient: recipientFrom(await taxInvoices.recipient(ctx)),
    declaration_xml: null,
  })
  await prepareLater(ctx, row.id)
  for (const other of more) await createTaxInvoice(ctx, invoice, other, { codes, competence: row.competence })
}

function assertNotDeclaredTwice(parts: readonly Part[], others: readonly Live[]): void {
  const keys = parts.map(({ service }) => keyOf(service))
  const double = others.find((other) => keys.includes(keyOf(keptService(other))))
  if (double)
    throw conflict(
      'already_declared',
      `Tax invoice ${double.id} of the same invoice has the service code ${double.service_code} already`,
    )
}

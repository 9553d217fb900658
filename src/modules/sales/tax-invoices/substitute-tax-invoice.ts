// POST /tax-invoices/{id}/substitute: creates a successor with a number of its own. The old one stays in force until
// the successor is issued (send-declaration.ts), and permanently if it never is.
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { fiscalProfileOn } from '#ports/fiscal-profiles.ts'
import { ownBody } from '#http/organization-body.ts'
import { assertFree } from './cancel-tax-invoice.ts'
import { codesFor } from '#modules/sales/municipal-parameters/service-codes.ts'
import { createTaxInvoice, NO_PROFILE, NO_SERVICE } from './create-tax-invoices.ts'
import { declarable, linesOf } from './declared-amounts.ts'
import type { Rules } from './open-tax-invoices.ts'
import { partsOf, linesIn } from './invoice-parts.ts'
import { taxInvoices } from './queries.ts'
import { reasonFrom } from './cancellation-reason.ts'
import { type Substitution, type TaxInvoiceRow, taxInvoicesTable } from './tax-invoice.ts'

export async function substituteTaxInvoice(
  ctx: OrganizationContext,
  id: number,
  body: Substitution,
  { isConfigured }: Rules,
): Promise<TaxInvoiceRow> {
  const { reason_code, reason, description } = ownBody(ctx, body)
  const old = await taxInvoices.forChange(ctx, id)
  if (old.status !== 'issued')
    throw conflict('status_not_allowed', `A tax invoice that is ${old.status} cannot be replaced`)
  await assertFree(ctx, old)
  if (!isConfigured) throw conflict('not_configured', 'No tax authority is configured')
  const profile = await fiscalProfileOn(ctx, old.competence)
  if (profile === null) throw conflict('fiscal_profile_missing', NO_PROFILE.error_message)
  const invoice = await first(ctx, taxInvoices.invoice(ctx.organizationId, old.invoice_id))
  if (!invoice) throw notFound()
  if (invoice.status === 'void') throw conflict('invoice_void', 'The invoice is void: cancel it')
  const lines = linesOf(invoice, old)
  const others = (await taxInvoices.liveOf(ctx, old.invoice_id)).filter((other) => other.id !== id)
  const total = declarable(invoice, old, others)
  const codes = await codesFor(ctx, linesIn(lines), { profile, competence: old.competence })
  const [part, ...more] = partsOf(lines, total, codes)
  if (!part) throw conflict('fully_credited', 'Credit notes cover all of it: cancel it')
  if (part.service === null) throw conflict('service_code_missing', NO_SERVICE.error_message)
  if (more.length > 0)
    throw conflict(
      'several_service_codes',
      'The lines have several service codes by now: cancel this one, and issue anew',
    )
  const why = { cancel_reason_code: reason_code, cancel_reason: reasonFrom(reason) }
  const none = { substatus: null, error_code: null, error_message: null }
  await update(ctx, taxInvoicesTable, id, { ...why, ...none }, taxInvoicesTable.events.substituting)
  return createTaxInvoice(ctx, invoice, part, {
    codes,
    competence: old.competence,
    description: description ?? old.description,
    replaces: id,
  })
}

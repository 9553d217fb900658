// Issues the tax invoices of a paid invoice: by a job after the payment, and by staff (POST /tax-invoices).
import { creditable } from '#areas/invoices/sums.ts'
import { first, type IoContext, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/http/errors.ts'
import { eventJobKind } from '#kernel/jobs/job-kinds.ts'
import { PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { ownBody } from '#kernel/http/organization-body.ts'
import type { FiscalProfile } from '#ports/tax-authority.ts'
import '#ports/ports.ts'
import { competenceOf, createTaxInvoices, undeclaredOf } from './create-tax-invoices.ts'
import { type BilledInvoice, taxInvoices } from './queries.ts'
import type { NewTaxInvoice, TaxInvoiceRow } from './tax-invoice.ts'

/** What the port knows, read before the transaction. */
export type Rules = { isConfigured: boolean; profile: FiscalProfile | null }

/** With the profile that was valid on the day of the payment. */
export async function rulesFor({ read, ports, organizationId }: IoContext, invoiceId: number): Promise<Rules> {
  const { taxAuthority } = ports
  const [invoice] = await read(taxInvoices.invoice(organizationId ?? 0, invoiceId))
  const competence = invoice ? competenceOf(ports, invoice) : null
  return {
    isConfigured: taxAuthority !== null,
    profile: taxAuthority === null || competence === null ? null : taxAuthority.profileAt(competence),
  }
}

/** The rules for an existing tax invoice, which keeps its competence. */
export async function rulesOf({ read, ports, organizationId }: IoContext, id: number): Promise<Rules> {
  const [row] = await read(taxInvoices.row(organizationId ?? 0, id))
  return {
    isConfigured: ports.taxAuthority !== null,
    profile: (row && ports.taxAuthority?.profileAt(row.competence)) ?? null,
  }
}

/** Why the invoice gets no tax invoice; null if it gets one. */
function obstacleOf(invoice: BilledInvoice, { isConfigured }: Rules): string | null {
  if (!isConfigured) return 'No tax authority is configured'
  if (invoice.company !== 'entity_br') return 'Only invoices of entity_br have tax invoices'
  if (invoice.status !== 'paid') return `The invoice is ${invoice.status}; only a paid one has tax invoices`
  if (invoice.currency !== 'BRL') return `The invoice is in ${invoice.currency}; tax invoices are in BRL`
  if (creditable(invoice) === 0n)
    return 'Nothing is billed by the invoice, or nothing of it is left after its credit notes'
  return null
}

/** POST /tax-invoices: for what has no live tax invoice yet. */
export async function issueTaxInvoices(
  ctx: OrganizationContext,
  body: NewTaxInvoice,
  rules: Rules,
): Promise<TaxInvoiceRow[]> {
  const { invoice_id, description } = ownBody(ctx, body)
  const invoice = await first(ctx, taxInvoices.invoice(ctx.organizationId, invoice_id))
  if (!invoice) throw notFound('The organization has no such invoice')
  const obstacle = obstacleOf(invoice, rules)
  if (obstacle !== null) throw conflict(obstacle)
  const competence = competenceOf(ctx, invoice)
  const undeclared = undeclaredOf(invoice, await taxInvoices.liveOf(ctx, invoice.id))
  if (competence === null || parseMoney(undeclared.total, 'BRL') === 0n)
    throw conflict('All lines of the invoice have tax invoices already')
  return createTaxInvoices(ctx, invoice, undeclared, { profile: rules.profile, competence, description })
}

export const openTaxInvoices = eventJobKind('tax-invoices/open')

/** Does nothing if the invoice has, or had, any tax invoice: then staff decide. */
export const openTaxInvoicesJob = organizationJob(openTaxInvoices, {
  before: (io, { payload }) => rulesFor(io, payload.resource_id),
  run: async (ctx, { payload }, rules) => {
    const invoice = await first(ctx, taxInvoices.invoice(ctx.organizationId, payload.resource_id))
    if (!invoice || invoice.company !== 'entity_br' || !rules.isConfigured) return
    if (invoice.currency !== 'BRL')
      throw new PermanentFailure(
        `invoice ${invoice.number} is in ${invoice.currency}: its tax invoice has to be issued by hand`,
      )
    const competence = competenceOf(ctx, invoice)
    if (competence === null || obstacleOf(invoice, rules) !== null) return
    if (await taxInvoices.hasAny(ctx, invoice.id)) return
    await createTaxInvoices(ctx, invoice, undeclaredOf(invoice, []), { profile: rules.profile, competence })
  },
})

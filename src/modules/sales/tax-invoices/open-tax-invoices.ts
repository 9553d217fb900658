// Issues the tax invoices of an invoice: by a job when their day has come, and by staff (POST /tax-invoices).
import { OF_LATE_CHARGES } from '#modules/sales/invoices/invoice.ts'
import { creditable } from '#modules/sales/invoices/sums.ts'
import { first, type IoContext, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { eventJobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, PermanentFailure, organizationJob } from '#kernel/jobs/jobs.ts'
import { dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { ownBody } from '#http/organization-body.ts'
import { fiscalProfileOn } from '#ports/fiscal-profiles.ts'
import { zoneOf } from '#ports/ports.ts'
import { competenceOf, createTaxInvoices } from './create-tax-invoices.ts'
import { undeclaredOf } from './declared-amounts.ts'
import { issueDayOf } from './issue-day.ts'
import { type BilledInvoice, taxInvoices } from './queries.ts'
import type { NewTaxInvoice, TaxInvoiceRow } from './tax-invoice.ts'

/** What the port knows, for the transaction. */
export type Rules = { isConfigured: boolean }

export const rulesOf = async ({ ports: { taxAuthority } }: IoContext): Promise<Rules> => ({
  isConfigured: taxAuthority !== null,
})

const isBilled = ({ status }: BilledInvoice): boolean => status === 'open' || status === 'paid'

/** Why the invoice gets no tax invoice; null if it gets one. */
function obstacleOf(invoice: BilledInvoice, { isConfigured }: Rules): string | null {
  if (!isConfigured) return 'No tax authority is configured'
  if (invoice.company !== 'entity_br') return 'Only invoices of entity_br have tax invoices'
  if (!isBilled(invoice)) return `The invoice is ${invoice.status}; only an open or a paid one gets tax invoices`
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
  const invoice = await taxInvoices.invoiceForChange(ctx, invoice_id)
  if (!invoice) throw notFound('The organization has no such invoice')
  const obstacle = obstacleOf(invoice, rules)
  if (obstacle !== null) throw conflict('not_taxable', obstacle)
  const undeclared = undeclaredOf(invoice, await taxInvoices.liveOf(ctx, invoice.id))
  if (parseMoney(undeclared.total, 'BRL') === 0n)
    throw conflict('already_declared', 'All lines of the invoice have tax invoices already')
  const competence = competenceOf(ctx, invoice)
  const profile = await fiscalProfileOn(ctx, competence)
  return createTaxInvoices(ctx, invoice, undeclared, { profile, competence, description })
}

export const openTaxInvoices = eventJobKind('tax-invoices/open')

/**
 * After each event of an invoice that may bring its day; enqueues itself for a day to come. Does nothing if the invoice
 * has, or had, any tax invoice: then staff decide.
 */
export const openTaxInvoicesJob = organizationJob(openTaxInvoices, {
  before: rulesOf,
  run: async (ctx, { payload }, rules) => {
    const seen = await first(ctx, taxInvoices.invoice(ctx.organizationId, payload.resource_id))
    if (!seen || seen.company !== 'entity_br' || !isBilled(seen) || !rules.isConfigured) return
    // Fine and interest are no service, and what was paid to another system was declared by it; staff may declare them.
    if (seen.origin === OF_LATE_CHARGES || seen.is_history || (await taxInvoices.hasAny(ctx, seen.id))) return
    const day = await issueDayOf(ctx, seen)
    if (day === null) return
    const zone = zoneOf(ctx, 'entity_br')
    // Without a key: a job that waits would hold up the one of the payment.
    if (day > dayIn(ctx.now, zone)) return enqueue(ctx, openTaxInvoices, payload, { runAt: startOfDay(day, zone) })
    if (seen.currency !== 'BRL')
      throw new PermanentFailure(
        `invoice ${seen.number} is in ${seen.currency}: its tax invoice has to be issued by hand`,
      )
    const invoice = await taxInvoices.invoiceForChange(ctx, seen.id)
    if (!invoice || obstacleOf(invoice, rules) !== null) return
    const competence = competenceOf(ctx, invoice)
    const terms = { profile: await fiscalProfileOn(ctx, competence), competence }
    await createTaxInvoices(ctx, invoice, undeclaredOf(invoice, []), terms)
  },
})

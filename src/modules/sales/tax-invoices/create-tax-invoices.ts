// Creates the rows of tax invoices: what is to be declared, with the current profile and recipient, and the number.
import { soldOn } from '#modules/sales/invoices/sold-on.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { insert } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { rowsOf } from '#modules/sales/municipal-parameters/known-parameters.ts'
import { type Codes, codesFor } from '#modules/sales/municipal-parameters/service-codes.ts'
import { nextNumber } from '#modules/documents/documents-of-record/number-series.ts'
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'
import { zoneOf } from '#ports/ports.ts'
import { codeOf, describePart, type Part, partsOf, linesIn } from './invoice-parts.ts'
import { declaredTaxes } from './declared-taxes.ts'
import { prepareLater } from './declaration-jobs.ts'
import type { UndeclaredPart } from './declared-amounts.ts'
import { type BilledInvoice, taxInvoices } from './queries.ts'
import { recipientFrom, storable } from './recipient.ts'
import { type TaxInvoiceRow, taxInvoicesTable } from './tax-invoice.ts'

/** The layouts want a numeric series. A restore of a backup begins the next one. */
const FIRST_SERIES = '1'

/**
 * The competence, which decides the tax rules: the day of the payment, never before that of the sale; today for what is
 * issued before it.
 */
export function competenceOf(ctx: OrganizationContext, invoice: BilledInvoice): string {
  const { payment_date, paid_at } = invoice
  const day = payment_date ?? dayIn(paid_at === null ? ctx.now : new Date(paid_at), zoneOf(ctx, 'entity_br'))
  const sold = soldOn(ctx, invoice)
  return day < sold ? sold : day
}

export type Terms = {
  profile: FiscalProfile | null
  competence: string
  description?: string | undefined
  replaces?: number
}

export async function createTaxInvoices(
  ctx: OrganizationContext,
  invoice: BilledInvoice,
  { lines, total }: UndeclaredPart,
  terms: Terms,
): Promise<TaxInvoiceRow[]> {
  const made: TaxInvoiceRow[] = []
  const codes = await codesFor(ctx, linesIn(lines), terms)
  for (const part of partsOf(lines, total, codes))
    made.push(await createTaxInvoice(ctx, invoice, part, { ...terms, codes }))
  return made
}

/** The number is allocated last, so that the lock on the series is short. */
export async function createTaxInvoice(
  ctx: OrganizationContext,
  invoice: BilledInvoice,
  part: Part,
  { codes, competence, description, replaces }: Omit<Terms, 'profile'> & { codes: Codes },
): Promise<TaxInvoiceRow> {
  const recipient = recipientFrom(await taxInvoices.recipient(ctx))
  const { series, last } = await one(ctx, nextNumber('tax_declaration', 'entity_br', FIRST_SERIES))
  const row = await insert(ctx, taxInvoicesTable, {
    invoice_id: invoice.id,
    order_id: invoice.order_id,
    company: 'entity_br',
    currency: 'BRL',
    description: description === undefined ? describePart(part, invoice.number) : storable(description).trim(),
    series,
    rps_number: last,
    competence,
    recipient,
    replaces_id: replaces ?? null,
    ...coverageOf(invoice, part, codes),
  })
  if (row.status === 'pending') await prepareLater(ctx, row.id)
  return row
}

/** The columns of a part. Without a profile, or a service code in it, the row is an error from the start. */
export function coverageOf(invoice: BilledInvoice, part: Part, { profile, known }: Codes): Partial<TaxInvoiceRow> {
  const { service, lines, total } = part
  const common = {
    total,
    profile,
    withheld: declaredTaxes(invoice, part),
    ...rowsOf(known, service),
    line_items: lines.map(({ line }) => line),
    line_numbers: lines.map(({ number }) => number),
  }
  if (profile !== null && service !== null)
    return {
      ...common,
      service_code: codeOf(service),
      nbs_code: service.nbs ?? null,
      iss_rate: service.iss_rate ?? null,
      status: 'pending',
      substatus: 'queued',
      error_code: null,
      error_message: null,
    }
  return {
    ...common,
    service_code: null,
    nbs_code: null,
    iss_rate: null,
    status: 'error',
    substatus: 'undeclarable',
    ...(profile === null ? NO_PROFILE : NO_SERVICE),
  }
}

export const NO_PROFILE = {
  error_code: 'NO_FISCAL_PROFILE',
  error_message:
    'No fiscal profile is valid on the day of competence. Configure one with a `valid_from` that is not ' +
    'after that day, restart, then retry.',
}
export const NO_SERVICE = {
  error_code: 'NO_SERVICE_CODE',
  error_message:
    'The fiscal profile has a service code neither for the class of these lines nor as `default`. Configure ' +
    'one, restart, then retry.',
}

// GET and POST /invoices/{id}/late-charges: fine and interest as of today, or of the day of the payment, and their
// invoice.
import { Type, type Static } from 'typebox'
import { isBrazil } from '#kernel/values/company.ts'
import { draftInvoice } from '#modules/sales/invoices/draft-invoice.ts'
import { finalizeInvoice } from '#modules/sales/invoices/finalize-invoice.ts'
import { type Invoice, invoicesTable, OF_LATE_CHARGES, type StoredInvoice } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { type PaidAmount, paidOf } from '#modules/sales/payments/paid-of.ts'
import { update } from '#kernel/data/changes.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { dayIn, daysBetween } from '#kernel/values/time/calendar.ts'
import { formatMoney, parseMoney, sum as sumOf } from '#kernel/values/money.ts'
import { CalendarDate, Closed, Currency, Id, Money, Nullable, Percent } from '#kernel/values/schema.ts'
import { type Configured, zoneOf } from '#ports/ports.ts'
import { textsIn } from '#texts/catalogue.ts'
import { chargesOnParts, type Part } from './late-charges.ts'
import { schedules } from './queries.ts'
import type { Terms } from './schedule.ts'

export const LateCharges = Type.Object(
  {
    invoice_id: Id,
    as_of: { ...CalendarDate, description: 'Today, or the day of the payment' },
    days_overdue: Type.Integer({ minimum: 0, examples: [12] }),
    currency: Currency,
    base: { ...Money, description: 'What is due, with what was paid after the due date' },
    fine_percent: Nullable(Percent),
    fine: Money,
    monthly_interest_percent: Nullable(Percent),
    interest: Money,
    total: Money,
    billed: { ...Money, description: 'What invoices of their own have billed of it already' },
    due: { ...Money, description: 'The rest, which can be billed' },
  },
  { description: 'Fine and interest on an invoice that is overdue, or was paid late' },
)
export type LateCharges = Static<typeof LateCharges>

export const LateChargesBill = Closed({ organization_id: Type.Optional(Id) })

type Facts = {
  now: Date
  settings: Configured
  invoice: StoredInvoice
  terms: readonly Terms[]
  paid: readonly PaidAmount[]
  billed: string
}

export const lateChargesOf = (org: number, id: number): ReadPlan<LateCharges> =>
  parts(
    [invoices.stored(org, id), schedules.all(), invoices.lateChargesBilled(org, id), paidOf(org, id)],
    ([[invoice], terms, [sum], paid], { now, ports: { settings } }) => {
      if (!invoice) throw notFound()
      return chargesWith({ now, settings, invoice, terms, paid, billed: sum?.billed ?? '0' })
    },
  )

/** None on a draft, on what is void, and on late charges themselves. */
function chargesWith({ now, settings, invoice, terms, paid, billed }: Facts): LateCharges {
  const { id, company, currency, status, due_date: dueOn, payment_date } = invoice
  const schedule = terms.find((of) => of.company === company)?.schedule
  const isPaid = status === 'paid'
  const as_of = (isPaid ? payment_date : null) ?? dayIn(now, zoneOf({ settings }, company))
  const isCharged = ['open', 'uncollectible', 'paid'].includes(status) && invoice.late_charges_of === null
  const portions = isCharged ? partsOf(invoice, paid, as_of) : []
  const isLate = as_of > dueOn
  const base = sumOf(portions.flatMap(({ amount, on }) => (isLate && on <= dueOn ? [] : amount)))
  const { fine, interest } = schedule ? chargesOnParts(portions, dueOn, schedule) : { fine: 0n, interest: 0n }
  const days = Math.max(0, daysBetween(dueOn, as_of))
  const minor = parseMoney(billed, currency)
  const rest = fine + interest - minor
  const money = (amount: bigint) => formatMoney(amount, currency)
  return {
    invoice_id: id,
    as_of,
    days_overdue: days,
    currency,
    base: money(base),
    fine_percent: schedule?.fine_percent ?? null,
    fine: money(fine),
    monthly_interest_percent: schedule?.monthly_interest_percent ?? null,
    interest: money(interest),
    total: money(fine + interest),
    billed: money(minor),
    due: money(rest > 0n ? rest : 0n),
  }
}

/** What was paid on each day, less what was refunded, the latest first, and what is due as of that day. */
function partsOf(
  { currency, amount_due, amount_refunded }: StoredInvoice,
  paid: readonly PaidAmount[],
  asOf: string,
): Part[] {
  let refunded = parseMoney(amount_refunded, currency)
  const portions = paid.map((payment) => {
    const amount = parseMoney(payment.amount, currency)
    const left = amount > refunded ? amount - refunded : 0n
    refunded -= amount - left
    return { amount: left, on: payment.on }
  })
  return [...portions, { amount: parseMoney(amount_due, currency), on: asOf }]
}

/** Bills what was not billed before; the invoice itself stays as it is. */
export async function billLateCharges(
  ctx: OrganizationContext,
  id: number,
  body: Static<typeof LateChargesBill>,
): Promise<Invoice> {
  ownBody(ctx, body)
  await invoices.forChange(ctx, id)
  const { organizationId: org, now, settings } = ctx
  const invoice = await one(ctx, invoices.stored(org, id))
  const { billed } = await one(ctx, invoices.lateChargesBilled(org, id))
  const { due, currency, days_overdue } = chargesWith({
    now,
    settings,
    invoice,
    terms: await ctx.ask(schedules.all()),
    paid: await ctx.ask(paidOf(org, id)),
    billed,
  })
  if (parseMoney(due, currency) === 0n) throw conflict('no_late_charges', 'There are no late charges to bill')
  const { country } = await invoices.billing(ctx)
  const { lateCharges } = textsIn(isBrazil(country) ? 'pt-BR' : 'en').documents.invoice
  const product_name = lateCharges(invoice.number, days_overdue)
  const { company } = invoice
  const line_items = [{ product_name, quantity: 1, unit_price: due }]
  const draft = await draftInvoice(ctx, { company, currency, line_items, origin: OF_LATE_CHARGES })
  await update(ctx, invoicesTable, draft.id, { late_charges_of: id }, invoicesTable.events.redrafted)
  return finalizeInvoice(ctx, draft.id)
}

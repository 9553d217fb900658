// The day on which an invoice gets its tax invoices, by the rules of the legal entity, the products and the
// organization (docs/decisions/0055).
import { taxTermsOf } from '#modules/delivery/products/offers.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { addDays, dayIn, dayOfNextMonth } from '#kernel/values/time/calendar.ts'
import { zoneOf } from '#ports/ports.ts'
import { settingOf } from '#ports/settings-in-force.ts'
import { productsIn } from '#modules/sales/municipal-parameters/service-codes.ts'
import { type BilledInvoice, taxInvoices } from './queries.ts'

/** The earliest day that a line's rule gives, since an invoice is declared as one; null before its payment decides. */
export async function issueDayOf(ctx: OrganizationContext, invoice: BilledInvoice): Promise<string | null> {
  const days = daysOf(invoice, zoneOf(ctx, 'entity_br'))
  const rules = await rulesFor(ctx, invoice)
  return earliest(...rules.map((rule) => dayBy(rule, days)))
}

/** Whoever pays only against the tax invoice gets it first, whatever else is agreed. */
async function rulesFor(ctx: OrganizationContext, { line_items }: BilledInvoice): Promise<string[]> {
  const { requires_invoice_for_payment, tax_issue_rule } = await one(ctx, taxInvoices.agreedRule(ctx.organizationId))
  if (requires_invoice_for_payment) return ['on_finalize']
  if (tax_issue_rule !== null) return [tax_issue_rule]
  const [taxIssueRule, terms] = await Promise.all([
    settingOf(ctx, 'entity_br', 'tax_issue_rule'),
    taxTermsOf(ctx, productsIn(line_items)),
  ])
  const ofLines = line_items.map(({ product_id }) => terms.get(product_id ?? 0)?.tax_issue_rule ?? taxIssueRule)
  return ofLines.length === 0 ? [taxIssueRule] : [...new Set(ofLines)]
}

type Days = Record<'issued' | 'finalized' | 'due', string> & { paid: string | null }

function daysOf({ issue_date, due_date, finalized_at, paid_at, payment_date }: BilledInvoice, zone: string): Days {
  const dayOf = (moment: string | null) => (moment === null ? null : dayIn(new Date(moment), zone))
  return {
    issued: issue_date,
    finalized: dayOf(finalized_at) ?? issue_date,
    due: due_date,
    paid: payment_date ?? dayOf(paid_at),
  }
}

/** `TaxIssueRule` as a day. */
export function dayBy(rule: string, { issued, finalized, due, paid }: Days): string | null {
  const [when = 'on_payment', number] = rule.split(':')
  switch (when) {
    case 'on_finalize':
      return finalized
    case 'days_before_due':
      // Never after the payment.
      return earliest(addDays(due, -Number(number)), paid)
    case 'next_month_day':
      return dayOfNextMonth(issued, Number(number))
    default:
      return paid
  }
}

const earliest = (...days: (string | null)[]): string | null => days.filter((day) => day !== null).toSorted()[0] ?? null

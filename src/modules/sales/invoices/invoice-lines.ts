// Turns the lines or the total that staff enter into the lines and amounts of an invoice.
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { type Amounts, amountsOf } from '#modules/sales/orders/amounts.ts'
import type { PricedLine } from '#modules/delivery/products/line-item.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import { formatMoney, isCurrency, parseMoney } from '#kernel/values/money.ts'
import { isBrazil } from '#kernel/values/company.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { NewInvoice, NewInvoiceLine } from './invoice.ts'
import { invoices } from './queries.ts'

/** `origin` of an invoice that was issued elsewhere. */
export const IMPORT = 'import'

type EnteredLines = { [Field in 'total' | 'total_cents' | 'line_items']?: NewInvoice[Field] | undefined }
export type InvoiceAmounts = Pick<Amounts, 'line_items' | 'tax_total' | 'total'> & { discount_total: string }

/** 422 without lines and total, or when the total differs from that of the lines. */
export async function billedOf(
  ctx: OrganizationContext,
  entered: EnteredLines,
  currency: string,
): Promise<InvoiceAmounts> {
  if (!isCurrency(currency)) throw invalid({ currency: 'is not a currency in use (ISO 4217)' })
  const total = totalOf(entered, currency)
  if (entered.line_items === undefined && total === null) requireTotal()
  const lines = entered.line_items ?? [await lineFor(ctx, formatMoney(total ?? 0n, currency))]
  const { line_items, tax_total, ...sums } = amountsWith(entered, await withClasses(ctx, lines), currency)
  const minor = (amount: string) => parseMoney(amount, currency)
  const discount_total = formatMoney(minor(sums.subtotal) + minor(tax_total) - minor(sums.total), currency)
  return { line_items, tax_total, discount_total, total: sums.total }
}

/** The amounts of the lines; 422 when the entered total differs. */
export function amountsWith(entered: EnteredLines, lines: readonly PricedLine[], currency: string): Amounts {
  const amounts = amountsOf(lines, currency)
  const total = totalOf(entered, currency)
  if (total !== null && parseMoney(amounts.total, currency) !== total)
    throw invalid({
      [entered.total === undefined ? 'total_cents' : 'total']: `is not that of line_items, ${amounts.total}`,
    })
  return amounts
}

export function requireTotal(): never {
  throw invalid({ total: 'is required without line_items' })
}

export function totalOf({ total, total_cents }: EnteredLines, currency: string): bigint | null {
  const cents = total_cents === undefined ? null : BigInt(total_cents)
  const amount =
    typeof total === 'string' ? amountField('total', total, currency) : total === undefined ? null : BigInt(total)
  if (cents !== null && amount !== null && cents !== amount)
    throw invalid({ total_cents: 'is another amount than total' })
  return amount ?? cents
}

/** A line with a general description in the customer's language, for an invoice with a total only. */
async function lineFor(ctx: OrganizationContext, unit_price: string): Promise<NewInvoiceLine> {
  const { country } = await invoices.billing(ctx)
  const { invoice: words } = textsIn(isBrazil(country) ? 'pt-BR' : 'en').documents
  return { product_name: words.asAgreed, quantity: 1, unit_price }
}

/** 422 for an unknown entitlement code. A line without a code gets the class ORD. */
async function withClasses(ctx: OrganizationContext, lines: readonly NewInvoiceLine[]): Promise<PricedLine[]> {
  const codes = lines.flatMap(({ entitlement_code: code }) => code ?? [])
  const found = codes.length === 0 ? [] : await invoices.entitlements(ctx, codes)
  const classes = new Map(found.map((entitlement) => [entitlement.code, entitlement.class]))
  const problems: Record<string, string> = {}
  const classed = lines.map((line, index): PricedLine => {
    const { entitlement_code: code } = line
    if (typeof code === 'string' && !classes.has(code))
      problems[`line_items.${index}.entitlement_code`] = 'is no entitlement of the organization'
    return { ...line, entitlement_class: classes.get(code ?? '') ?? 'ORD' }
  })
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return classed
}

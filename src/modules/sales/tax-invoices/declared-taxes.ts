// The taxes that the recipient withholds of a part of an invoice, for its declaration. What one tax invoice has of all
// lines is what credit notes have left of the invoice's; of several each has the share of its lines, in proportion to
// what it declares of them.
import { taxesLeft } from '#modules/sales/credit-notes/credited-taxes.ts'
import { shared } from '#modules/sales/invoices/shares.ts'
import type { CreditedWithheldTax, InvoiceWithheldTax } from '#modules/sales/tax-withholding/withheld-tax.ts'
import { formatMoney, parseMoney, sum } from '#kernel/values/money.ts'
import type { Part } from './invoice-parts.ts'
import type { BilledInvoice } from './queries.ts'

type PartOfInvoice = Pick<Part, 'total' | 'lines'>

export function declaredTaxes(invoice: BilledInvoice, part: PartOfInvoice): CreditedWithheldTax[] {
  const isWhole = invoice.line_items.length === part.lines.length
  const found = isWhole
    ? taxesLeft(invoice, invoice.tax_credits)
    : invoice.withheld.map((tax) => ({ tax, ...shareOf(invoice, part, tax) }))
  const byTax = found.filter(({ amount }) => amount > 0n)
  return byTax.map(({ tax: { tax, percent }, base, amount }) => ({
    tax,
    percent,
    base: formatMoney(base, invoice.currency),
    amount: formatMoney(amount, invoice.currency),
  }))
}

/** Without credit notes the shares of all parts add up to the tax. */
function shareOf(invoice: BilledInvoice, { total, lines }: PartOfInvoice, tax: InvoiceWithheldTax) {
  const minor = (amount: string) => parseMoney(amount, invoice.currency)
  const billed = shared(
    minor(invoice.total),
    invoice.line_items.map((line) => minor(line.total)),
  )
  const numbers = lines.map(({ number }) => number)
  const ofLines = (amount: bigint): bigint => {
    const weights = tax.invoice_lines.map((number) => billed[number - 1] ?? 0n)
    const shares = shared(amount, weights)
    return sum(shares.filter((_share, index) => numbers.includes(tax.invoice_lines[index] ?? 0)))
  }
  const whole = sum(numbers.map((number) => billed[number - 1] ?? 0n))
  const scaled = (amount: bigint): bigint => (whole === 0n ? 0n : (2n * amount * minor(total) + whole) / (2n * whole))
  return { base: scaled(ofLines(minor(tax.base))), amount: scaled(ofLines(minor(tax.amount))) }
}

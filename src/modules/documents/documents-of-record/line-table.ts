// The lines of quotes and invoices as a table, with the totals below it.
import { parseMoney } from '#kernel/values/money.ts'
import type { Block, Column, Fact } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatMoney, formatPercent } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'

/** What the table shows of a line. */
type Line = {
  product_name: string
  description: string | null
  entitlement_code: string | null
  quantity: number
  unit_price: string
  discount: string
  tax_rate: string | null
  tax: string
  total: string
  term_months: number | null
  interval?: 'month' | 'year'
}
type RecordWithLines = {
  line_items: readonly Line[]
  currency: string
  subtotal: string
  discount_total: string
  tax_total: string
  total: string
}

/** Discount and tax have a column and a total only if some line has them; `more` totals come last. */
export function lineTable(
  { line_items, currency, ...totals }: RecordWithLines,
  language: Language,
  more: Fact[] = [],
): Block {
  const { quote: words } = textsIn(language).documents
  const money = (amount: string) => formatMoney(language, amount, currency)
  const isSome = (amount: string) => parseMoney(amount, currency) > 0n
  const hasDiscount = line_items.some(({ discount }) => isSome(discount))
  const hasTax = line_items.some(({ tax_rate }) => tax_rate !== null)
  // The first column has the width that wide amounts leave.
  const [few, unit, most] = hasDiscount || hasTax ? [0.08, 0.18, 0.19] : [0.1, 0.22, 0.22]
  const some: (Cell | null)[] = [
    { label: words.quantity, share: few, text: ({ quantity }) => String(quantity) },
    { label: words.unitPrice, share: unit, text: ({ unit_price }) => money(unit_price) },
    hasDiscount
      ? { label: words.discount, share: 0.15, text: ({ discount }) => (isSome(discount) ? money(`-${discount}`) : '') }
      : null,
    hasTax ? { label: words.tax, share: 0.14, text: (line) => taxOf(line, money, language) } : null,
    { label: words.total, share: most, text: ({ total }) => money(total) },
  ]
  const cells = some.filter((cell) => cell !== null)
  const others = cells.reduce((sum, { share }) => sum + share, 0)
  return {
    kind: 'table',
    columns: [
      { label: words.product, share: 1 - others, align: 'left' },
      ...cells.map(({ label, share }): Column => ({ label, share, align: 'right' })),
    ],
    rows: line_items.map((line) => [nameOf(line, language), ...cells.map(({ text }) => text(line))]),
    totals: [
      { label: words.subtotal, value: money(totals.subtotal) },
      ...(hasDiscount ? [{ label: words.discount, value: money(`-${totals.discount_total}`) }] : []),
      ...(hasTax ? [{ label: words.tax, value: money(totals.tax_total) }] : []),
      { label: words.total, value: money(totals.total) },
      ...more,
    ],
  }
}

type Cell = { label: string; share: number; text: (line: Line) => string }

const taxOf = ({ tax, tax_rate }: Line, money: (amount: string) => string, language: Language): string =>
  tax_rate === null ? '' : `${money(tax)}\n${formatPercent(language, tax_rate)}`

function nameOf(line: Line, language: Language): string {
  const { product_name, term_months, interval, description, entitlement_code } = line
  const { quote: words } = textsIn(language).documents
  const term = term_months === null ? null : words.termMonths(term_months)
  const again = interval === undefined ? null : words.intervals[interval]
  return [product_name, term, again, description, entitlement_code].filter(Boolean).join('\n')
}

// How much of an invoice its tax invoices declare: its total less its credit notes, whatever of them is still pending.
import { restOfLines } from '#modules/sales/credit-notes/credited-lines.ts'
import { creditable } from '#modules/sales/invoices/sums.ts'
import { formatMoney, parseMoney, sum } from '#kernel/values/money.ts'
import { placed, type PlacedLine } from './invoice-parts.ts'
import type { BilledInvoice, Live } from './queries.ts'
import type { TaxInvoiceRow } from './tax-invoice.ts'

export type UndeclaredPart = { lines: PlacedLine[]; total: string }

/** The lines of the invoice that no live tax invoice covers, and the amount that is left for them. */
export function undeclaredOf(invoice: BilledInvoice, live: readonly Live[]): UndeclaredPart {
  const taken = new Set(live.flatMap(({ line_numbers }) => line_numbers))
  const lines = linesIn(invoice).filter(({ number }) => !taken.has(number))
  const left = creditable(invoice) - declaredBy(invoice, live)
  const most = lines.length === 0 ? left : least(left, sum(lines.map(({ rest }) => rest)))
  return { lines, total: format(most, invoice) }
}

type CoveredPart = Pick<TaxInvoiceRow, 'total' | 'line_numbers'>

/**
 * What a tax invoice declares when it is made again: what is left of its lines, less what no other one has taken of the
 * credit notes that name no line. While a line of the invoice has no tax invoice, those may be for that line, so it
 * does not declare more than before.
 */
export function declarable(invoice: BilledInvoice, row: CoveredPart, others: readonly Live[]): string {
  // One that is being cancelled leaves its lines to a new one. If the authority refuses, too much is declared, not too
  // little.
  const staying = others.filter(({ substatus }) => substatus !== 'cancelling')
  const owed = least(restOf(invoice, row), creditable(invoice) - declaredBy(invoice, staying))
  const covered = new Set([row, ...staying].flatMap(({ line_numbers }) => line_numbers))
  const isAllCovered = invoice.line_items.every((_line, index) => covered.has(index + 1))
  return format(isAllCovered ? owed : least(owed, parseMoney(row.total, invoice.currency)), invoice)
}

/** Its lines with what is left of them. */
export function linesOf(invoice: BilledInvoice, { line_items, line_numbers }: TaxInvoiceRow): PlacedLine[] {
  const rest = restOfLines(invoice, invoice.line_credits)
  return line_items.map((line, index) => {
    const number = line_numbers[index] ?? index + 1
    return { number, line, rest: rest[number - 1] ?? 0n }
  })
}

const linesIn = (invoice: BilledInvoice): PlacedLine[] =>
  placed(invoice.line_items, restOfLines(invoice, invoice.line_credits))

/**
 * A successor counts in place of the one that it is to replace. Of a line that was credited since, only the rest
 * counts: the credit is for that line, not for those of the others.
 */
function declaredBy(invoice: BilledInvoice, live: readonly Live[]): bigint {
  const replaced = new Set(live.map(({ replaces_id }) => replaces_id))
  return sum(
    live
      .filter(({ id }) => !replaced.has(id))
      .map((one) => least(parseMoney(one.total, invoice.currency), restOf(invoice, one))),
  )
}

/** What is left of the lines that it covers; of an invoice without lines, its total. */
function restOf(invoice: BilledInvoice, { line_numbers }: CoveredPart): bigint {
  if (line_numbers.length === 0) return parseMoney(invoice.total, invoice.currency)
  const rest = restOfLines(invoice, invoice.line_credits)
  return sum(line_numbers.map((number) => rest[number - 1] ?? 0n))
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const format = (amount: bigint, { currency }: BilledInvoice): string => formatMoney(amount > 0n ? amount : 0n, currency)

// The parts of an invoice that become tax invoices: its lines by service code, with amounts that add up to the total.
import { codeFrom, type Codes, serviceOf, withTerms } from '#modules/sales/municipal-parameters/service-codes.ts'
import type { LineItem } from '#modules/delivery/products/line-item.ts'
import { formatMoney, parseMoney, sum } from '#kernel/values/money.ts'
import { shared } from '#modules/sales/invoices/shares.ts'
import type { ServiceCode } from '#ports/fiscal-profiles.ts'
import { storable } from './recipient.ts'
import type { TaxInvoiceRow } from './tax-invoice.ts'

/** A line, its number in the invoice, from 1, and what credit notes that name it have left of it. */
export type PlacedLine = { number: number; line: LineItem; rest: bigint }
export type Part = { service: ServiceCode | null; lines: PlacedLine[]; total: string }

const CURRENCY = 'BRL'
export const DESCRIPTION_LENGTH = 2000

export const codeOf = ({ national, municipal = '' }: ServiceCode): string => national + municipal

/** What lines must share to be in one declaration. `2` and `2.00` are one rate. */
export const keyOf = (service: ServiceCode | null): string =>
  service === null ? '' : [codeOf(service), service.nbs ?? '', service.iss_rate && Number(service.iss_rate)].join('/')

export const placed = (lines: readonly LineItem[], rest: readonly bigint[]): PlacedLine[] =>
  lines.map((line, index) => ({ number: index + 1, line, rest: rest[index] ?? 0n }))

export const linesIn = (placedLines: readonly PlacedLine[]): LineItem[] => placedLines.map(({ line }) => line)

/** One part for each service code, NBS and rate; without a profile one for all lines. Parts of 0.00 are left out. */
export function partsOf(lines: readonly PlacedLine[], total: string, codes: Codes): Part[] {
  const groups = new Map<string, Omit<Part, 'total'>>()
  for (const one of lines) {
    const service = serviceOf(codes, one.line)
    const key = keyOf(service)
    const group = groups.get(key) ?? { service, lines: [] }
    group.lines.push(one)
    groups.set(key, group)
  }
  // An invoice that staff wrote may have no lines.
  if (groups.size === 0) groups.set('', { service: serviceOf(codes, null), lines: [] })
  const found = [...groups.values()]
  const amounts = shared(
    parseMoney(total, CURRENCY),
    found.map((group) => sum(group.lines.map(({ rest }) => rest))),
  )
  return found.flatMap((group, index) => {
    const amount = amounts[index] ?? 0n
    return amount > 0n ? [{ ...group, total: formatMoney(amount, CURRENCY) }] : []
  })
}

/** As the record keeps it; null if nothing says how its lines are declared. */
export const keptService = ({
  service_code,
  nbs_code,
  iss_rate,
}: Pick<TaxInvoiceRow, 'service_code' | 'nbs_code' | 'iss_rate'>): ServiceCode | null =>
  service_code === null ? null : withTerms(codeFrom(service_code), { nbs_code, iss_rate })

/** The description in the declaration: the profile's text, what was sold, the number of the invoice. */
export function describePart({ service, lines }: Pick<Part, 'service' | 'lines'>, invoiceNumber: string): string {
  const sold = lines.map(({ line }) => `${line.quantity} × ${line.product_name}`).join('; ')
  const words = [service?.description, sold, `Fatura ${invoiceNumber}`].filter(Boolean).join(' – ')
  const characters = Array.from(storable(words))
  return characters.length <= DESCRIPTION_LENGTH
    ? characters.join('')
    : `${characters.slice(0, DESCRIPTION_LENGTH - 1).join('')}…`
}

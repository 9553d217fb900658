// How an invoice falls into tax invoices: its lines by service code, their amounts exactly those of the invoice.
import type { LineItem } from '#areas/orders/line-item.ts'
import { formatMoney, parseMoney, sum } from '#kernel/values/money.ts'
import type { FiscalProfile, ServiceCode } from '#ports/tax-authority.ts'
import { storable } from './recipient.ts'

/** A line and where it stands in the invoice, from 1. */
export type PlacedLine = { number: number; line: LineItem }
export type Part = { service: ServiceCode | null; lines: PlacedLine[]; total: string }

const CURRENCY = 'BRL'
export const DESCRIPTION_LENGTH = 2000

export const codeOf = ({ national, municipal = '' }: ServiceCode): string => national + municipal

export const placed = (lines: readonly LineItem[]): PlacedLine[] =>
  lines.map((line, index) => ({ number: index + 1, line }))

/** One part for each service code; without a profile one for all. Parts of nothing are left out. */
export function partsOf(lines: readonly PlacedLine[], total: string, profile: FiscalProfile | null): Part[] {
  const groups = new Map<string, Omit<Part, 'total'>>()
  for (const one of lines) {
    const service = serviceOf(profile, one.line.entitlement_class)
    const code = service === null ? '' : codeOf(service)
    const group = groups.get(code) ?? { service, lines: [] }
    group.lines.push(one)
    groups.set(code, group)
  }
  // An invoice by hand may name no lines.
  if (groups.size === 0) groups.set('', { service: serviceOf(profile, 'default'), lines: [] })
  const found = [...groups.values()]
  const amounts = shared(
    parseMoney(total, CURRENCY),
    found.map((group) => sum(group.lines.map(({ line }) => parseMoney(line.total, CURRENCY)))),
  )
  return found.flatMap((group, index) => {
    const amount = amounts[index] ?? 0n
    return amount > 0n ? [{ ...group, total: formatMoney(amount, CURRENCY) }] : []
  })
}

/** Of lines that have one code between them. */
export const serviceFor = (profile: FiscalProfile, lines: readonly LineItem[]): ServiceCode | null =>
  serviceOf(profile, lines[0]?.entitlement_class ?? 'default')

/** Null when the profile has a code neither for the class nor for every other. */
function serviceOf(profile: FiscalProfile | null, name: string): ServiceCode | null {
  const services: Record<string, ServiceCode> = profile?.services ?? {}
  return services[name] ?? services['default'] ?? null
}

/** The total in the proportion of the weights, to the last cent; as they are when they add up to it. */
function shared(total: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights)
  const amounts = weights.map((weight) => (all === 0n ? 0n : (total * weight) / all))
  const largest = weights.reduce((best, weight, index) => (weight > (weights[best] ?? 0n) ? index : best), 0)
  return amounts.map((amount, index) => (index === largest ? amount + total - sum(amounts) : amount))
}

/** What the authority reads: the profile's words, then what was sold. */
export function describePart({ service, lines }: Pick<Part, 'service' | 'lines'>, invoiceNumber: string): string {
  const sold = lines.map(({ line }) => `${line.quantity} × ${line.product_name}`).join('; ')
  const words = [service?.description, sold, `Fatura ${invoiceNumber}`].filter(Boolean).join(' – ')
  const characters = Array.from(storable(words))
  return characters.length <= DESCRIPTION_LENGTH
    ? characters.join('')
    : `${characters.slice(0, DESCRIPTION_LENGTH - 1).join('')}…`
}

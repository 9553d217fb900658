// A tax that the customer keeps back of an invoice, and the arithmetic of it. Amounts in reais, to the cent.
import { type Static, Type } from 'typebox'
import { formatMoney, formatPercent, parseMoney, parsePercent, percentOf, sum } from '#kernel/values/money.ts'
import { Money, Percent } from '#kernel/values/schema.ts'
import { WITHHELD_TAXES, type WithheldTax } from '#ports/federal-taxes.ts'
import { thresholdOn } from './thresholds.ts'

/** The only one in which taxes are withheld. */
export const REAIS = 'BRL'

const shape = {
  tax: Type.Enum(WITHHELD_TAXES, { examples: ['irrf'] }),
  percent: { ...Percent, examples: ['1.50'] },
  base: { ...Money, description: 'What it is computed from', examples: ['1000.00'] },
  amount: { ...Money, description: 'What the customer keeps back', examples: ['15.00'] },
}
/** The lines of the invoice whose services it is withheld of, from 1. */
export const InvoiceWithheldTax = Type.Object({
  ...shape,
  invoice_lines: Type.Array(Type.Integer({ minimum: 1 }), {
    description: 'The lines of the invoice that it is withheld of, counted from 1',
    examples: [[1]],
  }),
})
export type InvoiceWithheldTax = Static<typeof InvoiceWithheldTax>
export const CreditedWithheldTax = Type.Object(shape)
export type CreditedWithheldTax = Static<typeof CreditedWithheldTax>

/** A line, its number, its share of the total, and the rates in percent of the taxes that the customer keeps back. */
export type WithheldLine = { number: number; amount: bigint; rates: readonly (readonly [WithheldTax['tax'], string])[] }

const amountOf = ({ base, rate }: { base: bigint; rate: bigint }): bigint => percentOf(base, rate)

/** Each tax once for each rate, without what is too little to be withheld on the day. */
export function withheldOf(lines: readonly WithheldLine[], day: string): InvoiceWithheldTax[] {
  const groups = new Map<string, { tax: WithheldTax['tax']; rate: bigint; base: bigint; lines: number[] }>()
  for (const { number, amount, rates } of lines)
    for (const [tax, percent] of rates) {
      const rate = parsePercent(percent)
      const key = `${WITHHELD_TAXES.indexOf(tax)} ${rate}`
      const group = groups.get(key) ?? { tax, rate, base: 0n, lines: [] }
      groups.set(key, { ...group, base: group.base + amount, lines: [...group.lines, number] })
    }
  const found = [...groups.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group)
  const payment = sum(lines.map(({ amount }) => amount))
  const isEnough = ({ tax }: { tax: WithheldTax['tax'] }): boolean => {
    const { taxes, taxUpTo = -1n, paymentUpTo = -1n } = thresholdOn(day, tax) ?? { taxes: [tax] }
    const all = sum(found.filter((one) => taxes.includes(one.tax)).map(amountOf))
    return all > taxUpTo && payment > paymentUpTo
  }
  return found
    .filter((group) => amountOf(group) > 0n && isEnough(group))
    .map((group) => ({
      tax: group.tax,
      percent: formatPercent(group.rate),
      base: formatMoney(group.base, REAIS),
      amount: formatMoney(amountOf(group), REAIS),
      invoice_lines: group.lines,
    }))
}

export const sumOfWithheld = (withheld: readonly { amount: string }[]): bigint =>
  sum(withheld.map(({ amount }) => parseMoney(amount, REAIS)))

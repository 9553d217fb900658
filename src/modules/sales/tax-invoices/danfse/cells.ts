// Values of the XML in the form's format; a missing value is a dash.
import type { Cell } from '#ports/documents.ts'
import { formatMoney } from '#texts/format.ts'

const NOTHING = '-'

export const cell = (label: string, value: string | null, span: Cell['span'] = 1): Cell => ({
  label,
  value: value ?? NOTHING,
  span,
})

/** `1234.50` → `R$ 1.234,50`; a text that is not an amount is unchanged. */
export const money = (amount: string | null): string | null =>
  amount === null || !/^\d{1,15}(\.\d{1,2})?$/.test(amount)
    ? amount
    : formatMoney('pt-BR', amount.includes('.') ? amount : `${amount}.00`, 'BRL')

export const rate = (percent: string | null): string | null =>
  percent === null ? null : `${percent.replace('.', ',')} %`

export const day = (date: string | null): string | null =>
  date === null ? null : date.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1')

/** The local time as written, with its UTC offset after it. */
export const dateTime = (moment: string | null): string | null =>
  moment === null
    ? null
    : moment.replace(/^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})([+-]\d{2}:\d{2})?$/, '$3/$2/$1 $4 $5').trim()

/** `1` → `1 - Operação tributável`; a code that the table lacks stands alone. */
export const code = (table: Readonly<Record<string, string>>, value: string | null): string | null =>
  value === null ? null : Object.hasOwn(table, value) ? `${value} - ${table[value]}` : value

/** The parts that are not null, joined; null if there is none. */
export const joined = (separator: string, ...parts: (string | null)[]): string | null => {
  const present = parts.filter((part) => part !== null)
  return present.length === 0 ? null : present.join(separator)
}

// What a customer chooses of a quote: which of the optional lines, and how many where that is theirs to say.
import type { LineItem } from '@titular/sdk'
import type { Item } from '../../resources/resource.ts'

/** A quantity that somebody is still typing may be none. */
export type Choice = { index: number; is_chosen?: boolean; quantity?: number | string }

export type ChosenLine = { index: number; offered: LineItem; isChosen: boolean; quantity: number | string }

/** What is not chosen keeps the quantity, and so the amount, that it is offered with. */
export const chosenLines = (offered: readonly LineItem[], choices: readonly Choice[]): ChosenLine[] =>
  offered.map((line, index) => {
    const choice = choices.find((one) => one.index === index)
    const isChosen = choice?.is_chosen ?? (!line.is_optional || line.is_chosen)
    return { index, offered: line, isChosen, quantity: (isChosen ? choice?.quantity : undefined) ?? line.quantity }
  })

/** Null where the quantity is the vendor's to say. */
export const boundsOf = ({ quantity_min: least, quantity_max: most }: LineItem): [number, number] | null =>
  typeof least === 'number' && typeof most === 'number' ? [least, most] : null

export function isWithin({ offered, isChosen, quantity }: ChosenLine): boolean {
  const bounds = boundsOf(offered)
  if (bounds === null || !isChosen) return true
  return typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= bounds[0] && quantity <= bounds[1]
}

/** As the service takes them, of lines that are within their bounds: those alone that differ from the offer. */
export const bodyOf = (lines: readonly ChosenLine[]): { index: number; is_chosen?: boolean; quantity?: number }[] =>
  lines.flatMap(({ index, offered, isChosen, quantity }) => {
    const choice = {
      ...(offered.is_optional && isChosen !== offered.is_chosen && { is_chosen: isChosen }),
      ...(quantity !== offered.quantity && { quantity: Number(quantity) }),
    }
    return Object.keys(choice).length === 0 ? [] : [{ index, ...choice }]
  })

/** With the amounts of the order that would be made: it has the chosen lines in the quote’s order. Null: unknown. */
export function pricedLines(lines: readonly ChosenLine[], ordered: readonly Item[] | null): Item[] {
  let next = 0
  return lines.map(({ offered, isChosen, quantity }) => {
    const chosen = { ...offered, is_chosen: isChosen, quantity }
    if (!isChosen) return chosen
    return { ...chosen, ...(ordered === null ? { total: '…', discount: '', tax_rate: null } : ordered[next++]) }
  })
}

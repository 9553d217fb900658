// A quote while it is written: what was typed, as texts, and what the service gets of it.
import type { CreateQuoteData, Quote } from '@titular/sdk'
import { decimalOf, shownDecimal } from '../../parts/decimals.ts'
import { textOf } from '../../resources/resource.ts'
import type { Language } from '../../texts/texts.ts'

export type Line = {
  /** Tells lines apart while they are moved. */
  key: string
  /** Of the catalogue; empty: written by hand. */
  product: string
  name: string
  class: string
  quantity: string
  price: string
  discount: string
  discountIn: 'amount' | 'percent'
  /** How it is billed; empty: as the catalogue says, or once and without end. */
  recurs: '' | 'once' | 'term' | 'month' | 'year'
  months: string
  tax: string
  description: string
  /** Of the entitlement that the line extends. */
  extends: string
  isOptional: boolean
  isChosen: boolean
  least: string
  most: string
  index: string
  features: Quote['line_items'][number]['features']
}

export type Draft = {
  company: 'entity_br' | 'entity_global'
  currency: string
  validUntil: string
  purchaseOrder: string
  notes: string
  affiliate: string
  lines: readonly Line[]
}

type Body = CreateQuoteData['body']
type BodyLine = Body['line_items'][number]

export const newLine = (): Line => ({
  key: crypto.randomUUID(),
  product: '',
  name: '',
  class: 'SVC',
  quantity: '1',
  price: '',
  discount: '',
  discountIn: 'percent',
  recurs: 'once',
  months: '12',
  tax: '',
  description: '',
  extends: '',
  isOptional: false,
  isChosen: false,
  least: '',
  most: '',
  index: '',
  features: undefined,
})

const DAYS_OPEN = 30

export const newDraft = (isBrazilian: boolean): Draft => ({
  company: isBrazilian ? 'entity_br' : 'entity_global',
  currency: isBrazilian ? 'BRL' : 'USD',
  validUntil: new Date(Date.now() + DAYS_OPEN * 86_400_000).toISOString().slice(0, 10),
  purchaseOrder: '',
  notes: '',
  affiliate: '',
  lines: [newLine()],
})

export const draftOf = (quote: Quote, language: Language): Draft => ({
  company: quote.company,
  currency: quote.currency,
  validUntil: quote.valid_until,
  purchaseOrder: quote.purchase_order ?? '',
  notes: quote.notes ?? '',
  affiliate: quote.affiliate_code ?? '',
  lines: quote.line_items.map((line) => lineOf(line, language)),
})

function lineOf(line: Quote['line_items'][number], language: Language): Line {
  const isPercent = line.discount_percent !== null
  const discount = isPercent ? line.discount_percent : line.discount
  return {
    ...newLine(),
    product: textOf(line.product_id),
    name: line.product_name,
    class: line.entitlement_class,
    quantity: String(line.quantity),
    price: shownDecimal(line.unit_price, language),
    discount: Number(discount) === 0 ? '' : shownDecimal(discount ?? '', language),
    discountIn: isPercent || Number(discount) === 0 ? 'percent' : 'amount',
    recurs: line.interval ?? (line.term_months === null ? 'once' : 'term'),
    months: textOf(line.term_months) || '12',
    tax: line.tax_rate ?? '',
    description: line.description ?? '',
    extends: line.is_renewal ? (line.entitlement_code ?? '') : '',
    isOptional: line.is_optional,
    isChosen: line.is_optional && line.is_chosen,
    least: textOf(line.quantity_min),
    most: textOf(line.quantity_max),
    index: line.price_index ?? '',
    features: line.is_renewal ? undefined : line.features,
  }
}

/** What is no whole number goes as null, so that the service says what it has to be. */
const numberOf = (text: string): number => (/^-?\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

/** Whether it can be asked for what it adds up to. */
export const isComplete = ({ lines, currency, validUntil }: Draft): boolean =>
  lines.length > 0 && /^[A-Z]{3}$/.test(currency) && validUntil !== '' && lines.every(isLineComplete)

export const isLineComplete = ({ quantity, product, name, price }: Line): boolean =>
  quantity.trim() !== '' && (product !== '' || (name.trim() !== '' && price.trim() !== ''))

export const bodyOf = (draft: Draft, language: Language): Body => ({
  company: draft.company,
  currency: draft.currency,
  valid_until: draft.validUntil,
  purchase_order: draft.purchaseOrder.trim() || null,
  notes: draft.notes.trim() || null,
  affiliate_code: draft.affiliate.trim() || null,
  line_items: draft.lines.map((line) => bodyLineOf(line, language)),
})

function bodyLineOf(line: Line, language: Language): BodyLine {
  const isByHand = line.product === ''
  const given = line.discount.trim() === '' ? null : decimalOf(line.discount, language)
  return {
    quantity: numberOf(line.quantity),
    ...(!isByHand && { product_id: Number(line.product) }),
    ...(line.name.trim() !== '' && { product_name: line.name.trim() }),
    ...(line.price.trim() !== '' && { unit_price: decimalOf(line.price, language) }),
    ...(isByHand && isClass(line.class) && { entitlement_class: line.class }),
    ...billingOf(line),
    ...(line.discountIn === 'percent' ? { discount_percent: given } : { discount: given }),
    ...(line.tax.trim() !== '' && { tax_percent: decimalOf(line.tax, language) }),
    ...(line.description.trim() !== '' && { description: line.description.trim() }),
    ...(line.extends !== '' && { entitlement_code: line.extends }),
    ...(line.extends === '' && line.features && { features: line.features }),
    ...(line.index.trim() !== '' && { price_index: line.index.trim() }),
    is_optional: line.isOptional,
    ...(line.isOptional && { is_chosen: line.isChosen }),
    ...(line.least.trim() !== '' && { quantity_min: numberOf(line.least) }),
    ...(line.most.trim() !== '' && { quantity_max: numberOf(line.most) }),
  }
}

function billingOf({ recurs, months }: Line): Pick<BodyLine, 'term_months' | 'interval'> {
  if (recurs === 'once') return { term_months: null }
  if (recurs === 'term') return { term_months: numberOf(months) }
  return recurs === '' ? {} : { interval: recurs }
}

export const CLASSES = ['PLG', 'ENV', 'SVC', 'ORD', 'AFL', 'EDU'] as const

const isClass = (name: string): name is (typeof CLASSES)[number] => CLASSES.some((one) => one === name)

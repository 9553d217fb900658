// What staff enter as lines or as a total, as the lines and amounts of an invoice.
import type { LineItem } from '#areas/orders/line-item.ts'
import type { OrganizationContext } from '#kernel/context.ts'
import { invalid } from '#kernel/errors.ts'
import { formatMoney, InvalidMoney, isCurrency, MAX_MINOR, parseMoney } from '#kernel/money.ts'
import { isBrazil } from '#areas/sheets/parties.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { NewInvoice, NewInvoiceLine } from './invoice.ts'
import { invoices } from './queries.ts'

type Entered = { [Field in 'total' | 'total_cents' | 'line_items']: NewInvoice[Field] | undefined }
export type Billed = { line_items: LineItem[]; discount_total: string; tax_total: string; total: string }

/** 422 when there is neither, or when the total is not that of the lines. */
export async function billedOf(ctx: OrganizationContext, entered: Entered, currency: string): Promise<Billed> {
  if (!isCurrency(currency)) throw invalid({ currency: 'is not a currency in use (ISO 4217)' })
  const total = totalOf(entered, currency)
  if (entered.line_items === undefined && total === null) throw invalid({ total: 'is required without line_items' })
  const lines = entered.line_items ?? [await lineFor(ctx, formatMoney(total ?? 0n, currency))]
  const billed = amountsOf(await withClasses(ctx, lines), currency)
  if (total !== null && parseMoney(billed.total, currency) !== total)
    throw invalid({
      [entered.total === undefined ? 'total_cents' : 'total']: `is not that of line_items, ${billed.total}`,
    })
  return billed
}

function totalOf({ total, total_cents }: Entered, currency: string): bigint | null {
  const cents = total_cents === undefined ? null : BigInt(total_cents)
  const amount = typeof total === 'string' ? amountIn(total, currency) : total === undefined ? null : BigInt(total)
  if (cents !== null && amount !== null && cents !== amount)
    throw invalid({ total_cents: 'is another amount than total' })
  return amount ?? cents
}

function amountIn(text: string, currency: string): bigint {
  try {
    return parseMoney(text, currency)
  } catch (error) {
    if (error instanceof InvalidMoney) throw invalid({ total: error.message })
    throw error
  }
}

/** One that says nothing of what is billed, in the customer's language. */
async function lineFor(ctx: OrganizationContext, unit_price: string): Promise<NewInvoiceLine> {
  const { country } = await invoices.billing(ctx)
  const { invoice: words } = textsIn(isBrazil(country) ? 'pt-BR' : 'en').documents
  return { product_name: words.asAgreed, quantity: 1, unit_price }
}

type ClassedLine = NewInvoiceLine & Pick<LineItem, 'entitlement_class'>

/** A code has to be one of the organization's; without one the line stands for itself. */
async function withClasses(ctx: OrganizationContext, lines: readonly NewInvoiceLine[]): Promise<ClassedLine[]> {
  const codes = lines.flatMap(({ entitlement_code: code }) => code ?? [])
  const found = codes.length === 0 ? [] : await invoices.entitlements(ctx, codes)
  const classes = new Map(found.map((entitlement) => [entitlement.code, entitlement.class]))
  const problems: Record<string, string> = {}
  const classed = lines.map((line, index): ClassedLine => {
    const { entitlement_code: code } = line
    if (typeof code === 'string' && !classes.has(code))
      problems[`line_items.${index}.entitlement_code`] = 'is no entitlement of the organization'
    return { ...line, entitlement_class: classes.get(code ?? '') ?? 'ORD' }
  })
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return classed
}

function amountsOf(lines: readonly ClassedLine[], currency: string): Billed {
  const problems: Record<string, string> = {}
  let sum = 0n
  const line_items = lines.map((line, index): LineItem => {
    let unit = 0n
    try {
      unit = parseMoney(line.unit_price, currency)
    } catch (error) {
      if (!(error instanceof InvalidMoney)) throw error
      problems[`line_items.${index}.unit_price`] = error.message
    }
    const total = unit * BigInt(line.quantity)
    sum += total
    return {
      product_name: line.product_name,
      description: line.description ?? null,
      quantity: line.quantity,
      unit_price: formatMoney(unit, currency),
      total: formatMoney(total, currency),
      entitlement_class: line.entitlement_class,
      term_months: null,
    }
  })
  if (sum > MAX_MINOR) problems['line_items'] = 'the total is larger than any amount that can be billed'
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const nothing = formatMoney(0n, currency)
  return { line_items, discount_total: nothing, tax_total: nothing, total: formatMoney(sum, currency) }
}

// GET /quotes/{id}/pdf: what a quote says on paper.
import type { LineItem } from '#areas/orders/line-item.ts'
import { PDF, type Recipient, recipientOf, sheetFor } from '#areas/sheets/parties.ts'
import { notFound } from '#kernel/errors.ts'
import type { Outside } from '#kernel/context.ts'
import type { FileAnswer } from '#kernel/files.ts'
import { parseMoney } from '#kernel/money.ts'
import { parts, type ReadPlan } from '#kernel/route.ts'
import { raw, sql } from '#kernel/sql.ts'
import type { Block, Column, Fact } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate, formatMoney, formatPercent } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import { Quote } from './quote.ts'

/** With the numbers of the versions before and after it. */
type Shown = Quote & { replaces: string | null; replaced_by: string | null }
export type QuoteFacts = { quote: Shown; recipient: Recipient }

const columns = raw(
  Object.keys(Quote.properties)
    .map((column) => `q.${column}`)
    .join(', '),
)

export const quoteFacts = (org: number, id: number): ReadPlan<QuoteFacts> =>
  parts(
    [
      sql<Shown>`
        select ${columns}, b.number as replaces, n.number as replaced_by
          from quotes q
          left join quotes b on b.organization_id = ${org} and b.id = q.supersedes_id
          left join quotes n on n.organization_id = ${org} and n.id = q.superseded_by_id
         where q.organization_id = ${org} and q.id = ${id}`,
      recipientOf(org),
    ],
    ([[quote], [recipient]]) => {
      if (!quote || !recipient) throw notFound()
      return { quote, recipient }
    },
  )

export async function quotePdf(maker: Outside, { quote, recipient }: QuoteFacts): Promise<FileAnswer> {
  const sheet = sheetFor(maker, quote.company, recipient)
  const { notes, quote: words } = textsIn(sheet.language).documents
  const remarks: Block[] = quote.notes
    ? [
        { kind: 'heading', text: notes },
        { kind: 'text', text: quote.notes },
      ]
    : []
  const bytes = await maker.ports.documents.render({
    ...sheet,
    title: words.title,
    reference: quote.number,
    madeAt: quote.updated_at,
    blocks: [{ kind: 'facts', facts: factsOf(quote, sheet.language) }, linesOf(quote, sheet.language), ...remarks],
  })
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${words.title}-${quote.number}.pdf`,
  }
}

function factsOf(quote: Shown, language: Language): Fact[] {
  const { status, quote: words } = textsIn(language).documents
  const facts: [string, string | null][] = [
    [words.validUntil, formatDate(language, quote.valid_until)],
    [status, words.statuses[quote.status]],
    [words.purchaseOrder, quote.purchase_order],
    [words.version, quote.version > 1 ? String(quote.version) : null],
    [words.replaces, quote.replaces],
    [words.replacedBy, quote.replaced_by],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

/** Discount and tax have a column where a line has them, and a total of their own then. */
function linesOf({ line_items, currency, ...totals }: Quote, language: Language): Block {
  const { quote: words } = textsIn(language).documents
  const money = (amount: string) => formatMoney(language, amount, currency)
  const isSome = (amount: string) => parseMoney(amount, currency) > 0n
  const hasDiscount = line_items.some(({ discount }) => isSome(discount))
  const hasTax = line_items.some(({ tax_rate }) => tax_rate !== null)
  const price = hasDiscount || hasTax ? 0.17 : 0.22
  const some: (Cell | null)[] = [
    { label: words.quantity, share: 0.1, text: ({ quantity }) => String(quantity) },
    { label: words.unitPrice, share: price, text: ({ unit_price }) => money(unit_price) },
    hasDiscount
      ? { label: words.discount, share: 0.16, text: ({ discount }) => (isSome(discount) ? money(`-${discount}`) : '') }
      : null,
    hasTax ? { label: words.tax, share: 0.16, text: (line) => taxOf(line, money, language) } : null,
    { label: words.total, share: price, text: ({ total }) => money(total) },
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
    ],
  }
}

type Cell = { label: string; share: number; text: (line: LineItem) => string }

const taxOf = ({ tax, tax_rate }: LineItem, money: (amount: string) => string, language: Language): string =>
  tax_rate === null ? '' : `${money(tax)}\n${formatPercent(language, tax_rate)}`

function nameOf({ product_name, term_months, description }: LineItem, language: Language): string {
  const { quote: words } = textsIn(language).documents
  return [product_name, term_months === null ? null : words.termMonths(term_months), description]
    .filter(Boolean)
    .join('\n')
}

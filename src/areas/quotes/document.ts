// GET /quotes/{id}/pdf: what a quote says on paper.
import { PDF, type Recipient, recipientOf, sheetFor } from '#areas/sheets/parties.ts'
import { notFound } from '#kernel/errors.ts'
import type { Outside } from '#kernel/context.ts'
import type { FileAnswer } from '#kernel/files.ts'
import { parts, type ReadPlan } from '#kernel/route.ts'
import { raw, sql } from '#kernel/sql.ts'
import type { Block } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate, formatMoney } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import { Quote } from './quote.ts'

export type QuoteFacts = { quote: Quote; recipient: Recipient }

export const quoteFacts = (org: number, id: number): ReadPlan<QuoteFacts> =>
  parts(
    [
      sql<Quote>`select ${raw(Object.keys(Quote.properties).join(', '))} from quotes where organization_id = ${org} and id = ${id}`,
      recipientOf(org),
    ],
    ([[quote], [recipient]]) => {
      if (!quote || !recipient) throw notFound()
      return { quote, recipient }
    },
  )

export async function quotePdf(maker: Outside, { quote, recipient }: QuoteFacts): Promise<FileAnswer> {
  const sheet = sheetFor(maker, quote.company, recipient)
  const { status, notes, quote: words } = textsIn(sheet.language).documents
  const facts = [
    { label: words.validUntil, value: formatDate(sheet.language, quote.valid_until) },
    { label: status, value: words.statuses[quote.status] },
  ]
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
    blocks: [{ kind: 'facts', facts }, linesOf(quote, sheet.language), ...remarks],
  })
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${words.title}-${quote.number}.pdf`,
  }
}

function linesOf({ line_items, currency, subtotal, total }: Quote, language: Language): Block {
  const { quote: words } = textsIn(language).documents
  const money = (amount: string) => formatMoney(language, amount, currency)
  const rows = line_items.map((line) => [
    [line.product_name, line.term_months === null ? null : words.termMonths(line.term_months), line.description]
      .filter(Boolean)
      .join('\n'),
    String(line.quantity),
    money(line.unit_price),
    money(line.total),
  ])
  return {
    kind: 'table',
    columns: [
      { label: words.product, share: 0.46, align: 'left' },
      { label: words.quantity, share: 0.1, align: 'right' },
      { label: words.unitPrice, share: 0.22, align: 'right' },
      { label: words.total, share: 0.22, align: 'right' },
    ],
    rows,
    totals: [
      { label: words.subtotal, value: money(subtotal) },
      { label: words.total, value: money(total) },
    ],
  }
}

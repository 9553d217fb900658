// GET /quotes/{id}/pdf: the content of a quote's PDF.
import { lineTable } from '#modules/documents/documents-of-record/line-table.ts'
import { PDF, type Recipient, recipientOf, templateFor } from '#modules/documents/documents-of-record/parties.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { parts, type ReadPlan } from '#http/route.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import type { Block, Fact } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { offeredTerms } from '#texts/documents/offered-terms.ts'
import { formatDate } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import type { QuoteLine } from './quote-line.ts'
import { Quote } from './quote.ts'

/** With the numbers of the previous and the next version. */
type QuoteWithVersions = Quote & { replaces: string | null; replaced_by: string | null }
export type QuoteFacts = { quote: QuoteWithVersions; recipient: Recipient }

const columns = raw(
  Object.keys(Quote.properties)
    .map((column) => `q.${column}`)
    .join(', '),
)

export const quoteFacts = (org: number, id: number): ReadPlan<QuoteFacts> =>
  parts(
    [
      sql<QuoteWithVersions>`
        select ${columns}, b.number as replaces, n.number as replaced_by
          from quotes q
          left join quotes b on b.organization_id = ${org} and b.id = q.supersedes_id
          left join quotes n on n.organization_id = q.organization_id and n.id = q.superseded_by_id
         where q.organization_id = ${org} and q.id = ${id}`,
      recipientOf(org),
    ],
    ([[quote], [recipient]]) => {
      if (!quote || !recipient) throw notFound()
      return { quote, recipient }
    },
  )

export async function quotePdf(maker: IoContext, { quote, recipient }: QuoteFacts): Promise<FileAnswer> {
  const template = await templateFor(maker, quote.company, recipient)
  const { quote: words } = textsIn(template.language).documents
  const bytes = await maker.ports.documents.render({
    ...template,
    title: words.title,
    reference: quote.number,
    madeAt: quote.updated_at,
    blocks: blocksOf(quote, template.language),
  })
  return {
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentType: PDF,
    fileName: `${words.title}-${quote.number}.pdf`,
  }
}

export function blocksOf(quote: QuoteWithVersions, language: Language): Block[] {
  const { notes } = textsIn(language).documents
  const lines = quote.line_items.map((line) => withTerms(line, quote, language))
  const chosen = lines.filter(({ is_chosen }) => is_chosen)
  const options = lines.filter(({ is_chosen }) => !is_chosen && isOpen(quote))
  const remarks: Block[] = quote.notes
    ? [
        { kind: 'heading', text: notes },
        { kind: 'text', text: quote.notes },
      ]
    : []
  return [
    { kind: 'facts', facts: factsOf(quote, language) },
    lineTable({ ...quote, line_items: chosen }, language),
    ...optionsOf(quote, options, language),
    ...remarks,
  ]
}

const isOpen = ({ accepted_at }: Quote): boolean => accepted_at === null

/** All that is said of the line as its description, in the words of the public page. */
function withTerms(line: QuoteLine, quote: Quote, language: Language): QuoteLine {
  const isStillOpen = isOpen(quote)
  const terms = offeredTerms(language, line, { currency: quote.currency, isOpen: isStillOpen })
  const { optional } = textsIn(language).documents.quote
  const about = isStillOpen && line.is_optional && line.is_chosen ? [...terms, optional] : terms
  const { interval: _said, ...rest } = line
  return { ...rest, term_months: null, description: about.join('\n') }
}

/** The lines that are not chosen, with their own prices and outside of the total. */
function optionsOf(quote: Quote, options: QuoteLine[], language: Language): Block[] {
  if (options.length === 0) return []
  const { quote: words } = textsIn(language).documents
  const table = lineTable({ ...quote, line_items: options }, language)
  return [
    { kind: 'heading', text: words.options },
    { kind: 'text', text: words.optionsLead },
    table.kind === 'table' ? { ...table, totals: [] } : table,
  ]
}

function factsOf(quote: QuoteWithVersions, language: Language): Fact[] {
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

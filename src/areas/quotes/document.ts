// GET /quotes/{id}/pdf: what a quote says on paper.
import { lineTable } from '#areas/documents-of-record/lines.ts'
import { PDF, type Recipient, recipientOf, templateFor } from '#areas/documents-of-record/parties.ts'
import { notFound } from '#kernel/http/errors.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#kernel/http/file-bodies.ts'
import { parts, type ReadPlan } from '#kernel/http/route.ts'
import { raw, sql } from '#kernel/data/sql.ts'
import type { Block, Fact } from '#ports/documents.ts'
import { textsIn } from '#texts/catalogue.ts'
import { formatDate } from '#texts/format.ts'
import type { Language } from '#texts/language.ts'
import { Quote } from './quote.ts'

/** With the numbers of the versions before and after it. */
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
          left join quotes n on n.organization_id = ${org} and n.id = q.superseded_by_id
         where q.organization_id = ${org} and q.id = ${id}`,
      recipientOf(org),
    ],
    ([[quote], [recipient]]) => {
      if (!quote || !recipient) throw notFound()
      return { quote, recipient }
    },
  )

export async function quotePdf(maker: IoContext, { quote, recipient }: QuoteFacts): Promise<FileAnswer> {
  const template = templateFor(maker, quote.company, recipient)
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
  const remarks: Block[] = quote.notes
    ? [
        { kind: 'heading', text: notes },
        { kind: 'text', text: quote.notes },
      ]
    : []
  return [{ kind: 'facts', facts: factsOf(quote, language) }, lineTable(quote, language), ...remarks]
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

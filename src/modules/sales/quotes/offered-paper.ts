// The PDF of an open quote for its public link: the same bytes for the same offer, so that an acceptance can name its
// hash.
import { createHash } from 'node:crypto'
import { factsOf } from '#modules/documents/documents-of-record/archive-document.ts'
import { PDF } from '#modules/documents/documents-of-record/parties.ts'
import { serveWithin } from '#modules/documents/documents-of-record/serve-document.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { allows } from '#kernel/data/moves.ts'
import type { Language } from '#texts/language.ts'
import { quoteDocument } from './archive.ts'
import { type QuoteFacts, quotePdf } from './document.ts'
import type { LinkedQuote } from './links/link-queries.ts'
import { quoteMoves } from './quote.ts'

export type Paper = { content: Buffer; sha256: string; fileName: string; language: Language }

/** Null when the quote can no longer be accepted. */
export async function paperOf(io: IoContext, facts: QuoteFacts): Promise<Paper | null> {
  if (!allows(quoteMoves.accept, facts.quote.status)) return null
  const { content, fileName } = await quotePdf(io, asOffered(facts))
  if (!Buffer.isBuffer(content)) throw new Error('the PDF of an open quote is rendered')
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { content, sha256, fileName, language: quoteDocument.language(io, facts) }
}

/** With the status `sent`: the PDF is the same after somebody has viewed the quote. */
const asOffered = ({ quote, recipient }: QuoteFacts): QuoteFacts => ({
  quote: { ...quote, status: 'sent', updated_at: quote.sent_at ?? quote.updated_at },
  recipient,
})

/** While the quote can be accepted, the bytes whose hash an acceptance names; afterwards what members get. */
export async function publicPdf(anywhere: IoContext, { organization_id, quote_id }: LinkedQuote): Promise<FileAnswer> {
  const io = anywhere.within(organization_id)
  const found = await factsOf(io, quoteDocument, quote_id)
  const paper = found && (await paperOf(io, found.facts))
  if (!paper) return serveWithin(io, quoteDocument, quote_id)
  const { content, sha256, fileName } = paper
  return { content, sha256, fileName, contentType: PDF }
}

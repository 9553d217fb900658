// Accepting and rejecting a quote through its public link: the same acts as a member's, with who answered, and for an
// acceptance the PDF that was shown, archived with its hash (docs/interface/sales.md).
import { archivedDocumentsTable } from '#modules/documents/documents-of-record/archived-document.ts'
import { keepOwnBytes, type OwnBytes, storeOwnBytes } from '#modules/documents/files/own-bytes.ts'
import { insert } from '#kernel/data/changes.ts'
import { all, first, type IoContext, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { acceptQuote, allocateLineCodes, factsToAccept } from '../accept-quote.ts'
import { rejectQuote } from '../decide-quote.ts'
import { type LinkedQuote, quoteLinks } from './link-queries.ts'
import type { Paper } from '../offered-paper.ts'
import { type LinkView, shownBy } from './public-quote.ts'
import type { LinkAnswer, PublicAcceptance, PublicRejection } from './quote-link.ts'
import type { Quote } from '../quote.ts'

export type PreparedAcceptance = LinkView & { codes: string[]; kept: { paper: Paper; bytes: OwnBytes } | null }

/** Stores the PDF, before the transaction; of a quote that cannot be accepted, the transaction says why. */
export async function prepareAcceptance(
  anywhere: IoContext,
  token: string,
  { document_sha256, line_items }: PublicAcceptance,
): Promise<PreparedAcceptance> {
  const shown = await shownBy(anywhere, token, line_items)
  const { io, linked, paper, view } = shown
  if (!paper || !view.can_accept) return { ...shown, codes: [], kept: null }
  if (paper.sha256 !== document_sha256)
    throw conflict('changed_meanwhile', 'The quote is not as it was shown; get it again')
  const codes = await allocateLineCodes(io, linked.quote_id, line_items)
  return { ...shown, codes, kept: { paper, bytes: await storeOwnBytes(io, paper.content) } }
}

export async function acceptByLink(
  system: SystemContext,
  body: PublicAcceptance,
  { linked, view, codes, kept }: PreparedAcceptance,
): Promise<Quote> {
  const ctx = await entered(system, linked, body)
  const answer = async (): Promise<LinkAnswer> => {
    // No PDF was stored, since the quote could not be accepted at that time; now it can.
    if (!kept) throw conflict('changed_meanwhile', 'The quote changed at this moment; try again')
    const { id } = await archived(ctx, linked, kept)
    const { consent } = view
    return { ...answerOf(ctx, linked, body), consent, document_sha256: kept.bytes.sha256, document_id: id }
  }
  const { purchase_order = null, line_items = [] } = body
  const facts = await all(ctx, factsToAccept(ctx.organizationId, linked.quote_id))
  const acceptance = { facts, body: { purchase_order, line_items }, codes, answer }
  return (await acceptQuote(ctx, linked.quote_id, acceptance)).quote
}

export async function rejectByLink(system: SystemContext, linked: LinkedQuote, body: PublicRejection): Promise<Quote> {
  const ctx = await entered(system, linked, body)
  const none = { consent: null, document_sha256: null, document_id: null }
  const answered_by = { ...answerOf(ctx, linked, body), ...none }
  return rejectQuote(ctx, linked.quote_id, { reason: body.reason ?? null, answered_by })
}

type Person = Pick<PublicAcceptance, 'name' | 'email'>

/** Asks once more, under the organization's lock, whether the link is open. */
async function entered(
  system: SystemContext,
  linked: LinkedQuote,
  { name, email }: Person,
): Promise<OrganizationContext> {
  const ctx = await system.enter(linked.organization_id)
  if (!(await first(ctx, quoteLinks.stillOpen(linked, ctx.now)))) throw notFound()
  return { ...ctx, caller: { ...ctx.caller, name: `${name} (link ${linked.link_id})`, email } }
}

const answerOf = ({ now, ip }: OrganizationContext, { link_id }: LinkedQuote, { name, email }: Person) => ({
  link_id,
  name,
  email,
  at: now.toISOString(),
  ip,
})

async function archived(
  ctx: OrganizationContext,
  { quote_id }: LinkedQuote,
  { paper, bytes }: { paper: Paper; bytes: OwnBytes },
) {
  await keepOwnBytes(ctx, bytes)
  const { size, sha256, storage_key } = bytes
  const about = { resource: 'quote', resource_id: quote_id, version: 'offered', language: paper.language } as const
  return insert(ctx, archivedDocumentsTable, { ...about, file_name: paper.fileName, size, sha256, storage_key })
}

// What a public link shows of its quote: for a person without an account, so without ids of ours.
import { Type, type Static } from 'typebox'
import { factsOf } from '#modules/documents/documents-of-record/archive-document.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { digest } from '#kernel/keys/secrets.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { Company, Name, Nullable, pick } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { readingOf, settingOf } from '#ports/settings-in-force.ts'
import { sentenceIn } from '#texts/answers/sentences.ts'
import { textsIn } from '#texts/catalogue.ts'
import { languageFrom } from '#texts/language.ts'
import { verificationOf } from '#modules/delivery/customers/verification.ts'
import { refusalOf } from '../accept-quote.ts'
import { quoteDocument } from '../archive.ts'
import type { QuoteFacts } from '../document.ts'
import { type LinkedQuote, quoteLinks } from './link-queries.ts'
import { type Paper, paperOf } from '../offered-paper.ts'
import { type QuoteDecision, quotes } from '../queries.ts'
import { chosenOffer, discountIn, type LineChoice, QuoteLine } from '../quote-line.ts'
import { Sha256 } from './quote-link.ts'
import { Quote } from '../quote.ts'

const PublicLine = Type.Omit(QuoteLine, ['entitlement_class', 'entitlement_code', 'product_id', 'sku'])
const OFFERED = [
  'number',
  'version',
  'status',
  'currency',
  'valid_until',
  'subtotal',
  'discount_total',
  'tax_total',
  'total',
  'notes',
  'purchase_order',
  'sent_at',
  'accepted_at',
] as const
const Offer = Type.Pick(Quote, OFFERED)

export const PublicQuote = Type.Object(
  {
    ...Offer.properties,
    line_items: Type.Array(PublicLine),
    company: Company,
    seller: Type.String({ examples: ['Titular Software Ltda.'] }),
    customer: Type.String({ examples: ['Acme'] }),
    can_accept: Type.Boolean(),
    reason: Nullable(
      Type.String({ description: 'Why it cannot be accepted', examples: ['The quote was replaced by Q-42-v2'] }),
    ),
    replaced_by: Nullable(Type.String({ examples: ['Q-42-v2'], description: 'The number of the next version' })),
    answered_by: Nullable({ ...Name, description: 'Who answered it through a public link' }),
    consent: Type.String({
      description: 'The sentence that an acceptance agrees to',
      examples: ['I accept quote Q-42 on behalf of Acme, and I am authorized to do so.'],
    }),
    document_sha256: Nullable({
      ...Sha256,
      description: 'SHA-256 of the PDF in this language, while the quote is open; an acceptance names it',
    }),
    checkout_url: Nullable(Type.String({ format: 'uri', description: 'Where to pay, once it is accepted' })),
  },
  { description: 'A quote as its public link shows it' },
)
export type PublicQuote = Static<typeof PublicQuote>

export type LinkView = { linked: LinkedQuote; view: PublicQuote; paper: Paper | null; io: IoContext }

/** 404, always the same, for a token that opens nothing. */
export async function linkedBy(io: IoContext, token: string): Promise<LinkedQuote> {
  const [linked] = await io.read(quoteLinks.byToken(digest(token), io.now))
  if (!linked) throw notFound()
  return linked
}

/** With the amounts of what the person chose, if anything. */
export async function shownBy(anywhere: IoContext, token: string, choices?: readonly LineChoice[]): Promise<LinkView> {
  const linked = await linkedBy(anywhere, token)
  const { organization_id: org, quote_id: id } = linked
  const io = anywhere.within(org)
  const found = await factsOf(io, quoteDocument, id)
  const [decided] = await io.read(quotes.withDecision(org, id))
  const [verification] = await io.read(verificationOf(org))
  if (!found || !decided || !verification) throw notFound()
  const [checkout] = await io.read(quoteLinks.checkoutOf(org, id))
  const paper = await paperOf(io, found.facts)
  const facts = choices ? chosenFacts(found.facts, choices) : found.facts
  const seller = await settingOf(readingOf(io), facts.quote.company, 'name')
  const view = viewOf(io, { seller, facts, decided, verification, checkout_url: checkout?.link ?? null, paper })
  return { linked, view, paper, io }
}

function chosenFacts({ quote, recipient }: QuoteFacts, choices: readonly LineChoice[]): QuoteFacts {
  const chosen = { ...quote, ...chosenOffer(quote, choices) }
  return { quote: { ...chosen, discount_total: discountIn(chosen) }, recipient }
}

type ViewFacts = {
  seller: string
  facts: QuoteFacts
  decided: QuoteDecision
  verification: { is_unverified: boolean }
  checkout_url: string | null
  paper: Paper | null
}

function viewOf(io: IoContext, { seller, facts, decided, verification, checkout_url, paper }: ViewFacts): PublicQuote {
  const { quote, recipient } = facts
  const refusal = refusalOf(decided, verification, dayIn(io.now, zoneOf(io.ports, quote.company)))
  const reason = refusal && sentenceIn(languageFrom(io.acceptLanguage, 'en'), refusal.message)
  const customer = recipient.legal_name ?? recipient.name ?? ''
  const { consent } = textsIn(quoteDocument.language(io, facts)).documents.quote
  return {
    ...pick(quote, OFFERED),
    line_items: quote.line_items.map(lineOf),
    company: quote.company,
    seller,
    customer,
    can_accept: reason === null,
    reason,
    replaced_by: quote.replaced_by,
    answered_by: quote.answered_by?.name ?? null,
    consent: consent({ number: quote.number, seller, customer }),
    document_sha256: paper?.sha256 ?? null,
    checkout_url,
  }
}

const lineOf = ({
  entitlement_class: _class,
  entitlement_code: _code,
  product_id: _id,
  sku: _sku,
  ...line
}: QuoteLine) => line

// GET /quotes/{token}: the quote of a public link, to be read, accepted or rejected without an account and without
// scripts.

import type { Company } from '#kernel/values/schema.ts'
import { textsIn } from '../texts/catalogue.ts'
import { formatDate, formatTime } from '../texts/format.ts'
import type { DocumentTexts } from '../texts/documents/content.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'
import { MARK } from './parts.ts'
import { LINES, linesOf, type ShownLine, type ShownOffer, totalsOf } from './quote-lines.ts'

/** As the public API gives it. */
export type ShownQuote = ShownOffer & {
  number: string
  status: keyof DocumentTexts['quote']['statuses']
  company: Company
  seller: string
  customer: string
  valid_until: string
  purchase_order: string | null
  notes: string | null
  replaced_by: string | null
  answered_by: string | null
  accepted_at: string | null
  consent: string
  document_sha256: string | null
  checkout_url: string | null
}
/** What a form was sent with when it was refused. */
export type RefusedForm = { problem: string; given: Record<string, string> }

export type QuotePage = { token: string; quote: ShownQuote; timeZone: string; refused: RefusedForm | null }

export function quotePage(context: PageContext, { token, quote, timeZone, refused }: QuotePage): string {
  const { language } = context
  const { pages, documents } = textsIn(language)
  const texts = pages.quote
  const title = texts.title(quote.number)
  const answeredAt = quote.accepted_at && formatTime(language, quote.accepted_at, timeZone)
  return page(context, {
    title,
    wide: true,
    body: body({
      title,
      texts,
      quote,
      words: documents.quote,
      notesLabel: documents.notes,
      action: `/quotes/${encodeURIComponent(token)}`,
      pdf: `/api/v1/public/quotes/${encodeURIComponent(token)}/pdf`,
      validUntil: formatDate(language, quote.valid_until),
      lines: linesOf(quote, language),
      totals: totalsOf(quote, language, documents.quote),
      hasChoice: quote.can_accept && quote.line_items.some(isOpenLine),
      state: stateOf(quote, texts, answeredAt),
      isAccepted: ACCEPTED.includes(quote.status),
      problem: refused?.problem ?? '',
      given: (field) => refused?.given[field] ?? '',
    }),
  })
}

/** For a link that opens nothing, and for an answer that the API does not give at the moment. */
export function noQuotePage(context: PageContext, code: 'NOT_FOUND' | keyof PageTexts['errors']['codes']): string {
  const { quote, errors } = textsIn(context.language).pages
  const problem = code === 'NOT_FOUND' ? quote.badLink : errors.codes[code]
  return page(context, { title: quote.noTitle, body: noBody({ title: quote.noTitle, problem }) })
}

const isOpenLine = ({ is_optional, quantity_min }: ShownLine): boolean => is_optional || quantity_min !== null

const ACCEPTED: readonly string[] = ['accepted', 'paid', 'fulfilled']

/** The sentence above the offer; empty while it can be answered. */
function stateOf(quote: ShownQuote, texts: PageTexts['quote'], answeredAt: string | null): string {
  const { can_accept, status, replaced_by, answered_by } = quote
  if (can_accept) return ''
  if (ACCEPTED.includes(status)) return texts.accepted(answered_by, answeredAt ?? '')
  if (replaced_by !== null) return texts.replaced(replaced_by)
  if (status === 'rejected') return texts.rejected(answered_by)
  return status === 'cancelled' || status === 'expired' ? texts.over : texts.notYet
}

type Body = {
  title: string
  texts: PageTexts['quote']
  quote: ShownQuote
  words: DocumentTexts['quote']
  notesLabel: string
  action: string
  pdf: string
  validUntil: string
  lines: ReturnType<typeof linesOf>
  totals: ReturnType<typeof totalsOf>
  state: string
  hasChoice: boolean
  isAccepted: boolean
  problem: string
  given: (field: string) => string
}

/** The button's value is what was shown, so that an answer to another offer is refused. */
const ANSWER = `
<form id="accept" class="narrow" method="post" action="<%= it.action %>">
<h2><%= it.texts.accept %></h2>
<% if (it.problem) { %><p class="notice" role="alert"><%= it.problem %></p><% } %>
<label for="name"><%= it.texts.name %></label>
<input id="name" name="name" autocomplete="name" maxlength="200" value="<%= it.given('name') %>" required>
<label for="email"><%= it.texts.email %></label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254"
  value="<%= it.given('email') %>" required>
<label for="purchase-order"><%= it.texts.purchaseOrder %></label>
<input id="purchase-order" name="purchase_order" maxlength="255"
  value="<%= it.given('purchase_order') || it.quote.purchase_order || '' %>">
<div class="check"><input id="consent" name="consent" type="checkbox" value="true" required>
<label for="consent"><%= it.quote.consent %></label></div>
<button type="submit" name="accept" value="<%= it.quote.document_sha256 %>"><%= it.texts.acceptButton %></button>
<p class="hint"><%= it.texts.evidence %></p>
</form>
<details class="narrow"<% if (it.given('reject')) { %> open<% } %>>
<summary><%= it.texts.reject %></summary>
<form method="post" action="<%= it.action %>">
<label for="rejecting-name"><%= it.texts.name %></label>
<input id="rejecting-name" name="name" autocomplete="name" maxlength="200" value="<%= it.given('name') %>" required>
<label for="rejecting-email"><%= it.texts.email %></label>
<input id="rejecting-email" name="email" type="email" autocomplete="email" maxlength="254"
  value="<%= it.given('email') %>" required>
<label for="reason"><%= it.texts.reason %></label>
<input id="reason" name="reason" maxlength="1000" value="<%= it.given('reason') %>">
<button type="submit" name="reject" value="true" class="quiet"><%= it.texts.rejectButton %></button>
</form>
</details>`

const body = template<Body>(`
<% if (it.isAccepted) { %>${MARK}<% } %>
<h1><%= it.title %></h1>
<p class="soft"><%= it.texts.lead(it.quote.seller, it.quote.customer) %></p>
<% if (it.state) { %><p class="<%= it.isAccepted ? 'good' : 'notice' %>" role="status"><%= it.state %></p><% } %>
<% if (it.quote.checkout_url) { %>
<a class="button narrow" href="<%= it.quote.checkout_url %>" rel="noreferrer"><%= it.texts.pay %></a>
<% } %>
<dl>
<div><dt><%= it.words.validUntil %></dt><dd><%= it.validUntil %></dd></div>
<% if (it.quote.purchase_order) { %>
<div><dt><%= it.words.purchaseOrder %></dt><dd dir="auto"><%= it.quote.purchase_order %></dd></div>
<% } %>
</dl>
${LINES}
<% if (it.quote.notes) { %>
<h2><%= it.notesLabel %></h2>
<p class="text" dir="auto"><%= it.quote.notes %></p>
<% } %>
<p><a href="<%= it.pdf %>"><%= it.texts.pdf %></a></p>
<% if (it.quote.can_accept) { %>
${ANSWER}
<% } %>
`)

const noBody = template<{ title: string; problem: string }>(`
<h1><%= it.title %></h1>
<p class="notice" role="alert"><%= it.problem %></p>
`)

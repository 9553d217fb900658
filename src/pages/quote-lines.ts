// The lines and totals on the page of a quote: what its PDF says of each, and fields where the customer may choose.
import { textsIn } from '../texts/catalogue.ts'
import type { DocumentTexts } from '../texts/documents/content.ts'
import { type OfferedTerms, offeredTerms } from '../texts/documents/offered-terms.ts'
import { formatMoney, formatPercent } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'

export type ShownLine = OfferedTerms & {
  product_name: string
  is_optional: boolean
  is_chosen: boolean
  quantity: number
  unit_price: string
  discount: string
  tax_rate: string | null
  tax: string
  total: string
}

export type ShownOffer = {
  currency: string
  subtotal: string
  discount_total: string
  tax_total: string
  total: string
  line_items: ShownLine[]
  can_accept: boolean
}

const isSome = (amount: string): boolean => /[1-9]/.test(amount)

/** Discount and tax have a column only if some line has them, as in the PDF. */
export function linesOf({ line_items, currency, can_accept: isOpen }: ShownOffer, language: Language) {
  const words = textsIn(language).documents.quote
  const money = (amount: string) => formatMoney(language, amount, currency)
  // What was not chosen is no part of what was accepted.
  const shown = [...line_items.entries()].filter(([, line]) => isOpen || line.is_chosen)
  const hasDiscount = shown.some(([, { discount }]) => isSome(discount))
  const hasTax = shown.some(([, { tax_rate }]) => tax_rate !== null)
  const amounts = (line: ShownLine): { label: string; value: string }[] => [
    { label: words.unitPrice, value: money(line.unit_price) },
    ...(hasDiscount ? [{ label: words.discount, value: isSome(line.discount) ? money(`-${line.discount}`) : '' }] : []),
    ...(hasTax ? [{ label: words.tax, value: taxOf(line, money, language) }] : []),
    { label: words.total, value: money(line.total) },
  ]
  return shown.map(([index, line]) => ({
    index,
    isOptional: isOpen && line.is_optional,
    isChosen: line.is_chosen,
    least: isOpen ? line.quantity_min : null,
    most: line.quantity_max,
    name: line.product_name,
    about: offeredTerms(language, line, { currency, isOpen }),
    quantity: String(line.quantity),
    amounts: amounts(line),
  }))
}

const taxOf = ({ tax, tax_rate }: ShownLine, money: (amount: string) => string, language: Language): string =>
  tax_rate === null ? '' : `${money(tax)} (${formatPercent(language, tax_rate)})`

export function totalsOf(quote: ShownOffer, language: Language, words: DocumentTexts['quote']) {
  const money = (amount: string) => formatMoney(language, amount, quote.currency)
  return [
    { label: words.subtotal, value: money(quote.subtotal) },
    ...(isSome(quote.discount_total) ? [{ label: words.discount, value: money(`-${quote.discount_total}`) }] : []),
    ...(isSome(quote.tax_total) ? [{ label: words.tax, value: money(quote.tax_total) }] : []),
    { label: words.total, value: money(quote.total) },
  ]
}

/** Of a template whose data has `lines`, `totals`, `words`, `texts` and `hasChoice`. */
export const LINES = `
<table class="lines">
<thead><tr><th scope="col"><%= it.words.product %></th><th scope="col"><%= it.words.quantity %></th>
<% for (const { label } of it.lines[0]?.amounts ?? []) { %><th scope="col"><%= label %></th><% } %></tr></thead>
<tbody>
<% for (const line of it.lines) { %>
<tr>
<th scope="row" dir="auto"><%= line.name %><% for (const about of line.about) { %><span><%= about %></span><% } %>
<% if (line.isOptional) { %>
<div class="check">
<input id="chosen-<%= line.index %>" form="accept"
  name="chosen.<%= line.index %>" type="checkbox" value="true"<%= line.isChosen ? ' checked' : '' %>>
<label for="chosen-<%= line.index %>"><%= it.texts.include %></label></div>
<% } %></th>
<td data-label="<%= it.words.quantity %>">
<% if (line.least === null) { %><%= line.quantity %><% } else { %>
<label for="quantity-<%= line.index %>" class="unseen"><%= it.words.quantity %></label>
<input id="quantity-<%= line.index %>" form="accept" name="quantity.<%= line.index %>" type="number"
  min="<%= line.least %>" max="<%= line.most %>" value="<%= line.quantity %>" required><% } %></td>
<% for (const { label, value } of line.amounts) { %>
<td<% if (value) { %> data-label="<%= label %>"<% } %>><%= value %></td><% } %>
</tr>
<% } %>
</tbody>
</table>
<dl class="totals">
<% for (const { label, value } of it.totals) { %>
<div><dt><%= label %></dt><dd><%= value %></dd></div>
<% } %>
</dl>
<% if (it.hasChoice) { %>
<button form="accept" class="quiet narrow" name="preview" value="true" formnovalidate>
<%= it.texts.recalculate %></button><% } %>`

// GET /invoices/{token}: an invoice and how it is paid, for whoever has the link of its mails, without scripts.

import { renderSVG } from 'uqr'
import type { Company } from '#kernel/values/schema.ts'
import { textsIn } from '../texts/catalogue.ts'
import { formatDate, formatMoney, formatTime } from '../texts/format.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'
import { MARK, NO_LINK } from './parts.ts'

type ShownOptions = {
  page: { url: string } | null
  pix: { copy_code: string; expires_at: string | null } | null
  boleto: { line: string; pdf_url: string | null; expires_at: string | null } | null
  bank_transfer: { details: { label: string; value: string }[]; reference: string } | null
}

/** As the public API gives it. */
export type ShownInvoice = {
  number: string
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  company: Company
  seller: string
  customer: string
  total: string
  amount_due: string
  amount_paid: string
  currency: string
  due_date: string
  paid_at: string | null
  options: ShownOptions
}

export type InvoicePage = { token: string; invoice: ShownInvoice; timeZone: string }

export function invoicePage(context: PageContext, { token, invoice, timeZone }: InvoicePage): string {
  const { language } = context
  const { invoice: texts } = textsIn(language).pages
  const { total, amount_paid, amount_due, currency } = invoice
  const { pix, boleto } = invoice.options
  const money = (amount: string) => formatMoney(language, amount, currency)
  const until = (moment: string | null) => (moment === null ? '' : texts.until(formatTime(language, moment, timeZone)))
  const facts = [
    { label: texts.due, value: money(amount_due) },
    { label: texts.dueDate, value: formatDate(language, invoice.due_date) },
    ...(total === amount_due ? [] : [{ label: texts.total, value: money(total) }]),
    ...(/[1-9]/.test(amount_paid) ? [{ label: texts.paid, value: money(amount_paid) }] : []),
  ]
  const title = texts.title(invoice.number)
  return page(context, {
    title,
    body: body({
      title,
      texts,
      facts,
      invoice,
      isPaid: invoice.status === 'paid',
      state: stateOf(invoice, texts, invoice.paid_at && formatTime(language, invoice.paid_at, timeZone)),
      isPayable: hasOptions(invoice),
      qr: pix === null ? '' : renderSVG(pix.copy_code, { ecc: 'M', border: 2 }),
      pixUntil: until(pix?.expires_at ?? null),
      boletoUntil: until(boleto?.expires_at ?? null),
      pdf: `/api/v1/public/invoices/${encodeURIComponent(token)}/pdf`,
    }),
  })
}

export function noInvoicePage(context: PageContext, code: keyof PageTexts['errors']['codes']): string {
  const { invoice, errors } = textsIn(context.language).pages
  const problem = code === 'NOT_FOUND' ? invoice.badLink : errors.codes[code]
  return page(context, { title: invoice.noTitle, body: noBody({ title: invoice.noTitle, problem }) })
}

const hasOptions = ({ options }: ShownInvoice): boolean => Object.values(options).some((option) => option !== null)

function stateOf(invoice: ShownInvoice, texts: PageTexts['invoice'], paidAt: string | null): string {
  const { status } = invoice
  if (status === 'paid') return paidAt === null ? texts.isOver : texts.isPaid(paidAt)
  if (status === 'void') return texts.isOver
  return hasOptions(invoice) ? '' : texts.notYet
}

type Body = {
  title: string
  texts: PageTexts['invoice']
  facts: { label: string; value: string }[]
  invoice: ShownInvoice
  isPaid: boolean
  state: string
  isPayable: boolean
  qr: string
  pixUntil: string
  boletoUntil: string
  pdf: string
}

const body = template<Body>(`
<% if (it.isPaid) { %>${MARK}<% } %>
<h1><%= it.title %></h1>
<p class="soft"><%= it.texts.lead(it.invoice.seller, it.invoice.customer) %></p>
<% if (it.state) { %><p class="<%= it.isPaid ? 'good' : 'notice' %>" role="status"><%= it.state %></p><% } %>
<dl>
<% for (const { label, value } of it.facts) { %>
<div><dt><%= label %></dt><dd><%= value %></dd></div>
<% } %>
</dl>
<% const { page, pix, boleto, bank_transfer: transfer } = it.invoice.options %>
<% if (it.isPayable) { %><h2><%= it.texts.howToPay %></h2><% } %>
<% if (page) { %><a class="button" href="<%= page.url %>" rel="noreferrer"><%= it.texts.online %></a><% } %>
<% if (pix) { %>
<h3><%= it.texts.pix %></h3>
<p class="soft"><%= it.texts.pixLead %></p>
<div class="code"><%~ it.qr %></div>
<p class="copy"><code><%= pix.copy_code %></code></p>
<p class="hint"><%= it.pixUntil %></p>
<% } %>
<% if (boleto) { %>
<h3><%= it.texts.boleto %></h3>
<p class="soft"><%= it.texts.boletoLead %></p>
<p class="copy"><code><%= boleto.line %></code></p>
<% if (boleto.pdf_url) { %><p><a href="<%= boleto.pdf_url %>" rel="noreferrer"><%= it.texts.boletoPdf %></a></p><% } %>
<p class="hint"><%= it.boletoUntil %></p>
<% } %>
<% if (transfer) { %>
<h3><%= it.texts.transfer %></h3>
<dl>
<% for (const { label, value } of transfer.details) { %>
<div><dt dir="auto"><%= label %></dt><dd dir="auto"><%= value %></dd></div>
<% } %>
<div><dt><%= it.texts.reference %></dt><dd><%= transfer.reference %></dd></div>
</dl>
<% } %>
<p><a href="<%= it.pdf %>"><%= it.texts.pdf %></a></p>
`)

const noBody = template<{ title: string; problem: string }>(NO_LINK)

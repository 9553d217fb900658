// GET /docs/errors: every code and reason that an error can have. Part of the reference, so in English.
import { ERRORS } from '#kernel/values/errors.ts'
import { FIELD_CODES } from '../texts/answers/fields.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'

const TITLE = 'Errors'

/** `explained`: by reason, what it means. */
export function errorsPage(context: PageContext, explained: Readonly<Record<string, string>>): string {
  const codes = Object.entries(ERRORS).map(([name, { status, message }]) => ({ name, status, message }))
  const reasons = Object.entries(explained)
    // A sentence marks what is code by backticks: every second piece is.
    .map(([name, means]) => ({ name, means: means.split('`') }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  const fields = Object.entries(FIELD_CODES).map(([name, means]) => ({ name, means }))
  return page({ ...context, language: 'en' }, { title: TITLE, body: body({ codes, reasons, fields }), wide: true })
}

type ErrorsPageContent = {
  codes: { name: string; status: number; message: string }[]
  reasons: { name: string; means: string[] }[]
  fields: { name: string; means: string }[]
}

const body = template<ErrorsPageContent>(`
<h1>${TITLE}</h1>
<p class="soft">An answer that is no success has <code>errors.code</code>. Where one code has several causes that call
for different acts, <code>errors.reason</code> names the cause, and <code>errors.docs_url</code> leads to its line on
this page. Codes and reasons do not change; further reasons are added over time. <code>message</code> is for people.</p>
<h2>Codes</h2>
<% for (const { name, status, message } of it.codes) { %>
<p id="<%= name %>"><code><%= name %></code> <%= status %><br><%= message %></p>
<% } %>
<h2>Reasons</h2>
<% for (const { name, means } of it.reasons) { %>
<p id="<%= name %>"><a href="#<%= name %>"><code><%= name %></code></a><br><%
  for (const [nth, piece] of means.entries()) {
    if (nth % 2) { %><code><%= piece %></code><% } else { %><%= piece %><% }
  }
%></p>
<% } %>
<h2>Codes of fields</h2>
<p class="soft">A <code>VALIDATION_ERROR</code> has one of these for each field, in <code>errors.field_codes</code>.</p>
<% for (const { name, means } of it.fields) { %>
<p id="field-<%= name %>"><code><%= name %></code><br><%= means %></p>
<% } %>
`)

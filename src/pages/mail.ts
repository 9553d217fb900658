// GET /mail and GET /mail/{name}: the mails that the sandbox keeps.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'

export type MailSummary = { name: string; to: string; subject: string; date: string }
export type ShownMail = MailSummary & {
  from: string
  replyTo: string
  text: string
  html: string
  attachments: string[]
}

export function mailListPage(context: PageContext, mails: readonly MailSummary[]): string {
  const texts = textsIn(context.language).pages.mail
  return page(context, { title: texts.title, body: listBody({ texts, mails }), wide: true, scripts: ['times'] })
}

/** The answer must have the `mail` policy. */
export function mailPage(context: PageContext, mail: ShownMail): string {
  const texts = textsIn(context.language).pages.mail
  return page(context, {
    title: mail.subject || texts.noSubject,
    body: mailBody({ texts, mail, frame: framed(mail.html), pieces: pieces(mail.text) }),
    wide: true,
    scripts: ['times'],
  })
}

/** The frame has no scripts and no origin; its links open in a new window, as from a mail program. */
function framed(html: string): string {
  return html === '' ? '' : `<base target="_blank">${html}`
}

/** Splits the text into plain pieces and http(s) URLs. */
function pieces(text: string): { text: string; isLink: boolean }[] {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((piece, index) => ({ text: piece, isLink: index % 2 === 1 }))
}

const listBody = template<{ texts: PageTexts['mail']; mails: readonly MailSummary[] }>(`
<h1><%= it.texts.title %></h1>
<p class="soft"><%= it.texts.lead %></p>
<% if (it.mails.length === 0) { %>
<p><%= it.texts.empty %></p>
<% } else { %>
<ul class="mails">
<% for (const mail of it.mails) { %>
<li><a href="/mail/<%= encodeURIComponent(mail.name) %>">
<strong dir="auto"><%= mail.subject || it.texts.noSubject %></strong>
<span><%= it.texts.to %>: <bdi><%= mail.to %></bdi></span>
<time datetime="<%= mail.date %>"><%= mail.date %></time>
</a></li>
<% } %>
</ul>
<% } %>
`)

type MailView = {
  texts: PageTexts['mail']
  mail: ShownMail
  frame: string
  pieces: { text: string; isLink: boolean }[]
}

const mailBody = template<MailView>(`
<p><a href="/mail">← <%= it.texts.back %></a></p>
<h1 dir="auto"><%= it.mail.subject || it.texts.noSubject %></h1>
<dl>
<div><dt><%= it.texts.from %></dt><dd><bdi><%= it.mail.from %></bdi></dd></div>
<div><dt><%= it.texts.to %></dt><dd><bdi><%= it.mail.to %></bdi></dd></div>
<div><dt><%= it.texts.date %></dt><dd><time datetime="<%= it.mail.date %>"><%= it.mail.date %></time></dd></div>
</dl>
<% if (it.frame) { %>
<h2><%= it.texts.html %></h2>
<iframe title="<%= it.texts.html %>" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"
  srcdoc="<%= it.frame %>"></iframe>
<% } %>
<% if (it.mail.attachments.length > 0) { %>
<h2><%= it.texts.attachments %></h2>
<ul>
<% for (const name of it.mail.attachments) { %><li><bdi><%= name %></bdi></li>
<% } %></ul>
<% } %>
<h2><%= it.texts.text %></h2>
<pre dir="auto"><%
  for (const { text, isLink } of it.pieces) {
    if (isLink) { %><a href="<%= text %>" target="_blank" rel="noreferrer"><%= text %></a><% } else { %><%= text %><% }
  }
%></pre>
<% if (it.mail.replyTo) { %>
<h2><%= it.texts.answer %></h2>
<form method="post" action="/sandbox/mail/<%= encodeURIComponent(it.mail.name) %>/answer">
<label for="text"><%= it.texts.answerText %></label>
<textarea id="text" name="text" rows="5" required></textarea>
<p class="soft"><%= it.texts.answerHint %></p>
<button type="submit"><%= it.texts.answerButton %></button>
</form>
<% } %>
`)

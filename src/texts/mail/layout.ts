// The layout of all mails: tables and inline styles, since mail clients support little else. Nothing is loaded but the
// logo, in whose place the name stands until a mail client shows it.

import type { Brand, Shades } from '../brand.ts'
import type { Language } from '../language.ts'
import { template } from '../template.ts'
import type { MailWords } from './content.ts'

export type Letter = MailWords & {
  language: Language
  brand: Brand
  shades: Shades
  support: string
  link: string | null
  linkFallback: string
  footer: string
  unsubscribe: { label: string; url: string } | null
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const textOf = (size: number, height: number, color: string) =>
  `${FONT};font-size:${size}px;line-height:${height};color:${color}`

const INK = '#16202c'
const SOFT = '#586472'
const FOOT_LINK = `color:${SOFT};text-decoration:underline`
const RULE = 'border-top:1px solid #e0e5eb'
const TABLE = '<table role="presentation" cellpadding="0" cellspacing="0" border="0"'
const WIDE = `${TABLE} width="100%"`
const HIDDEN = 'display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#f3f5f8;opacity:0'
const NAME = `${FONT};font-size:17px;font-weight:700;letter-spacing:-0.01em;color:${INK};padding:0 4px 16px`
const LOGO = 'display:block;height:40px;width:auto;max-width:240px;border:0'
const CARD = 'background:#ffffff;border:1px solid #e0e5eb;border-radius:12px;padding:32px'
const HEADING = `${textOf(22, 1.3, INK)};font-weight:700;letter-spacing:-0.01em;margin:0 0 16px`
const LABEL = `${textOf(14, 1.5, SOFT)};${RULE};padding:10px 16px 10px 0`
const VALUE = `${textOf(15, 1.5, INK)};font-weight:600;${RULE};padding:10px 0`
const BUTTON = `${FONT};display:inline-block;font-size:16px;font-weight:600;line-height:1.2;text-decoration:none`
const FALLBACK = `${textOf(13, 1.5, SOFT)};${RULE};padding-top:16px;margin:24px 0 0`

export const mailHtml = template<Letter>(`
<!doctype html>
<html lang="<%= it.language %>" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title><%= it.subject %></title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #12161c !important }
  .card { background: #1b212a !important; border-color: #2e3743 !important }
  .ink { color: #eef2f6 !important }
  .soft { color: #a9b4c0 !important }
  .line { border-color: #2e3743 !important }
  .plain { color: <%= it.shades.onDark %> !important }
  .logo { background: #ffffff; padding: 6px 8px; border-radius: 8px }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f5f8;-webkit-text-size-adjust:100%">
<div style="${HIDDEN}"><%= it.preheader %><%~ '&#847;&zwnj;&nbsp;'.repeat(60) %></div>
${WIDE} class="page" style="background:#f3f5f8">
<tr><td align="center" style="padding:32px 16px">
${WIDE} style="max-width:560px">
<tr><td class="ink" dir="auto" style="${NAME}"><% if (it.brand.logo) { %>
<img class="logo" src="<%= it.brand.logo %>" alt="<%= it.brand.name %>" height="40" style="${LOGO}"><%
} else { %><%= it.brand.name %><% } %></td></tr>
<tr><td class="card" style="${CARD};border-top:3px solid <%= it.brand.color %>">
<h1 class="ink" style="${HEADING}"><%= it.heading %></h1>
<% for (const paragraph of it.paragraphs) { %>
<p class="ink" style="${textOf(16, 1.55, INK)};margin:0 0 16px"><%= paragraph %></p>
<% } %>
<% if (it.facts.length > 0) { %>
${WIDE} style="margin:8px 0 16px">
<% for (const fact of it.facts) { %>
<tr>
<td class="soft line" valign="top" dir="auto" style="${LABEL}"><%= fact.label %></td>
<td class="ink line" valign="top" align="right" dir="auto"
  style="${VALUE};<%= fact.value.length > 24 ? 'word-break:break-word' : 'white-space:nowrap' %>"><%= fact.value %></td>
</tr>
<% } %>
</table>
<% } %>
<% if (it.link !== null) { %>
${TABLE} style="margin:24px 0">
<tr><td style="border-radius:8px;background:<%= it.brand.color %>;border:1px solid <%= it.shades.onLight %>"><%
%><a href="<%= it.link %>" style="${BUTTON};color:<%= it.shades.text %>;padding:14px 24px;border-radius:8px"><%
%><%= it.button %></a></td></tr>
</table>
<% } %>
<% for (const note of it.notes) { %>
<p class="soft" style="${textOf(14, 1.5, SOFT)};margin:0 0 8px"><%= note %></p>
<% } %>
<% if (it.link !== null) { %>
<p class="soft line" style="${FALLBACK}"><%= it.linkFallback %><br>
<a class="plain" href="<%= it.link %>" style="color:<%= it.shades.onLight %>;word-break:break-all"><%
%><%= it.link %></a></p>
<% } %>
</td></tr>
<tr><td class="soft" style="${textOf(12, 1.5, SOFT)};padding:16px 4px 0"><%= it.footer %>
<% if (it.brand.supportUrl) { %>
<br><a class="soft" href="<%= it.brand.supportUrl %>" style="${FOOT_LINK}"><%= it.support %></a>
<% } %>
<% if (it.unsubscribe) { %>
<br><a class="soft" href="<%= it.unsubscribe.url %>" style="${FOOT_LINK}"><%= it.unsubscribe.label %></a>
<% } %>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`)

/** The plain text part. Nothing is escaped, since it is not HTML. */
export function mailText(letter: Letter): string {
  const facts = letter.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const link = letter.link === null ? '' : `${letter.button ?? ''}:\n${letter.link}`
  const unsubscribe = letter.unsubscribe && `\n${letter.unsubscribe.label}:\n${letter.unsubscribe.url}`
  const { supportUrl } = letter.brand
  const support = supportUrl === null ? '' : `\n${letter.support}: ${supportUrl}`
  const footer = `-- \n${letter.footer}${support}${unsubscribe ?? ''}`
  const blocks = [letter.heading, ...letter.paragraphs, facts, link, ...letter.notes, footer]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

// GET /: the start page with its links; and the page of a 404.

import { textsIn } from '../texts/catalogue.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'

/** `mail`: whether this installation shows its mail at /mail. */
export function startPage(context: PageContext, offered: { mail: boolean }): string {
  const { start } = textsIn(context.language).pages
  const links = [
    { href: '/app/', ...start.console },
    { href: '/docs', ...start.docs },
    ...(offered.mail ? [{ href: '/mail', ...start.mail }] : []),
    { href: '/healthz', ...start.health },
    { href: '/.well-known/jwks.json', ...start.keys },
  ]
  return page(context, { title: start.title, body: body({ title: start.title, lead: start.lead, links }) })
}

export function notFoundPage(context: PageContext): string {
  const { notFound } = textsIn(context.language).pages
  const links = [{ href: '/', label: notFound.back, about: '' }]
  return page(context, { title: notFound.title, body: body({ title: notFound.title, lead: notFound.lead, links }) })
}

type Start = { title: string; lead: string; links: { href: string; label: string; about: string }[] }

const body = template<Start>(`
<h1><%= it.title %></h1>
<p class="soft"><%= it.lead %></p>
<ul class="links">
<% for (const link of it.links) { %>
<li><a href="<%= link.href %>"><%= link.label %><% if (link.about) { %><span><%= link.about %></span><% } %></a></li>
<% } %>
</ul>
`)

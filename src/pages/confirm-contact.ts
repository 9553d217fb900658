// GET /confirm-contact/{token}: an address confirms that it wants to be a contact, without an account and without
// scripts.

import { textsIn } from '../texts/catalogue.ts'
import { contactRoles, type ContactRoleName } from '../texts/contacts.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'
import { MARK, NO_LINK } from './parts.ts'

/** As the public API gives it. */
export type ShownContact = { organization_name: string; roles: ContactRoleName[]; is_confirmed: boolean }

export function confirmContactPage(context: PageContext, shown: { token: string; contact: ShownContact }): string {
  const { organization_name: organization, roles, is_confirmed: isConfirmed } = shown.contact
  const texts = textsIn(context.language).pages.confirmContact
  const title = isConfirmed ? texts.done : texts.title(organization)
  return page(context, {
    title,
    body: body({
      title,
      isConfirmed,
      lead: isConfirmed ? texts.doneLead(organization) : texts.lead,
      roles: roles.map((role) => contactRoles[context.language][role]),
      button: texts.button,
      action: `/confirm-contact/${encodeURIComponent(shown.token)}`,
    }),
  })
}

/** For a link that confirms nothing, and for an answer that the API does not give at the moment. */
export function noContactPage(context: PageContext, code: keyof PageTexts['errors']['codes']): string {
  const { confirmContact, errors } = textsIn(context.language).pages
  const problem = code === 'NOT_FOUND' ? confirmContact.badLink : errors.codes[code]
  return page(context, { title: confirmContact.badTitle, body: noBody({ title: confirmContact.badTitle, problem }) })
}

type Body = { title: string; isConfirmed: boolean; lead: string; roles: string[]; button: string; action: string }

const body = template<Body>(`
<% if (it.isConfirmed) { %>${MARK}<% } %>
<h1><%= it.title %></h1>
<p class="soft"><%= it.lead %></p>
<ul>
<% for (const role of it.roles) { %>
<li><%= role %></li>
<% } %>
</ul>
<% if (!it.isConfirmed) { %>
<form method="post" action="<%= it.action %>">
<button type="submit"><%= it.button %></button>
</form>
<% } %>
`)

const noBody = template<{ title: string; problem: string }>(NO_LINK)

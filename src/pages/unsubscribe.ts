// GET /unsubscribe/{token}: switches mails of a kind off, or on again, without an account and without scripts.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'
import { MARK, NO_LINK } from './parts.ts'

/** As the public API gives it. */
export type ShownNotice = { name: string; organization_name: string; mail: boolean; has_inbox: boolean }

export function unsubscribePage(context: PageContext, shown: { token: string; notice: ShownNotice }): string {
  const { token, notice } = shown
  const texts = textsIn(context.language).pages.unsubscribe
  const title = notice.mail ? texts.title : texts.done
  const lead = notice.has_inbox ? texts.lead : texts.contactLead
  const say = notice.mail ? lead : texts.doneLead
  return page(context, {
    title,
    body: body({
      title,
      texts,
      isOn: notice.mail,
      lead: say(notice.name, notice.organization_name),
      action: `/unsubscribe/${encodeURIComponent(token)}`,
    }),
  })
}

/** For a link that switches nothing off, and for an answer that the API does not give at the moment. */
export function noSubscriptionPage(context: PageContext, code: keyof PageTexts['errors']['codes']): string {
  const { unsubscribe, errors } = textsIn(context.language).pages
  const problem = code === 'NOT_FOUND' ? unsubscribe.badLink : errors.codes[code]
  return page(context, { title: unsubscribe.badTitle, body: noBody({ title: unsubscribe.badTitle, problem }) })
}

type Body = { title: string; texts: PageTexts['unsubscribe']; isOn: boolean; lead: string; action: string }

const body = template<Body>(`
<% if (!it.isOn) { %>${MARK}<% } %>
<h1><%= it.title %></h1>
<p class="soft"><%= it.lead %></p>
<form method="post" action="<%= it.action %>">
<% if (it.isOn) { %>
<button type="submit"><%= it.texts.button %></button>
<% } else { %>
<button type="submit" name="mail" value="on" class="quiet"><%= it.texts.again %></button>
<% } %>
</form>
`)

const noBody = template<{ title: string; problem: string }>(NO_LINK)

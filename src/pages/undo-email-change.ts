// GET /undo-email-change: the page of the mailed link that restores an account's former e-mail address.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { type Destination, page, type PageContext } from './document.ts'
import { CHOOSE_PASSWORD, NOTICE } from './parts.ts'

export function undoEmailChangePage(context: PageContext, { portalUrl }: Destination): string {
  const { errors, working, toPortal, password, newPassword, undoEmailChange } = textsIn(context.language).pages
  const chosen = { title: newPassword.undone, lead: newPassword.undoneLead }
  return page(context, {
    title: undoEmailChange.title,
    body: body({ texts: undoEmailChange, password, newPassword, chosen, portalUrl, toPortal }),
    scripts: ['form', 'new-password', 'undo-email-change'],
    data: { errors, working, password, newPassword, undoEmailChange },
  })
}

type Body = Destination &
  Pick<PageTexts, 'toPortal' | 'password' | 'newPassword'> & {
    texts: PageTexts['undoEmailChange']
    chosen: { title: string; lead: string }
  }

const body = template<Body>(`
<section id="ask" data-part>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft"><%= it.texts.lead %></p>
<form id="undo" method="post">
<label for="email"><%= it.texts.email %></label>
<input id="email" type="email" readonly>
${NOTICE}
<button type="submit"><%= it.texts.button %></button>
</form>
</section>
${CHOOSE_PASSWORD}
<section id="incomplete" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="notice" role="alert"><%= it.texts.incomplete %></p>
</section>
`)

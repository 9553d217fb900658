// GET /verify-account: the page of the mailed link that proves an e-mail address.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { type Destination, page, type PageContext } from './document.ts'
import { CHOOSE_PASSWORD, MARK, NOTICE, revealed, TO_PORTAL } from './parts.ts'

export function verifyAccountPage(context: PageContext, { portalUrl }: Destination): string {
  const { errors, working, toPortal, password, newPassword, verifyAccount } = textsIn(context.language).pages
  const chosen = { title: newPassword.verified, lead: newPassword.verifiedLead }
  return page(context, {
    title: verifyAccount.title,
    body: body({ texts: verifyAccount, password, newPassword, chosen, portalUrl, toPortal }),
    scripts: ['form', 'new-password', 'verify-account'],
    data: { errors, working, password, newPassword, verifyAccount },
  })
}

type Body = Destination &
  Pick<PageTexts, 'toPortal' | 'password' | 'newPassword'> & {
    texts: PageTexts['verifyAccount']
    chosen: { title: string; lead: string }
  }

const body = template<Body>(`
<section id="ask" data-part>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft"><%= it.texts.lead %></p>
<form id="verify" method="post">
<label for="email"><%= it.texts.email %></label>
<input id="email" type="email" autocomplete="username" readonly>
<label for="password"><%= it.texts.password %></label>
${revealed(
  '<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" ' +
    'aria-describedby="password-hint">',
)}
<p class="hint" id="password-hint"><%= it.texts.passwordHint %></p>
${NOTICE}
<button type="submit"><%= it.texts.button %></button>
</form>
</section>
<section id="done" data-part hidden>
${MARK}
<h1 tabindex="-1"><%= it.texts.done %></h1>
<p><%= it.texts.doneLead %></p>
${TO_PORTAL}
</section>
${CHOOSE_PASSWORD}
<section id="incomplete" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="notice" role="alert"><%= it.texts.incomplete %></p>
</section>
`)

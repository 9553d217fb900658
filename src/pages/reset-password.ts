// GET /reset-password: the page of the mailed link that sets a new password.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { type Destination, page, type PageContext } from './document.ts'
import { MARK, NOTICE, PASSWORD_HINT, revealed, TO_PORTAL } from './parts.ts'

export function resetPasswordPage(context: PageContext, { portalUrl }: Destination): string {
  const { errors, working, toPortal, password, resetPassword } = textsIn(context.language).pages
  return page(context, {
    title: resetPassword.title,
    body: body({ texts: resetPassword, password, portalUrl, toPortal }),
    scripts: ['form', 'reset-password'],
    data: { errors, working, password, resetPassword },
  })
}

const PASSWORD = revealed(
  '<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" ' +
    'maxlength="128" required aria-describedby="password-hint">',
)

const body = template<Destination & Pick<PageTexts, 'toPortal' | 'password'> & { texts: PageTexts['resetPassword'] }>(`
<section id="ask" data-part>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft"><%= it.texts.lead %></p>
<form id="reset" method="post">
<label for="email"><%= it.texts.email %></label>
<input id="email" type="email" autocomplete="username" readonly>
<label for="password"><%= it.texts.password %></label>
${PASSWORD}
${PASSWORD_HINT}
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
<section id="incomplete" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="notice" role="alert"><%= it.texts.incomplete %></p>
</section>
`)

// GET /verify-account: the page behind the link that proves an address.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'
import { MARK, NOTICE } from './parts.ts'

export function verifyAccountPage(context: PageContext): string {
  const { errors, working, password, verifyAccount } = textsIn(context.language).pages
  return page(context, {
    title: verifyAccount.title,
    body: body(verifyAccount),
    scripts: ['form', 'verify-account'],
    data: { errors, working, password, verifyAccount },
  })
}

const body = template<PageTexts['verifyAccount']>(`
<section id="ask" data-part>
<h1 tabindex="-1"><%= it.title %></h1>
<p class="soft"><%= it.lead %></p>
<form id="verify" method="post">
<label for="email"><%= it.email %></label>
<input id="email" type="email" readonly>
${NOTICE}
<button type="submit"><%= it.button %></button>
</form>
</section>
<section id="done" data-part hidden>
${MARK}
<h1 tabindex="-1"><%= it.done %></h1>
<p><%= it.doneLead %></p>
<form id="ask-password" method="post">
<p class="soft"><%= it.passwordLead %></p>
${NOTICE}
<button type="submit" class="quiet"><%= it.passwordButton %></button>
</form>
</section>
<section id="sent" data-part hidden>
${MARK}
<h1 tabindex="-1"><%= it.done %></h1>
<p><%= it.passwordSent %></p>
</section>
<section id="incomplete" data-part hidden>
<h1 tabindex="-1"><%= it.title %></h1>
<p class="notice" role="alert"><%= it.incomplete %></p>
</section>
`)

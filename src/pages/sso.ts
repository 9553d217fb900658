// GET /sso: begins a sign-in at an identity provider, and finishes it when the provider sends the browser back here.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { type Destination, page, type PageContext } from './document.ts'
import { NOTICE, SECOND_FACTOR } from './parts.ts'

/** Return paths are those of the console, or of the vendor's own portal. */
export function ssoPage(context: PageContext, { portalUrl }: Destination): string {
  const { errors, working, password, sso, secondFactor } = textsIn(context.language).pages
  return page(context, {
    title: sso.title,
    body: body({ texts: sso, secondFactor }),
    scripts: ['form', 'sso'],
    data: { errors, working, password, sso, secondFactor, destination: { base: portalUrl } },
  })
}

const body = template<Pick<PageTexts, 'secondFactor'> & { texts: PageTexts['sso'] }>(`
<section id="begin" data-part>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft"><%= it.texts.lead %></p>
<form id="address" method="post">
<label for="email"><%= it.texts.email %></label>
<input id="email" name="email" type="email" autocomplete="username" required>
${NOTICE}
<button type="submit"><%= it.texts.button %></button>
</form>
</section>
<section id="finishing" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft" role="status"><%= it.texts.finishing %></p>
</section>
<section id="program" data-part hidden>
<h1 tabindex="-1"><%= it.texts.program %></h1>
<p class="soft"><%= it.texts.programLead %></p>
<form id="hand-over" method="post">
${NOTICE}
<button type="submit"><%= it.texts.programButton %></button>
</form>
</section>
<section id="second" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft"><%= it.secondFactor.lead %></p>
<form id="answer" method="post">${SECOND_FACTOR}
</form>
</section>
<section id="failed" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="notice" role="alert" id="problem"></p>
<p><a href="/sso"><%= it.texts.again %></a></p>
</section>
`)

// GET /end-sessions: the page of the link in the mail about a sign-in from a new device.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { type Destination, page, type PageContext } from './document.ts'
import { MARK, NOTICE, TO_PORTAL } from './parts.ts'

export function endSessionsPage(context: PageContext, { portalUrl }: Destination): string {
  const { errors, working, toPortal, password, endSessions } = textsIn(context.language).pages
  return page(context, {
    title: endSessions.title,
    body: body({ texts: endSessions, portalUrl, toPortal }),
    scripts: ['form', 'end-sessions'],
    data: { errors, working, password },
  })
}

const body = template<Destination & Pick<PageTexts, 'toPortal'> & { texts: PageTexts['endSessions'] }>(`
<section id="ask" data-part>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft"><%= it.texts.lead %></p>
<form id="end" method="post">
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
<section id="expired" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="notice" role="alert"><%= it.texts.badLink %></p>
</section>
<section id="incomplete" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="notice" role="alert"><%= it.texts.incomplete %></p>
</section>
`)

// GET /invites: the page that an invitation links to; the person signs in or registers, then accepts or declines.

import { textsIn } from '../texts/catalogue.ts'
import type { PageTexts } from '../texts/pages/content.ts'
import { template } from '../texts/template.ts'
import { type Destination, page, type PageContext } from './document.ts'
import { MARK, NOTICE, PASSWORD_HINT, revealed, SECOND_FACTOR, TO_PORTAL } from './parts.ts'

/** After accepting, the page links to the console, or the vendor's own portal. */
export function invitesPage(context: PageContext, { portalUrl }: Destination): string {
  const { errors, working, toPortal, password, invites, secondFactor } = textsIn(context.language).pages
  return page(context, {
    title: invites.title,
    body: body({ texts: invites, password, secondFactor, portalUrl, toPortal }),
    scripts: ['form', 'invites'],
    data: { errors, working, password, invites, secondFactor },
  })
}

const OLD_PASSWORD = revealed(
  '<input id="old-password" name="password" type="password" autocomplete="current-password" maxlength="128" required>',
)
const NEW_PASSWORD = revealed(
  '<input id="new-password" name="password" type="password" autocomplete="new-password" minlength="8" ' +
    'maxlength="128" required aria-describedby="password-hint">',
)

const SIGN_IN = `
<form id="sign-in" method="post">
<label for="old-email"><%= it.texts.email %></label>
<input id="old-email" name="email" type="email" autocomplete="username" required>
<label for="old-password"><%= it.texts.password %></label>
${OLD_PASSWORD}
${NOTICE}
<button type="submit"><%= it.texts.signInButton %></button>
</form>`

const REGISTER = `
<form id="register" method="post" hidden>
<label for="name"><%= it.texts.name %></label>
<input id="name" name="name" autocomplete="name" maxlength="200" required>
<label for="new-email"><%= it.texts.email %></label>
<input id="new-email" name="email" type="email" autocomplete="username" readonly required>
<label for="new-password"><%= it.texts.password %></label>
${NEW_PASSWORD}
${PASSWORD_HINT}
${NOTICE}
<button type="submit"><%= it.texts.registerButton %></button>
</form>`

const INVITATION = `
<section id="invitation" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft"><%= it.texts.lead %></p>
<dl>
<div hidden><dt><%= it.texts.organization %></dt><dd id="organization" dir="auto"></dd></div>
<div hidden><dt><%= it.texts.role %></dt><dd id="role"></dd></div>
<div hidden><dt><%= it.texts.email %></dt><dd id="invited"></dd></div>
<div hidden><dt><%= it.texts.validUntil %></dt><dd id="valid-until"></dd></div>
</dl>
<div id="identify">
<h2 id="choose-label"><%= it.texts.choose %></h2>
<div class="switch" role="group" aria-labelledby="choose-label">
<button type="button" data-choose="sign-in" aria-pressed="true"><%= it.texts.signIn %></button>
<button type="button" data-choose="register" aria-pressed="false"><%= it.texts.register %></button>
</div>
${SIGN_IN}
${REGISTER}
</div>
<form id="second" method="post" hidden>
<h2 tabindex="-1"><%= it.secondFactor.lead %></h2>${SECOND_FACTOR}
</form>
<form id="answer" method="post" hidden>
<h2 tabindex="-1"><%= it.texts.decide %></h2>
${NOTICE}
<div class="pair">
<button type="submit" name="answer" value="accept"><%= it.texts.accept %></button>
<button type="submit" name="answer" value="reject" class="quiet"><%= it.texts.reject %></button>
</div>
</form>
</section>`

type Body = Destination & Pick<PageTexts, 'toPortal' | 'password' | 'secondFactor'> & { texts: PageTexts['invites'] }

const body = template<Body>(`
<section id="checking" data-part>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="soft" role="status"><%= it.texts.checking %></p>
</section>
${INVITATION}
<section id="accepted" data-part hidden>
${MARK}
<h1 tabindex="-1"><%= it.texts.accepted %></h1>
<p><%= it.texts.acceptedLead %></p>
${TO_PORTAL}
</section>
<section id="rejected" data-part hidden>
<h1 tabindex="-1"><%= it.texts.rejected %></h1>
<p><%= it.texts.rejectedLead %></p>
</section>
<section id="failed" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="notice" role="alert" id="problem"></p>
</section>
<section id="incomplete" data-part hidden>
<h1 tabindex="-1"><%= it.texts.title %></h1>
<p class="notice" role="alert"><%= it.texts.incomplete %></p>
</section>
`)

// Template source that several pages share.

/** The page must pass `it.password`. */
export const PASSWORD_HINT = '<p class="hint" id="password-hint"><%= it.password.hint %></p>'

/** A password field with a button that reveals the password. */
export function revealed(input: string): string {
  return `<div class="reveal">${input}<button type="button" aria-pressed="false"><%= it.password.show %></button></div>`
}

/** For the error of a form; screen readers announce it when it changes. */
export const NOTICE = '<p class="notice" role="alert"></p>'

export const MARK =
  '<div class="mark" aria-hidden="true"><svg width="24" height="24" viewBox="0 0 24 24" fill="none" ' +
  'stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="M5 ' +
  '12.5l4.5 4.5L19 7.5"/></svg></div>'

const NEW_PASSWORD = revealed(
  '<input id="new-password" name="password" type="password" autocomplete="new-password" minlength="8" ' +
    'maxlength="128" required aria-describedby="new-password-hint">',
)

/** The fields of a second factor, whose proof browser/form.js reads. The page must pass `it.secondFactor`. */
export const SECOND_FACTOR = `
<label for="code"><%= it.secondFactor.code %></label>
<input id="code" name="code" inputmode="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"
  maxlength="64" required>
${NOTICE}
<button type="submit"><%= it.secondFactor.button %></button>`

/** Where somebody goes on who is done. The page must pass `it.portalUrl` and `it.toPortal`. */
export const TO_PORTAL = '<p><a class="button" href="<%= it.portalUrl %>"><%= it.toPortal %></a></p>'

/**
 * The elements of browser/new-password.js. The page must pass `it.newPassword`, `it.password`, `it.chosen` and what
 * TO_PORTAL needs.
 */
export const CHOOSE_PASSWORD = `
<section id="choose" data-part hidden>
${MARK}
<h1 tabindex="-1"><%= it.chosen.title %></h1>
<p><%= it.chosen.lead %></p>
<form id="choose-password" method="post">
<label for="new-email"><%= it.newPassword.email %></label>
<input id="new-email" type="email" autocomplete="username" readonly>
<label for="new-password"><%= it.newPassword.password %></label>
${NEW_PASSWORD}
<p class="hint" id="new-password-hint"><%= it.password.hint %></p>
${NOTICE}
<button type="submit"><%= it.newPassword.button %></button>
</form>
</section>
<section id="chosen" data-part hidden>
${MARK}
<h1 tabindex="-1"><%= it.newPassword.done %></h1>
<p><%= it.newPassword.doneLead %></p>
${TO_PORTAL}
</section>
`

/** The page of a link that does nothing. */
export const NO_LINK = `
<h1><%= it.title %></h1>
<p class="notice" role="alert"><%= it.problem %></p>
`

// Pieces that several pages share, as template source.

/** The page gives `it.password`. */
export const PASSWORD_HINT = '<p class="hint" id="password-hint"><%= it.password.hint %></p>'

/** A password field with a button that shows what was typed. */
export function revealed(input: string): string {
  return `<div class="reveal">${input}<button type="button" aria-pressed="false"><%= it.password.show %></button></div>`
}

/** Where a form says what went wrong: read out when it changes. */
export const NOTICE = '<p class="notice" role="alert"></p>'

export const MARK =
  '<div class="mark" aria-hidden="true"><svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg></div>'

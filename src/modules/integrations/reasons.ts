// Why requests are refused here, and in the modules above that refuse for the same reason.
export const integrationsReasons = {
  event_not_handled: 'Events of this type are not used by this version.',
  event_unreadable:
    'The event could not be read. The message says why. It cannot be handled again: read its body, do by ' +
    'hand what is to be done, and set it aside.',
  nobody_to_invite: 'Only an import of members that was no dry run has somebody to invite.',
  value_not_allowed: 'The organization cannot have the proposed value. The message says why.',
} as const

declare module '#kernel/values/reasons.ts' {
  interface Reasons extends Record<keyof typeof integrationsReasons, string> {}
}

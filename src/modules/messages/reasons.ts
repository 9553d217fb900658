// Why requests are refused here, and in the modules above that refuse for the same reason.
export const messagesReasons = {
  already_in_progress: 'The same act is under way. Wait for its end.',
  limit_reached: 'There are as many of these as there may be. The message says how many; end or delete one first.',
  already_named: 'The contact has the role already.',
  mail_of_account: 'Mails about an account are asked for again by the person: a new link, a new password.',
  endpoint_scopes_missing: 'Whoever set the webhook endpoint up does not hold the scopes of this event.',
} as const

declare module '#kernel/values/reasons.ts' {
  interface Reasons extends Record<keyof typeof messagesReasons, string> {}
}

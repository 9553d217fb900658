// Mails that no person waits for an answer to: automatic answers, reports about deliveries, lists (RFC 3834, RFC 2919).
type Values = (header: string) => string[]

const NOT_BY_HAND = ['bulk', 'junk', 'list', 'auto_reply', 'auto-reply']
/** Programs of vacations and of ticket systems write these; what they say does not matter. */
const ALWAYS = ['x-autoreply', 'x-autorespond', 'x-auto-reply', 'list-id', 'x-failed-recipients']

export function isAutomatic(values: Values): boolean {
  const given = (name: string): string[] => values(name).map((value) => value.trim().toLowerCase())
  return (
    given('auto-submitted').some((value) => value !== '' && !/^no\b/.test(value)) ||
    given('precedence').some((value) => NOT_BY_HAND.includes(value)) ||
    ALWAYS.some((name) => given(name).length > 0) ||
    given('return-path').some((value) => value.replaceAll(/\s/g, '') === '<>') ||
    given('content-type').some((value) => value.startsWith('multipart/report')) ||
    given('from').some((value) => /(^|<|\s)(mailer-daemon|postmaster)@/.test(value))
  )
}

// Why requests are refused here, and in the modules above that refuse for the same reason.
export const supportReasons = {
  issue_linked: 'The ticket is linked to an issue already.',
} as const

declare module '#kernel/values/reasons.ts' {
  interface Reasons extends Record<keyof typeof supportReasons, string> {}
}

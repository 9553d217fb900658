// Why requests are refused here, and in the modules above that refuse for the same reason.
export const operationsReasons = {
  sandbox_only: 'This exists in the sandbox only.',
  still_open:
    'Invoices, refunds, subscriptions or the like are not settled. The message says what, and how many; ' +
    'settle them first.',
  organization_not_new: 'Only a new organization, without records, can get this.',
  test_clock_exists: 'The organization has a test clock already.',
  test_clock_advancing: 'The test clock is advancing. Wait until it stands.',
} as const

declare module '#kernel/values/reasons.ts' {
  interface Reasons extends Record<keyof typeof operationsReasons, string> {}
}

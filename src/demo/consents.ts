// What the people of the demo agreed to when they registered, and what one of them has withdrawn since.
import { addGivenConsents, type GivenConsents } from '#modules/identity/auth/given-consents.ts'
import { recordConsent } from '#modules/operations/privacy/consents.ts'
import type { Caller, SystemContext } from '#kernel/data/context.ts'

const version = '2026-11'
const TEXTS: GivenConsents = [
  { purpose: 'terms_of_use', version },
  { purpose: 'privacy_notice', version },
]
const NEWS: GivenConsents = [{ purpose: 'product_news', version }]
const ADDRESS = '203.0.113.7'

/** All agree to the texts, the first two to news of the product, of whom the second thinks again. */
export async function demoConsents(ctx: SystemContext, people: readonly { userId: number }[]): Promise<void> {
  for (const [nth, { userId }] of people.entries())
    await ctx.ask(addGivenConsents(nth < 2 ? [...TEXTS, ...NEWS] : TEXTS, { userId, at: ctx.now, ip: ADDRESS }))
  const [, second] = people
  if (second === undefined) return
  const caller: Caller = { ...ctx.caller, kind: 'user', userId: second.userId }
  const withdrawal = { purpose: 'product_news', version, is_given: false } as const
  await recordConsent({ ...ctx, caller, ip: ADDRESS }, withdrawal, true)
}

// What counts guesses: by the caller's address and by the account that the body names.
import type { Limit } from '#kernel/http/route.ts'

export const emailOf = ({ email }: Record<string, unknown>): string | undefined =>
  typeof email === 'string' ? email : undefined

export const guesses: Limit = { policy: 'credentials', account: emailOf }

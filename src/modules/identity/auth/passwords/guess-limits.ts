// The rate limit for guessing credentials: per IP address, and per account that the body names.
import type { Limit } from '#http/features/features.ts'

export const emailOf = ({ email }: Record<string, unknown>): string | undefined =>
  typeof email === 'string' ? email : undefined

export const guesses: Limit = { policy: 'credentials', account: emailOf }

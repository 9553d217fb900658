// Refuses an amount that is not above 0, or more than there is. Each bound has its sentence, since each has its code.
import { type AppError, invalid } from '#kernel/values/errors.ts'

/** `said`: the most as people read it. Null: none was given, and nothing is left that it could be. */
export const notUpTo = (said: string, amount: bigint | null, field = 'amount'): AppError =>
  invalid({ [field]: amount !== null && amount <= 0n ? 'must be more than 0' : `must be at most ${said}` })

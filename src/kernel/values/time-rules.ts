// Rules about times in a body, which a schema cannot express because they depend on the clock.
import { latestBeginning } from './clock-skew.ts'
import type { Fields } from '#kernel/http/problems.ts'

type Moment = string | null | undefined

/** The moment, if given, must be later than now. */
export const inFuture = (field: string, moment: Moment, now: Date): Fields =>
  typeof moment === 'string' && !(new Date(moment) > now) ? { [field]: 'must lie in the future' } : {}

/** The moment, if given, must not be later than now on the clock of any instance. */
export const notInFuture = (field: string, moment: Moment, now: Date): Fields =>
  typeof moment === 'string' && new Date(moment) > latestBeginning(now) ? { [field]: 'must not lie in the future' } : {}

// Rules about times in a body, which a schema cannot express because they depend on the clock.
import { latestBeginning } from './clock-skew.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'

type Moment = string | null | undefined

/** The moment, if given, must be later than now. */
export const inFuture = (field: string, moment: Moment, now: Date): Fields =>
  typeof moment === 'string' && !(new Date(moment) > now) ? { [field]: 'must lie in the future' } : {}

/** The moment, if given, must not be later than now on the clock of any instance. */
export const notInFuture = (field: string, moment: Moment, now: Date): Fields =>
  typeof moment === 'string' && new Date(moment) > latestBeginning(now) ? { [field]: 'must not lie in the future' } : {}

/** The moment, if given, must not be from before what is kept; null: all is. */
export const notBefore = (field: string, moment: Moment, kept: Moment): Fields =>
  typeof moment === 'string' && typeof kept === 'string' && new Date(moment) < new Date(kept)
    ? { [field]: `must not be before ${kept}: older entries of the audit log were removed` }
    : {}

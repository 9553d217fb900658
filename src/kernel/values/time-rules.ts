// Rules about moments in a body, which a schema cannot say because the clock decides.
import { latestBeginning } from './clock-skew.ts'
import type { Fields } from '#kernel/http/problems.ts'

type Moment = string | null | undefined

/** A moment that is given lies after now. */
export const inFuture = (field: string, moment: Moment, now: Date): Fields =>
  typeof moment === 'string' && !(new Date(moment) > now) ? { [field]: 'must lie in the future' } : {}

/** A moment that is given has been, on some instance's clock. */
export const notInFuture = (field: string, moment: Moment, now: Date): Fields =>
  typeof moment === 'string' && new Date(moment) > latestBeginning(now) ? { [field]: 'must not lie in the future' } : {}

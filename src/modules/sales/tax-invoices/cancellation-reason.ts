// The reason for a cancellation or a substitution, within the limits of the authority.
import { invalid } from '#kernel/values/errors.ts'
import { type Fields, problemsIn } from '#kernel/values/validation/problems.ts'
import { storable } from './recipient.ts'

export const SHORTEST_REASON = 15

/** 422 if it is too short without the characters that XML cannot hold. */
export function reasonFrom(given: string): string {
  const reason = storable(given).trim()
  if (reason.replaceAll(/\s+/g, ' ').length < SHORTEST_REASON)
    throw invalid({ reason: `must have ${SHORTEST_REASON} characters or more, besides those that cannot be read` })
  return reason
}

export const reasonRules = ({ reason }: { reason?: string }): Fields =>
  reason === undefined ? {} : problemsIn(() => reasonFrom(reason))

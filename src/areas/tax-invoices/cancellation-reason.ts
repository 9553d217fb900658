// Why a tax invoice is cancelled or replaced, as an authority can take it.
import { invalid } from '#kernel/http/errors.ts'
import { type Fields, problemsIn } from '#kernel/http/problems.ts'
import { storable } from './recipient.ts'

export const SHORTEST_REASON = 15

/** 422 when too little is left without the characters that nobody can read. */
export function reasonFrom(given: string): string {
  const reason = storable(given).trim()
  if (reason.replaceAll(/\s+/g, ' ').length < SHORTEST_REASON)
    throw invalid({ reason: `must have ${SHORTEST_REASON} characters or more, besides those that cannot be read` })
  return reason
}

export const reasonRules = ({ reason }: { reason?: string }): Fields =>
  reason === undefined ? {} : problemsIn(() => reasonFrom(reason))

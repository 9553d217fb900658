// What becomes of the statuses of a ticket and its issue, by the pairs of `issue_statuses`.
import { moveInto } from '#modules/support/tickets/ticket.ts'
import { allows } from '#kernel/data/moves.ts'
import type { StatusPair, SyncedStatus } from '#ports/issue-tracker.ts'

type Pairs = readonly StatusPair[]

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The tracker's status for one of ours; null without a pair. */
export const theirsOf = (pairs: Pairs, status: SyncedStatus): string | null =>
  pairs.find(({ ours }) => ours === status)?.theirs ?? null

const oursOf = (pairs: Pairs, status: string): SyncedStatus | null =>
  pairs.find(({ theirs }) => isSame(theirs, status))?.ours ?? null

type Statuses = {
  ours: SyncedStatus
  theirs: string
  /** As they were when both were last compared; null: ours is to be carried over again. */
  oursBefore: SyncedStatus | null
  theirsBefore: string
}

export type Decision =
  | { act: 'nothing' }
  /** Neither has changed: a problem from before stays. */
  | { act: 'keep' }
  | { act: 'push'; to: string }
  | { act: 'pull'; to: SyncedStatus }
  | { act: 'tell'; problem: string }

/** Where both changed, ours counts: what a customer decided is not undone by somebody who may not have seen it. */
export function decide(pairs: Pairs, { ours, theirs, oursBefore, theirsBefore }: Statuses): Decision {
  const isOursNew = ours !== oursBefore
  if (!isOursNew && isSame(theirs, theirsBefore)) return { act: 'keep' }
  if (pairs.some((pair) => pair.ours === ours && isSame(pair.theirs, theirs))) return { act: 'nothing' }
  if (isOursNew) {
    const to = theirsOf(pairs, ours)
    return to === null ? { act: 'nothing' } : { act: 'push', to }
  }
  const to = oursOf(pairs, theirs)
  if (to === null) return { act: 'nothing' }
  if (allows(moveInto(to), ours)) return { act: 'pull', to }
  return { act: 'tell', problem: `The issue is ${theirs}; a ticket that is ${ours} cannot become ${to}` }
}

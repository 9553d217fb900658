// The settings of the vendor about tickets that have an issue in the tracker of its developers.
import { Type } from 'typebox'
import { Closed } from '#kernel/values/schema.ts'
import { type StatusPair, SYNCED_STATUSES } from './issue-tracker.ts'
import { declared } from './setting-declaration.ts'

const BOTH = ['vendor'] as const
/** Without blanks, since it is the first word of a comment. */
export const PUBLIC_PREFIX = /^\S{2,40}$/

/** As the tracker writes it. */
const TrackerStatus = Type.String({
  maxLength: 255,
  pattern: String.raw`^[^\s\x00-\x1f](?:[^\x00-\x1f\x7f]*[^\s\x00-\x1f])?$`,
  examples: ['Done'],
})
const StatusCounterpart = Closed({ label: Type.Enum(SYNCED_STATUSES), value: TrackerStatus })

/** As the areas compare them, in their order. */
export const pairsOf = (set: readonly { label: StatusPair['ours']; value: string }[]): StatusPair[] =>
  set.map(({ label: ours, value: theirs }) => ({ ours, theirs }))

export const TRACKER_SETTINGS = {
  issue_statuses: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Array(StatusCounterpart, {
      maxItems: 50,
      description:
        'Statuses of tickets, each with one of the issue tracker; the first pair of a status counts, and a status ' +
        'without a pair stays as it is',
      examples: [[{ label: 'resolved', value: 'Done' }]],
    }),
    variables: ['ISSUE_TRACKER_STATUSES'],
    first: ({ issueTracker }) =>
      issueTracker.kind === 'none'
        ? []
        : issueTracker.rules.statuses.map(({ ours, theirs }) => ({ label: ours, value: theirs })),
  }),
  issue_public_prefix: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.String({
      pattern: PUBLIC_PREFIX.source,
      description: 'A comment in the issue tracker that begins with it is shown to the customer',
      examples: ['/public'],
    }),
    variables: ['ISSUE_TRACKER_PUBLIC_PREFIX'],
    first: ({ issueTracker }) => (issueTracker.kind === 'none' ? '/public' : issueTracker.rules.publicPrefix),
  }),
} as const

// The test clock of an organization (docs/decisions/0062): its record, and what staff send.
import { Type, type Static } from 'typebox'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { Closed, Nullable, Timestamp } from '#kernel/values/schema.ts'

export const TestClock = Type.Object(
  {
    organization_id: Type.Integer({ examples: [7] }),
    status: Type.Enum(['ready', 'advancing', 'failed'], {
      description:
        '`ready`: the time stands still; `advancing`: it passes, up to `advancing_to`; `failed`: it stopped ' +
        'at `now` because of `error`, and goes on with the next advance',
      examples: ['ready'],
    }),
    now: { ...Timestamp, description: 'The time of the organization' },
    advancing_to: Nullable(Timestamp),
    error: Nullable(Type.String({ examples: ['the job invoices/remind failed: Error: no such template'] })),
    started_at: { ...Timestamp, description: 'The time at which the clock was set when it was added' },
    created_at: { ...Timestamp, description: 'In real time, as `updated_at`' },
    updated_at: Timestamp,
  },
  { description: 'The clock of a test organization, which lives in a time of its own' },
)
export type TestClock = Static<typeof TestClock>

export const NewTestClock = Closed({ now: { ...Timestamp, description: 'The time at which it stands' } })
export const TestClockAdvance = Closed({ to: { ...Timestamp, description: 'At most five years ahead' } })

const EARLIEST = '2000-01-01T00:00:00Z'
const LATEST = '2100-01-01T00:00:00Z'
export const LONGEST_YEARS = 5

/** Within the years for which rules about dates are tested. */
export function rangeProblems(field: string, moment: string | undefined): Fields {
  if (moment === undefined) return {}
  const at = new Date(moment)
  return at >= new Date(EARLIEST) && at < new Date(LATEST)
    ? {}
    : { [field]: `must lie from ${EARLIEST.slice(0, 4)} on and before ${LATEST.slice(0, 4)}` }
}

// What an area declares to wait for the customer: records that somebody with the scope has to act on (GET /me/actions).
import type { Searchable } from '#kernel/data/lists/search.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'

export type ActionRow = { id: number; label: string; due_on: string | null }

export type Action = Pick<Searchable, 'scope' | 'ofStaff'> & {
  /** `quote_to_accept` */
  kind: string
  /** The record, as events call it. */
  resource: string
  /** What is to be done, for the readers of openapi.json. */
  does: string
  /** In any order, without a limit; an index leads to those that wait. `today`: in the zone of each legal entity. */
  rows: (asked: Clock & { org: number; today: Record<Company, string> }) => Statement<ActionRow>
}

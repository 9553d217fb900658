// What an area declares to wait for the customer: records that somebody with the scope has to act on (GET /me/actions).
import type { Scope } from '#kernel/values/permissions.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'

export type ActionRow = { id: number; label: string; due_on: string | null }

export type Action = {
  /** `quote_to_accept` */
  kind: string
  scope: Scope
  /** What staff need in place of it, where they need another scope to list the records. */
  ofStaff?: Scope
  /** The record, as events call it. */
  resource: string
  /** What is to be done, for the readers of openapi.json. */
  does: string
  /** In any order, without a limit; an index leads to those that wait. `today`: in the zone of each legal entity. */
  rows: (asked: Clock & { org: number; today: Record<Company, string> }) => Statement<ActionRow>
}

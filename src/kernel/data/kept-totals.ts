// Totals of long lists, which are counted again only when something in the organization has changed since
// (docs/decisions/0050).
import { LRUCache } from 'lru-cache'
import type { PagePlan } from './page.ts'
import { prepare, type Statement, sql } from './sql.ts'

/** Shorter lists are counted each time: that costs less than a millisecond. */
const MANY = 5_000
const ORGANIZATIONS = 200
const TOTALS_OF_ONE = 50
/** Rows that were not written by changes (by an operator, by a migration beside this process) count after this time. */
const TRUSTED_MS = 60_000

/** What the caller could see: staff see drafts and internal records, which the policies hide from others. */
type Sight = 'on' | ''
type Total = { sequence: number; sight: Sight; total: number }
/** The row of a total's statement; with the sequence when it was compared. */
export type Counted = { total: number } | Total

export type KeptTotals = {
  /** The plan's own rows and total, or for a long list statements that count only after a change. */
  statementsOf(plan: PagePlan): [rows: Statement, total: Statement<Counted>]
  /** Gets the total's row, for the next request. */
  keep(plan: PagePlan, counted: Counted): void
}

export function createKeptTotals(): KeptTotals {
  const kept = new LRUCache<number, LRUCache<string, Total[]>>({ max: ORGANIZATIONS })
  return {
    statementsOf(plan) {
      const { keptFor, rows, rowsBy, total } = plan
      const totals = keptFor === undefined ? undefined : kept.get(keptFor)?.get(keyOf(plan))
      if (keptFor === undefined || totals === undefined) return [rows, total]
      const compared = comparing(keptFor, totals, total)
      return [rowsBy?.(compared) ?? rows, compared]
    },
    keep(plan, counted) {
      if (plan.keptFor === undefined) return
      const totals = kept.get(plan.keptFor)
      if ('sequence' in counted) {
        const known = (totals?.get(keyOf(plan)) ?? []).filter(({ sequence }) => sequence === counted.sequence)
        // What was not counted anew grows no younger.
        if (known.some(({ sight }) => sight === counted.sight)) return
        totals?.set(keyOf(plan), [...known, counted], known.length > 0 ? { noUpdateTTL: true } : { ttl: TRUSTED_MS })
      } else if (counted.total >= MANY) {
        const first = totals ?? new LRUCache<string, Total[]>({ max: TOTALS_OF_ONE })
        kept.set(plan.keptFor, first.set(keyOf(plan), []))
      }
    },
  }
}

function keyOf({ total }: PagePlan): string {
  const { name, values } = prepare(total)
  return `${name} ${JSON.stringify(values)}`
}

/**
 * Every change of an organization raises its `last_sequence` in its own transaction. One statement sees one state of the
 * database, so a total belongs to the sequence that is read with it.
 */
const comparing = (organizationId: number, totals: readonly Total[], total: Statement): Statement<Total> => sql<Total>`
  select s.last_sequence as sequence, v.sight, coalesce(
           (select k.total from unnest(${totals.map(({ sequence }) => sequence)}::bigint[], ${totals.map(({ sight }) => sight)}::text[],
                                       ${totals.map((one) => one.total)}::bigint[]) as k(sequence, sight, total)
             where k.sequence = s.last_sequence and k.sight = v.sight),
           (${total})) as total
    from event_sequences s, (select coalesce(current_setting('app.staff', true), '') as sight) v
   where s.organization_id = ${organizationId}`

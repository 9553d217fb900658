// Totals of long lists, which are counted again only when something in the organization has changed since
// (docs/decisions/0050).
import { LRUCache } from 'lru-cache'
import type { PagePlan } from './page.ts'
import { prepare, type Statement, sql } from '#kernel/values/sql.ts'

/** Shorter lists are counted each time: that costs less than a millisecond. */
const MANY = 5_000
const ORGANIZATIONS = 200
const TOTALS_OF_ONE = 50
/** Rows that were not written by changes (by an operator, by a migration beside this process) count after this time. */
const TRUSTED_MS = 60_000

/**
 * What the policies let the caller see: staff see drafts and internal records, by their scopes; some members see some
 * of the tickets only.
 */
const SIGHT = sql`case when current_setting('app.staff', true) = 'on'
  then concat('staff ', current_setting('app.scopes', true))
  when current_setting('app.ticket_visibility', true) <> ''
    then concat(current_setting('app.ticket_visibility', true), ' of ', current_setting('app.user_id', true))
  else 'members' end`
const SIGHTS_OF_ONE = 20
type ComparedTotal = { sequence: number; sight: string; total: number; counted: boolean }
type Total = Omit<ComparedTotal, 'counted'> & { at: number }
/** The row of a total's statement; with the sequence when it was compared, and whether it was counted then. */
export type CountedTotal = { total: number } | ComparedTotal

export type KeptTotals = {
  /** The plan's own rows and total, or for a long list statements that count only after a change. */
  statementsOf(plan: PagePlan): [rows: Statement, total: Statement<CountedTotal>]
  /** Gets the total's row, for the next request. */
  keep(plan: PagePlan, counted: CountedTotal): void
}

export function createKeptTotals(clock = () => performance.now()): KeptTotals {
  const kept = new LRUCache<number, LRUCache<string, Total[]>>({ max: ORGANIZATIONS })
  const isTrusted = ({ at }: Total): boolean => clock() - at < TRUSTED_MS
  return {
    statementsOf(plan) {
      const { keptFor, rows, rowsBy, total } = plan
      const totals = keptFor === undefined ? undefined : kept.get(keptFor)?.get(keyOf(plan))
      if (keptFor === undefined || totals === undefined) return [rows, total]
      const compared = comparing(keptFor, totals.filter(isTrusted), total)
      return [rowsBy?.(compared) ?? rows, compared]
    },
    keep(plan, counted) {
      if (plan.keptFor === undefined) return
      const totals = kept.get(plan.keptFor)
      if ('sequence' in counted) {
        if (!counted.counted) return
        const others = (totals?.get(keyOf(plan)) ?? []).filter(({ sight }) => sight !== counted.sight)
        totals?.set(keyOf(plan), [...others.slice(1 - SIGHTS_OF_ONE), { ...counted, at: clock() }])
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
 * Every change of an organization raises its `last_sequence` in its own transaction. One statement sees one state of
 * the database, so a total belongs to the sequence that is read with it.
 */
const comparing = (organizationId: number, totals: readonly Total[], total: Statement): Statement<ComparedTotal> =>
  sql<ComparedTotal>`
    select s.last_sequence as sequence, v.sight, k.total is null as counted, coalesce(k.total, (${total})) as total
      from event_sequences s
           cross join (select ${SIGHT} as sight) v
           left join unnest(${totals.map(({ sequence }) => sequence)}::bigint[],
             ${totals.map(({ sight }) => sight)}::text[],
                            ${totals.map((one) => one.total)}::bigint[]) as k(sequence, sight, total)
             on k.sequence = s.last_sequence and k.sight = v.sight
     where s.organization_id = ${organizationId}`

// Codes such as PLG-2026110001 (docs/interface.md, Entitlements): one counter per prefix and month over the whole
// service, in UTC; gaps are allowed, reuse is not.
import { type Statement, sql } from './sql.ts'

type Readable = { read<Row>(statement: Statement<Row>): Promise<Row[]>; now: Date }

const MIN_DIGITS = 4

/**
 * Allocates `count` codes. The counter is committed before the change that uses them begins, so that no organization
 * waits for another's commit. Periods are months (`YYYYMM`) or years (`YYYY`).
 */
export async function allocateCodes(
  io: Readable,
  prefix: string,
  count = 1,
  period: 'month' | 'year' = 'month',
): Promise<string[]> {
  return allocateCodesFor(
    io,
    Array.from({ length: count }, () => prefix),
    period,
  )
}

/** One code per prefix, in the same order, with one statement. */
export async function allocateCodesFor(
  io: Readable,
  prefixes: readonly string[],
  period: 'month' | 'year' = 'month',
): Promise<string[]> {
  if (prefixes.length === 0) return []
  const stamp = io.now
    .toISOString()
    .slice(0, 7)
    .replace('-', '')
    .slice(0, period === 'month' ? 6 : 4)
  const counts = Map.groupBy(prefixes, (prefix) => prefix)
  // Does not wait for the disk: the change that uses the code commits later, and that commit flushes this one too.
  // Ordered by prefix, so that two statements never deadlock.
  const allocated = await io.read(sql<{ prefix: string; last: number }>`
    with quick as materialized (select set_config('synchronous_commit', 'off', true))
    insert into code_counters (prefix, period, last)
    select w.prefix, ${stamp}, w.count
      from quick, unnest(${[...counts.keys()]}::text[], ${[...counts.values()].map(({ length }) => length)}::bigint[]) as w (prefix, count)
     order by w.prefix
    on conflict (prefix, period) do update set last = code_counters.last + excluded.last returning prefix, last`)
  const next = new Map(allocated.map(({ prefix, last }) => [prefix, last - (counts.get(prefix)?.length ?? 0) + 1]))
  return prefixes.map((prefix) => {
    const sequence = next.get(prefix) ?? 0
    next.set(prefix, sequence + 1)
    return `${prefix}-${stamp}${String(sequence).padStart(MIN_DIGITS, '0')}`
  })
}

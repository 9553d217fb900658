// Codes such as PLG-2026110001 (docs/interface.md, Entitlements): one counter per prefix and month over the whole
// service, in UTC; gaps are allowed, reuse is not.
import { type Statement, sql } from './sql.ts'

type CanRead = { read<Row>(statement: Statement<Row>): Promise<Row[]>; now: Date }

const MIN_DIGITS = 4

/**
 * Draws `count` codes. The counter commits by itself before the change that uses them begins, so that no organization
 * waits for another's commit. Periods are months (`YYYYMM`) or years (`YYYY`).
 */
export async function drawCodes(
  outside: CanRead,
  prefix: string,
  count = 1,
  period: 'month' | 'year' = 'month',
): Promise<string[]> {
  if (count === 0) return []
  const stamp = outside.now
    .toISOString()
    .slice(0, 7)
    .replace('-', '')
    .slice(0, period === 'month' ? 6 : 4)
  // Not waiting for the disk: whatever uses the code commits later, and its commit takes this one along.
  const [drawn] = await outside.read(sql<{ last: number }>`
    with quick as materialized (select set_config('synchronous_commit', 'off', true))
    insert into code_counters (prefix, period, last) select ${prefix}, ${stamp}, ${count}::bigint from quick
    on conflict (prefix, period) do update set last = code_counters.last + excluded.last returning last`)
  const last = drawn?.last ?? 0
  return Array.from({ length: count }, (_, index) => {
    const sequence = String(last - count + 1 + index).padStart(MIN_DIGITS, '0')
    return `${prefix}-${stamp}${sequence}`
  })
}

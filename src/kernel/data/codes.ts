// Codes such as PLG-2026110001 (docs/interface/delivery.md, Entitlements): one counter per prefix and month over the
// whole service, in UTC; gaps are allowed, reuse is not.
import { first, type Acting, type IoContext } from './context.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'

type Readable = Pick<IoContext, 'read' | 'now'>

/** In months (`YYYYMM`) or years (`YYYY`). */
type Period = 'month' | 'year'

/** All prefixes of codes, and in what each counts: a restore moves on what may have been counted since the backup. */
export const CODE_PERIODS = {
  PLG: 'month',
  ENV: 'month',
  SVC: 'month',
  ORD: 'month',
  AFL: 'month',
  EDU: 'month',
  SR: 'year',
} as const satisfies Record<string, Period>
export type CodePrefix = keyof typeof CODE_PERIODS
type MonthlyPrefix = Exclude<CodePrefix, 'SR'>

const MIN_DIGITS = 4

/**
 * Allocates a code. The counter is committed before the change that uses it begins, so that no organization waits for
 * another's commit.
 */
export async function allocateCode(io: Readable, prefix: CodePrefix): Promise<string> {
  const [code = ''] = await countCodes(io, inOrder([prefix]), CODE_PERIODS[prefix])
  return code
}

/** One code per prefix, in the same order. */
export async function allocateCodesFor(io: Readable, prefixes: readonly MonthlyPrefix[]): Promise<string[]> {
  return prefixes.length === 0 ? [] : countCodes(io, inOrder(prefixes), 'month')
}

export type WantedCodes = Statement<{ prefix: string; nth: number }>

export const inOrder = (prefixes: readonly string[]): WantedCodes =>
  sql`select w.prefix, w.nth from unnest(${prefixes}::text[]) with ordinality as w (prefix, nth)`

/** One code per row of `wanted`, in the order of `nth`; none where the condition `unless` holds. */
export async function countCodes(
  io: Readable,
  wanted: WantedCodes,
  period: Period,
  unless = sql`false`,
): Promise<string[]> {
  const stamp = io.now
    .toISOString()
    .slice(0, 7)
    .replace('-', '')
    .slice(0, period === 'month' ? 6 : 4)
  // Does not wait for the disk: the change that uses the code commits later, and that commit flushes this one too.
  // Nothing is counted where the access check before it has set no tenant. Ordered by prefix, so that two statements
  // never deadlock.
  const allocated = await io.read(sql<{ prefix: string; sequence: number }>`
    with quick as materialized (
      select set_config('synchronous_commit', 'off', true) where current_setting('app.organization_id', true) <> ''
        and not ${unless}
    ), wanted as materialized (
      select w.prefix, w.nth, row_number() over (partition by w.prefix order by w.nth) as place,
             count(*) over (partition by w.prefix) as count
        from (${wanted}) w
    ), counted as (
      insert into code_counters (prefix, period, last)
      select w.prefix, ${stamp}, w.count from quick, wanted w where w.place = 1 order by w.prefix
      on conflict (prefix, period) do update set last = code_counters.last + excluded.last returning prefix, last
    )
    select w.prefix, c.last - w.count + w.place as sequence from wanted w join counted c on c.prefix = w.prefix
     order by w.nth`)
  return allocated.map(({ prefix, sequence }) => `${prefix}-${stamp}${String(sequence).padStart(MIN_DIGITS, '0')}`)
}

/**
 * Takes a code that was given elsewhere; false when somebody has it. The counter goes on behind it, and remembers the
 * numbers that it passes over, so that they can be taken later, in any order (docs/interface/integrations.md). Its row
 * stays locked until the transaction ends.
 */
export async function takeCode(ctx: Pick<Acting, 'ask'>, code: string): Promise<boolean> {
  const { prefix, period, number } = partsOf(code)
  const taken = await first(
    ctx,
    sql`insert into code_counters as c (prefix, period, last, passed_over)
      values (${prefix}, ${period}, ${number}::bigint, int8multirange(int8range(1, ${number}::bigint)))
      on conflict (prefix, period) do update
         set last = greatest(c.last, ${number}::bigint),
             passed_over = case
               when ${number}::bigint > c.last then c.passed_over + int8multirange(int8range(c.last + 1,
                 ${number}::bigint))
               else c.passed_over - int8multirange(int8range(${number}::bigint, ${number}::bigint + 1)) end
       where ${number}::bigint > c.last or c.passed_over @> ${number}::bigint returning c.last`,
  )
  return taken !== undefined
}

function partsOf(code: string): { prefix: string; period: string; number: number } {
  const [prefix = '', digits = ''] = code.split('-')
  return { prefix, period: digits.slice(0, 6), number: Number(digits.slice(6)) }
}

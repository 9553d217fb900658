// What an index has accumulated over some months, for areas that adjust prices.
import type { Acting } from '#kernel/data/context.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'
import { monthsFrom } from '#kernel/values/time/calendar.ts'
import { priceIndexes } from './queries.ts'
import { accumulated } from './rate.ts'

/** Both months count. */
export type Span = { price_index: string; from_month: string; until_month: string }

/** In hundredths of a percent; null when months have no rate, which are then named. */
export type Accumulation = { percent: bigint; lacking: null } | { percent: null; lacking: string[] }

/** In the order of the spans. */
export async function accumulate(ctx: Pick<Acting, 'ask'>, spans: readonly Span[]): Promise<Accumulation[]> {
  if (spans.length === 0) return []
  const names = [...new Set(spans.map(({ price_index }) => price_index))]
  const [earliest = ''] = spans.map(({ from_month }) => from_month).toSorted()
  const latest =
    spans
      .map(({ until_month }) => until_month)
      .toSorted()
      .at(-1) ?? ''
  const rows = await ctx.ask(priceIndexes.between(names, earliest, latest))
  const rates = new Map(rows.map(({ price_index, month, rate }) => [`${price_index} ${month}`, rate]))
  return spans.map(({ price_index, from_month, until_month }) => {
    const months = monthsFrom(from_month, until_month)
    const found = months.flatMap((month) => rates.get(`${price_index} ${month}`) ?? [])
    if (found.length === months.length) return { percent: accumulated(found), lacking: null }
    return { percent: null, lacking: months.filter((month) => !rates.has(`${price_index} ${month}`)) }
  })
}

/** In SQL: the months of each of the indexes in the JSON array that have a rate, as an object. */
export const monthsKnownOf = (names: Statement): Statement => sql`
  (select coalesce(jsonb_object_agg(k.price_index, k.months), '{}') from (
     select r.price_index, jsonb_agg(r.month) as months from price_index_rates r
      where r.price_index in (select jsonb_array_elements_text(${names})) group by r.price_index) k)`

/** Those of the names that have no rate at all. */
export async function unknownIndexes(ctx: Pick<Acting, 'ask'>, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const known = (await ctx.ask(priceIndexes.known(names))).map(({ price_index }) => price_index)
  return new Set(names).difference(new Set(known))
}

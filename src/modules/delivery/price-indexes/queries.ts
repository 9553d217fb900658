// All SQL of price indexes, which belong to no organization.
import { page } from '#http/route.ts'
import { raw, sql, when } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { type MonthRate, PriceIndexRate, type RateFilters } from './price-index.ts'

const columns = raw(Object.keys(PriceIndexRate.properties).join(', '))
const given = (rates: readonly MonthRate[]) =>
  sql`jsonb_to_recordset(${storableJson(rates)}::jsonb) as g (month text, rate numeric)`

export const priceIndexes = {
  page: (query: RateFilters) =>
    page(query, {
      columns: sql`${columns}`,
      sortedBy: { column: 'month', type: 'text' },
      from: sql`from price_index_rates where true ${when(query.price_index, (name) => sql`and price_index = ${name}`)}`,
    }),
  /** Until the end of the transaction nobody else changes a rate, which happens once a month; reading goes on. */
  lock: () => sql`lock table price_index_rates in share row exclusive mode`,
  ofMonths: (name: string, months: readonly string[]) => sql<PriceIndexRate>`
    select ${columns} from price_index_rates where price_index = ${name} and month = any(${months}::text[])`,
  set: (name: string, rates: readonly MonthRate[], now: Date) => sql`
    insert into price_index_rates (price_index, month, rate, created_at, updated_at)
    select ${name}, g.month, g.rate, ${now}, ${now} from ${given(rates)}
    on conflict (price_index, month) do update set rate = excluded.rate, updated_at = excluded.updated_at
    returning id`,
  remove: (name: string, month: string) => sql<PriceIndexRate>`
    delete from price_index_rates where price_index = ${name} and month = ${month} returning ${columns}`,

  between: (names: readonly string[], first: string, last: string) => sql<
    Pick<PriceIndexRate, 'price_index' | 'month' | 'rate'>
  >`
    select price_index, month, rate from price_index_rates
     where price_index = any(${names}::text[]) and month between ${first} and ${last}`,
  known: (names: readonly string[]) => sql<{ price_index: string }>`
    select distinct price_index from price_index_rates where price_index = any(${names}::text[])`,
}

// PATCH /admin/price-indexes/{price_index}/rates, PUT and DELETE of a month: prices that were adjusted already stay as
// they are.
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { MonthRate, PriceIndexRate, RatesSet } from './price-index.ts'
import { formatRate, parseRate } from './rate.ts'
import { priceIndexes } from './queries.ts'

export async function setRates(
  ctx: SystemContext,
  price_index: string,
  given: readonly MonthRate[],
): Promise<RatesSet> {
  await ctx.ask(priceIndexes.lock())
  const rates = given.map(({ month, rate }) => ({ month, rate: formatRate(parseRate(rate)) }))
  const months = monthsOf(rates)
  const found = await ctx.ask(priceIndexes.ofMonths(price_index, months))
  const stored = new Map(found.map(({ month, rate }) => [month, rate]))
  const added = rates.filter(({ month }) => !stored.has(month))
  const changed = rates.filter(({ month, rate }) => (stored.get(month) ?? rate) !== rate)
  const after = [...added, ...changed]
  if (after.length > 0) {
    await ctx.ask(priceIndexes.set(price_index, after, ctx.now))
    const before = changed.map(({ month }) => ({ month, rate: stored.get(month) ?? null }))
    await note(ctx, price_index, { before, after })
  }
  const touched = new Set(monthsOf(after))
  const unchanged = months.filter((month) => !touched.has(month))
  return { price_index, created: monthsOf(added), updated: monthsOf(changed), unchanged }
}

const monthsOf = (rates: readonly MonthRate[]): string[] => rates.map(({ month }) => month)

export async function setRate(ctx: SystemContext, price_index: string, rate: MonthRate): Promise<PriceIndexRate> {
  await setRates(ctx, price_index, [rate])
  return one(ctx, priceIndexes.ofMonths(price_index, [rate.month]))
}

export async function removeRate(ctx: SystemContext, price_index: string, month: string): Promise<null> {
  const removed = await first(ctx, priceIndexes.remove(price_index, month))
  if (!removed) throw notFound()
  await note(ctx, price_index, { before: [{ month, rate: removed.rate }], after: [] })
  return null
}

type Side = { month: string; rate: string | null }[]

const note = (ctx: SystemContext, price_index: string, { before, after }: { before: Side; after: Side }) =>
  ctx.ask(
    serviceEntry(ctx, 'updated', {
      resource: 'price_index',
      id: null,
      details: { before: { price_index, rates: before }, after: { price_index, rates: after } },
    }),
  )

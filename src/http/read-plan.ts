// The statements of what a route reads, and its data from their rows.
import type { KeptTotals } from '#kernel/data/lists/kept-totals.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { CallerContext, ReadPlan } from './route.ts'

export const statementsOf = (plan: ReadPlan<unknown>, keptTotals: KeptTotals): Statement[] =>
  plan.kind === 'page'
    ? [...keptTotals.statementsOf(plan), ...(plan.parent ? [plan.parent] : [])]
    : plan.kind === 'row'
      ? [plan.row]
      : plan.kind === 'parts'
        ? plan.statements
        : []

export function shaped(
  plan: Exclude<ReadPlan<unknown>, { kind: 'page' | 'list' }>,
  results: unknown[][],
  callerContext: CallerContext,
): unknown {
  const data = plan.kind === 'row' ? results[0]?.[0] : plan.shape(results, callerContext)
  if (data === undefined) throw notFound()
  return data
}

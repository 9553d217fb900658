// Lines that extend an entitlement by a further term (docs/billing.md).
import { unknownIndexes } from '#modules/delivery/price-indexes/accumulate.ts'
import { renewableOf, renewalProblem } from '#modules/delivery/entitlements/renew-by-order.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { Company } from '#kernel/values/schema.ts'
import { LEAST_MONTHS } from '../adjustment.ts'
import type { OfferedLine, QuoteLine } from '../quote-line.ts'

/** What is wrong with lines that name an entitlement. */
export async function renewalProblems(
  ctx: OrganizationContext,
  lines: readonly (OfferedLine | null)[],
  { company }: { company: Company },
): Promise<Fields> {
  const codes = lines.flatMap((line) => line?.entitlement_code ?? [])
  const found = new Map((await renewableOf(ctx, codes)).map((one) => [one.code, one]))
  const problems: Fields = {}
  for (const [index, line] of lines.entries()) {
    if (typeof line?.entitlement_code !== 'string') continue
    const one = found.get(line.entitlement_code)
    const at = `line_items.${index}`
    const problem = one ? renewalProblem(one) : 'is no entitlement of the organization'
    if (problem !== null) problems[`${at}.entitlement_code`] = problem
    else if (codes.indexOf(line.entitlement_code) < codes.lastIndexOf(line.entitlement_code))
      problems[`${at}.entitlement_code`] = 'is named twice'
    else if (one?.company !== company) problems[`${at}.entitlement_code`] = 'is of the other legal entity'
    if (typeof line.term_months !== 'number') problems[`${at}.term_months`] = 'is required to extend an entitlement'
    if (!one) continue
    if (line.entitlement_class !== one.class)
      problems[`${at}.entitlement_class`] = `is not ${one.class}, as the entitlement`
    if (line.quantity !== one.quantity)
      problems[`${at}.quantity`] = `is not ${one.quantity}, as that of the entitlement`
    for (const bound of ['quantity_min', 'quantity_max'] as const)
      if (typeof line[bound] === 'number')
        problems[`${at}.${bound}`] = 'cannot be given: the entitlement has its quantity'
  }
  return problems
}

/**
 * What is wrong with the indexes of lines. A line that extends an entitlement has the index that was agreed on, whether
 * it still has rates or not.
 */
export async function indexProblems(ctx: OrganizationContext, lines: readonly (OfferedLine | null)[]): Promise<Fields> {
  const unknown = await unknownIndexes(
    ctx,
    lines.flatMap((line) => line?.price_index ?? []),
  )
  const problems: Fields = {}
  for (const [index, line] of lines.entries()) {
    if (!line?.price_index) continue
    const at = `line_items.${index}.price_index`
    if ((line.term_months ?? 0) < LEAST_MONTHS) problems[at] = `needs a term of ${LEAST_MONTHS} months or more`
    else if (unknown.has(line.price_index) && !line.is_renewal) problems[at] = 'names no index that has a rate'
  }
  return problems
}

/** 409 when an entitlement that a chosen line extends has ended for good since it was offered. */
export async function assertRenewable(ctx: OrganizationContext, lines: readonly QuoteLine[]): Promise<void> {
  const codes = lines.flatMap(({ is_chosen, is_renewal, entitlement_code }) =>
    is_chosen && is_renewal ? (entitlement_code ?? []) : [],
  )
  for (const one of await renewableOf(ctx, codes)) {
    const problem = renewalProblem(one)
    if (problem !== null) throw conflict('entitlement_not_renewable', `The code ${one.code} ${problem}`)
  }
}

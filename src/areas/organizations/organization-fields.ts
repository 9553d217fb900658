// Which fields of a body are whose, and how two spellings become one (docs/interface.md, "Organizations").
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { normalizeCnpj } from '#ports/cnpj.ts'
import { invalid } from '#kernel/http/errors.ts'
import type { Fields } from '#kernel/http/problems.ts'
import type { RuleContext, Rules } from '#kernel/http/route.ts'
import { ALIASES, type OrganizationValues, staffFields } from './organization.ts'
import { organizations } from './queries.ts'

/** What is wrong with a body, field by field, under the name that was sent. */
export function organizationRules(body: OrganizationValues, { isStaff }: Pick<RuleContext, 'isStaff'>): Fields {
  const problems: Fields = {}
  const sent = new Map<string, { given: string; value: unknown }>()
  for (const [given, value] of Object.entries(body)) {
    const field = ALIASES.get(given) ?? given
    const before = sent.get(field)
    if (before && before.value !== value)
      problems[given] = problems[before.given] = 'is given twice with different values'
    sent.set(field, { given, value })
    if (field in staffFields && !isStaff) problems[given] = 'only staff may set this'
    if (field === 'cnpj' && typeof value === 'string' && normalizeCnpj(value) === null)
      problems[given] = 'must be a CNPJ with the right check digits'
  }
  return problems
}

export const newOrganizationRules: Rules<OrganizationValues> = (body, asked) => ({
  ...(!asked.isGiven('name') && !asked.isGiven('org_name') && { name: 'is required' }),
  ...organizationRules(body, asked),
})

/** Unprefixed names only, the CNPJ as it is stored. */
export function settled(body: OrganizationValues): OrganizationValues {
  const named = Object.entries(body).map(([given, value]) => [ALIASES.get(given) ?? given, value])
  const values: OrganizationValues = Object.fromEntries(named)
  return typeof values.cnpj === 'string' ? { ...values, cnpj: normalizeCnpj(values.cnpj) } : values
}

/** Staff may hang an organization under another living one. */
export async function assertParent(ctx: OrganizationContext, parentId: number | null | undefined): Promise<void> {
  if (parentId === null || parentId === undefined) return
  const isKnown = parentId !== ctx.organizationId && (await first(ctx, organizations.isLiving(parentId)))
  if (!isKnown) throw invalid({ parent_id: 'must be another organization' })
}

// Who may set which fields of a body, and how its prefixed names become plain ones (docs/interface/identity.md,
// Organizations).
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { normalizeCnpj } from '#ports/cnpj.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { RuleContext, Rules } from '#http/route.ts'
import { ALIASES, type OrganizationValues, staffFields } from './organization.ts'
import { organizations } from './queries.ts'

/** The problems of a body, by the names of the fields as they were sent. */
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

/** Of an organization that has no owner yet: nobody could have passed what is asked of all. */
export const noOwnerRules = ({ require_mfa }: OrganizationValues): Fields =>
  require_mfa ? { require_mfa: 'only the owner may set this' } : {}

/** The body under plain names only, with the CNPJ as it is stored. */
export function settled(body: OrganizationValues): OrganizationValues {
  const named = Object.entries(body).map(([given, value]) => [ALIASES.get(given) ?? given, value])
  const values: OrganizationValues = Object.fromEntries(named)
  return typeof values.cnpj === 'string' ? { ...values, cnpj: normalizeCnpj(values.cnpj) } : values
}

/** 422 unless the parent is another organization that is not deleted. */
export async function assertParent(ctx: OrganizationContext, parentId: number | null | undefined): Promise<void> {
  if (parentId === null || parentId === undefined) return
  const isKnown = parentId !== ctx.organizationId && (await first(ctx, organizations.isLiving(parentId)))
  if (!isKnown) throw invalid({ parent_id: 'must be another organization' })
}

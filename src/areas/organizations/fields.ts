// Which fields of a body are whose, and how two spellings become one (docs/interface.md, "Organizations").
import { first, type OrganizationContext } from '#kernel/context.ts'
import { normalizeCnpj } from '#kernel/cnpj.ts'
import { invalid } from '#kernel/errors.ts'
import { ALIASES, type OrganizationValues, staffFields } from './organization.ts'
import { organizations } from './queries.ts'

/** Unprefixed names only, the CNPJ as it is stored. 422 where two spellings say two things, and for staff's fields from anybody else. */
export function settled(body: OrganizationValues, isStaff: boolean): OrganizationValues {
  const values: OrganizationValues = {}
  const seen = new Map<string, unknown>()
  const wrong: Record<string, string> = {}
  for (const [given, value] of Object.entries(body)) {
    const field = ALIASES.get(given) ?? given
    if (seen.has(field) && seen.get(field) !== value) wrong[field] = 'is given twice with different values'
    seen.set(field, value)
    Object.assign(values, { [field]: value })
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  refuseStaffFields(values, isStaff)
  return typeof values.cnpj === 'string' ? { ...values, cnpj: storedCnpj(values.cnpj) } : values
}

function refuseStaffFields(values: OrganizationValues, isStaff: boolean): void {
  const own = Object.keys(staffFields).filter((field) => field in values)
  if (!isStaff && own.length > 0)
    throw invalid(Object.fromEntries(own.map((field) => [field, 'only staff may set this'])))
}

function storedCnpj(given: string): string {
  const cnpj = normalizeCnpj(given)
  if (cnpj === null) throw invalid({ cnpj: 'must be a CNPJ with the right check digits' })
  return cnpj
}

/** Staff may hang an organization under another living one. */
export async function refuseWrongParent(ctx: OrganizationContext, parentId: number | null | undefined): Promise<void> {
  if (parentId === null || parentId === undefined) return
  const there = parentId !== ctx.organizationId && (await first(ctx, organizations.isLiving(parentId)))
  if (!there) throw invalid({ parent_id: 'must be another organization' })
}

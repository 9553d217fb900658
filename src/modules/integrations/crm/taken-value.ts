// Whether an organization could have entered a value of the CRM itself.
import { OrganizationBody } from '#modules/identity/organizations/organization.ts'
import { organizationRules } from '#modules/identity/organizations/organization-fields.ts'
import { compileCheck } from '#kernel/values/validation/validation.ts'
import type { CompanyField } from '#ports/crm.ts'

const check = compileCheck(OrganizationBody)

/** Null when it can be taken. */
export function problemOf(field: CompanyField, value: string | null): string | null {
  const body = { [field]: value }
  const problems = check(body) ?? organizationRules(body, { isStaff: true })
  return problems[field] ?? null
}

// All SQL of tax withholding, which is a column of the organization.
import { sql } from '#kernel/values/sql.ts'
import type { TaxWithholding } from '#modules/identity/organizations/tax-withholding.ts'

export const withholdingOf = (org: number) => sql<TaxWithholding>`
  select coalesce(tax_withholding -> 'federal', '[]') as federal,
         coalesce(tax_withholding -> 'iss_municipalities', '[]') as iss_municipalities
    from organizations where organization_id = ${org} and id = ${org}`

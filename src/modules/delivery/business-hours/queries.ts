// All SQL of the legal entities' business hours, which belong to no organization.
import { row } from '#http/route.ts'
import type { Company } from '#kernel/values/schema.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { type BusinessHours, CompanyHours } from './business-hours.ts'

const columns = raw(Object.keys(CompanyHours.properties).join(', '))
const one = (company: Company): Statement<CompanyHours> =>
  sql<CompanyHours>`select ${columns} from business_hours where company = ${company}`

export const businessHours = {
  of: (company: Company) => row<CompanyHours>(one(company)),
  locked: (company: Company) => sql<CompanyHours>`${one(company)} for update`,
  set: (company: Company, hours: BusinessHours | null, now: Date) => sql<CompanyHours>`
    update business_hours set business_hours = ${hours && storableJson(hours)}::jsonb, updated_at = ${now}
     where company = ${company} returning ${columns}`,
}

// PUT /admin/business-hours/{company}: tickets that are open keep the hours that they were opened with.
import { one, type SystemContext } from '#kernel/data/context.ts'
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { CompanyHours, CompanyHoursChange } from './business-hours.ts'
import { businessHours } from './queries.ts'

export async function setBusinessHours(
  ctx: SystemContext,
  company: Company,
  { business_hours }: CompanyHoursChange,
): Promise<CompanyHours> {
  const before = await one(ctx, businessHours.locked(company))
  const after = await one(ctx, businessHours.set(company, business_hours, ctx.now))
  const details = { before: { company, business_hours: before.business_hours }, after: { company, business_hours } }
  await ctx.ask(serviceEntry(ctx, 'updated', { resource: 'business_hours', id: null, details }))
  return after
}
